internal import BiologinCore

/// An inhibitor of sleep, for as long as it takes to let go of what must not be held in sleep.
@GLibThread final class LogindSleepDelay: SleepDelay {
    /// Well within the 5 s that logind waits by default: then it would sleep anyway.
    private static let limit: Duration = .seconds(3)

    private var inhibitor: OwnedDescriptor?
    private var timer: LoopSource?

    /// - Parameter inhibitor: nil where none could be had.
    init(_ inhibitor: OwnedDescriptor?) {
        self.inhibitor = inhibitor
        timer = GLibLoop.shared.timer(after: Self.limit) { [weak self] in self?.close() }
    }

    /// After the jobs that are ready: they hold the last of what is to be wiped.
    nonisolated func end() { GLibLoop.shared.perform { self.close() } }

    private func close() {
        inhibitor = nil
        timer?.cancel()
        timer = nil
    }
}
