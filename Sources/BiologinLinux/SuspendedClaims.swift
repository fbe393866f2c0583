/// Claims on readers that fprintd has suspended.
///
/// fprintd suspends its readers itself when the computer is about to sleep, and it hears of that before it hears from anybody
/// who was told by the same signal. A reader that is given back then stays open in libfprint, and nobody can claim it until
/// fprintd is started anew. So its verification is ended before sleep, and its claim after the resume.
@GLibThread final class SuspendedClaims {
    /// For the readers to resume.
    private static let pause: Duration = .seconds(1)
    private static let catchUpLimit: Duration = .milliseconds(300)

    private enum Phase { case awake, asleep, waking(LoopSource) }
    private var phase = Phase.awake
    /// How often the computer was about to sleep.
    private(set) var sleeps = 0
    private var kept: [BusConnection] = []
    /// Over which it is heard that the computer is about to sleep.
    var connection: BusConnection?

    nonisolated init() {}

    /// The computer is about to sleep.
    func begin() {
        sleeps += 1
        phase = .asleep
    }

    /// The computer does not sleep any more.
    func end() {
        phase = .waking(
            GLibLoop.shared.timer(after: Self.pause) { [weak self] in
                for connection in self?.kept ?? [] { connection.close() }
                self?.kept = []
                self?.phase = .awake
            })
    }

    /// Returns when everything was heard that the bus had to tell before: what fprintd does on a signal may be heard before the
    /// signal, which comes over another connection.
    func catchUp() async {
        _ = try? await connection?.owner(of: LogindService.name, within: Self.catchUpLimit)
    }

    /// Whether a reader that fails may only not have been resumed yet.
    var areWaking: Bool { if case .waking = phase { true } else { false } }

    /// Whether a reader may be suspended that was claimed when there had been so many `sleeps`.
    func mayBeSuspended(since before: Int) -> Bool {
        switch phase {
        case .awake: false
        case .asleep: true
        case .waking: before < sleeps
        }
    }

    /// Closes the connection that holds a claim as soon as readers have resumed.
    func closeLater(_ connection: BusConnection) { kept.append(connection) }
}
