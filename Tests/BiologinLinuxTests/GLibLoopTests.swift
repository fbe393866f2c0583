import Glibc
import Testing

@testable import BiologinLinux

struct GLibLoopTests {
    @Test @GLibThread func runsItsActorOnItsThread() async {
        #expect(GLibLoop.shared.isIsolatingCurrentContext() == true)
        await Task.yield()
        #expect(GLibLoop.shared.isIsolatingCurrentContext() == true)
    }

    @Test @GLibThread func isNotIsolatingElsewhere() async {
        await nowhere()
        #expect(GLibLoop.shared.isIsolatingCurrentContext() == true)
    }

    @concurrent private func nowhere() async { #expect(GLibLoop.shared.isIsolatingCurrentContext() == false) }

    @Test(arguments: [0, 1, 30]) @GLibThread func firesATimerOnceAndNotBeforeItsTime(milliseconds: Int) async {
        let deadline = Deadline(in: .milliseconds(milliseconds))
        let (fired, sink) = AsyncStream.makeStream(of: Bool.self)
        let timer = GLibLoop.shared.timer(after: .milliseconds(milliseconds)) {
            sink.yield(deadline.remaining == .zero)
            GLibLoop.shared.perform { sink.finish() }
        }
        #expect(await fired.next() == true)
        #expect(await fired.next() == nil)
        withExtendedLifetime(timer) {}
    }

    @Test @GLibThread func wakesASleeperWhoseTaskIsCancelled() async {
        let sleeper = Task { try await GLibLoop.shared.sleep(for: .seconds(3600)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test @GLibThread func passesSignalsOn() async {
        let (caught, sink) = AsyncStream.makeStream(of: Void.self)
        let source = GLibLoop.shared.onSignal(SIGUSR2) { sink.yield() }
        kill(getpid(), SIGUSR2)
        await caught.next()
        source.cancel()
    }
}

struct GLibDescriptorWatchTests {
    let near: Int32
    let far: Int32

    init() {
        var pair: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        (near, far) = (pair[0], pair[1])
    }

    @GLibThread private func watch(_ interest: Readiness) -> (DescriptorWatch, AsyncStream<Readiness>) {
        let (stream, sink) = AsyncStream.makeStream(of: Readiness.self, bufferingPolicy: .bufferingOldest(1))
        let watch = GLibLoop.shared.watch(near, interest) { readiness in
            GLibLoop.shared.checkIsolated()
            sink.yield(readiness)
        }
        return (watch, stream)
    }

    @Test @GLibThread func tellsWhatADescriptorIsReadyFor() async {
        let (watch, ready) = watch(.read)
        write(far, "x", 1)
        let readiness = await ready.next()
        #expect(readiness == .read)
        watch.cancel()
        close(near)
        close(far)
    }

    @Test @GLibThread func tellsWhatItWasChangedTo() async {
        let (watch, ready) = watch([])
        watch.change(.write)
        let readiness = await ready.next()
        #expect(readiness == .write)
        watch.cancel()
        close(near)
        close(far)
    }

    @Test @GLibThread func tellsOfAHangUpThatNobodyAskedFor() async {
        let (watch, ready) = watch([])
        close(far)
        let readiness = await ready.next()
        #expect(readiness == .hangUp)
        watch.cancel()
        close(near)
    }
}
