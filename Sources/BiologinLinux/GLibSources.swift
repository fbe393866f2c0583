internal import CGio

/// What a source calls; it goes on being called as long as it returns true.
typealias SourceHandler = (UnsafeMutablePointer<GSource>) -> Bool

private final class Handler {
    let call: SourceHandler
    init(_ call: @escaping SourceHandler) { self.call = call }
}

// Never written to again.
nonisolated(unsafe) private let sourceFunctions: UnsafeMutablePointer<GSourceFuncs> = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.dispatch = { source, _, data in
        Unmanaged<Handler>.fromOpaque(data!).takeUnretainedValue().call(source!) ? 1 : 0
    }
    return functions
}()

extension GLibLoop {
    /// A source that is not attached yet; the caller has one reference to it.
    func makeSource(_ handler: @escaping SourceHandler) -> UnsafeMutablePointer<GSource> {
        let source = g_source_new(sourceFunctions, UInt32(MemoryLayout<GSource>.size))!
        // Only carries the handler to `dispatch`: there is no callback.
        g_source_set_callback(
            source, nil, Unmanaged.passRetained(Handler(handler)).toOpaque(),
            { Unmanaged<Handler>.fromOpaque($0!).release() })
        return source
    }

    /// Calls `body` on the loop's thread, soon and never at once.
    func perform(_ body: @escaping @GLibThread @Sendable () -> Void) {
        let source = makeSource { _ in
            GLibThread.assumeIsolated(body)
            return false
        }
        g_source_set_ready_time(source, 0)
        attach(source)
        g_source_unref(source)
    }
}

/// A source of the loop, until it is canceled or the last reference to it goes.
// Unchecked: the reference counts and the destruction of sources are atomic.
package final class LoopSource: @unchecked Sendable {
    let source: UnsafeMutablePointer<GSource>

    init(taking source: UnsafeMutablePointer<GSource>) { self.source = source }

    deinit {
        g_source_destroy(source)
        g_source_unref(source)
    }

    /// It does nothing any more; on the loop's thread that is true at once.
    package func cancel() { g_source_destroy(source) }
}

extension GLibLoop {
    /// Calls `fire` once on the loop's thread, after `delay` by the monotonic clock.
    package func timer(after delay: Duration, _ fire: @escaping @GLibThread @Sendable () -> Void) -> LoopSource {
        let source = makeSource { _ in
            GLibThread.assumeIsolated(fire)
            return false
        }
        g_source_set_ready_time(source, g_get_monotonic_time() + gint64(delay.microseconds))
        attach(source)
        return LoopSource(taking: source)
    }

    /// Calls `handler` on the loop's thread each time the process gets the signal; one of HUP, INT, TERM, USR1, USR2, WINCH.
    package func onSignal(_ number: Int32, _ handler: @escaping @GLibThread @Sendable () -> Void) -> LoopSource {
        let source = g_unix_signal_source_new(number)!
        g_source_set_callback(
            source,
            { data in Unmanaged<Handler>.fromOpaque(data!).takeUnretainedValue().call(g_main_current_source()) ? 1 : 0
            },
            Unmanaged.passRetained(
                Handler { _ in
                    GLibThread.assumeIsolated(handler)
                    return true
                }
            ).toOpaque(), { Unmanaged<Handler>.fromOpaque($0!).release() })
        attach(source)
        return LoopSource(taking: source)
    }

    /// Returns after `delay` by the monotonic clock, or throws as soon as the task is cancelled.
    @GLibThread package func sleep(for delay: Duration) async throws(CancellationError) {
        let sleeper = Sleeper()
        let slept = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                sleeper.continuation = continuation
                sleeper.timer = timer(after: delay) { sleeper.wake(true) }
            }
        } onCancel: {
            perform { sleeper.wake(false) }
        }
        guard slept else { throw CancellationError() }
    }
}

@GLibThread private final class Sleeper {
    var continuation: CheckedContinuation<Bool, Never>?
    var timer: LoopSource?

    func wake(_ slept: Bool) {
        continuation?.resume(returning: slept)
        (continuation, timer) = (nil, nil)
    }
}

extension Duration {
    /// Rounded up, and never negative.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, seconds * 1_000_000 + (attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}
