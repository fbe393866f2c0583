/// Lets one in at a time, in the order of their coming.
@GLibThread final class Turnstile {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated init() {}

    /// `body` is begun in a cancelled task too.
    func pass<Result: Sendable, Failure: Error>(
        _ body: @GLibThread () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if isTaken { await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
        defer {
            isTaken = !waiting.isEmpty
            if isTaken { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
