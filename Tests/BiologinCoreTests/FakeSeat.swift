import Synchronization

@testable import BiologinCore

/// A seat that is locked, left and put to sleep by the test.
final class FakeSeat: Seat {
    private let state = Mutex(SeatState.usable)
    /// What it turns out to be when it is asked, though nothing was heard.
    private let found = Mutex<SeatState?>(nil)
    private let (stream, sink) = AsyncStream.makeStream(of: SeatEvent.self)

    var known: SeatState { state.withLock { $0 } }
    func events() -> AsyncStream<SeatEvent> { stream }

    func current() async -> SeatState {
        if let found = found.withLock({ $0 }) { state.withLock { $0 = found } }
        return known
    }

    func willBeFound(_ state: SeatState) { found.withLock { $0 = state } }

    func change(to new: SeatState) {
        state.withLock { $0 = new }
        sink.yield(.changed(new))
    }

    /// Returns once the machine may sleep.
    func sleep() async {
        let (awake, end) = AsyncStream<Never>.makeStream()
        state.withLock { $0 = .sleeping }
        sink.yield(.sleeping(Delay(ended: end)))
        for await _ in awake {}
    }

    private struct Delay: SleepDelay {
        let ended: AsyncStream<Never>.Continuation
        func end() { ended.finish() }
    }
}
