internal import BiologinCore

// Not by libsecret, which never ends when a prompt is dismissed.

extension SecretProvider {
    private enum Outcome: Sendable { case completed, vanished, late }

    /// Unlocks collections or items, by the provider's prompt if it must. Returns when the provider is done, whatever came of
    /// it; throws `locked` when the user has not answered in `limit`, and dismisses the prompt then.
    func unlock(_ paths: [String], within limit: Duration, by deadline: Deadline) async throws(StoreError) {
        let objects = Variant.array(of: "o", paths.map(Variant.objectPath))
        let reply = try await call("Service", "Unlock", .tuple(objects), reply: "(aoo)", at: Self.path, by: deadline)
        guard let prompt = reply[1]?.string, prompt != Self.none else { return }
        try await show(prompt, within: limit)
    }

    private func show(_ path: String, within limit: Duration) async throws(StoreError) {
        let prompt = BusObject(destination: owner, path: path, interface: "org.freedesktop.Secret.Prompt")
        let (outcomes, queue) = AsyncStream.makeStream(of: Outcome.self)
        // Before it is shown: it may be answered before the call that shows it returns.
        let completed = connection.onSignal("Completed", of: prompt) { _ in queue.yield(.completed) }
        let vanished = connection.onOwnerChange(of: owner) { _ in queue.yield(.vanished) }
        connection.onClose { queue.yield(.vanished) }
        let timer = GLibLoop.shared.timer(after: limit) { queue.yield(.late) }
        defer { withExtendedLifetime((completed, vanished, timer)) {} }

        _ = try await call(
            prompt, "Prompt", .tuple(.string("")), reply: "()", by: Deadline(in: SecretServiceStore.callLimit))
        var iterator = outcomes.makeAsyncIterator()
        let outcome = await iterator.next(isolation: #isolation)
        switch outcome {
        case .completed: return
        case .vanished: throw .unavailable
        case .late, nil:
            _ = try? await call(
                prompt, "Dismiss", .tuple(), reply: "()", by: Deadline(in: SecretServiceStore.callLimit))
            throw outcome == nil ? .cancelled : .locked
        }
    }
}
