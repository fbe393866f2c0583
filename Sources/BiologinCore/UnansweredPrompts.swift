/// Verifications that asked the user for a touch and got no match. A program that asks again and again, in the hope that
/// somebody touches at last, is refused for a while.
struct UnansweredPrompts {
    static let limit = 30
    static let window: Duration = .seconds(60)
    /// Nobody has noticed a prompt that was taken back sooner.
    static let shortest: Duration = .seconds(1)

    /// At most one a second, as only one prompt is shown at a time.
    private var recent: [(process: Int32, endedAt: Duration)] = []

    mutating func add(of process: Int32, shownAt: Duration, endedAt now: Duration) {
        forget(at: now)
        if now - shownAt >= Self.shortest { recent.append((process, now)) }
    }

    mutating func isLimitReached(by process: Int32, at now: Duration) -> Bool {
        forget(at: now)
        return recent.count { $0.process == process } >= Self.limit
    }

    private mutating func forget(at now: Duration) { recent.removeAll { now - $0.endedAt >= Self.window } }
}
