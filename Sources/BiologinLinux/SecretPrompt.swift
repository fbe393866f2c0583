internal import BiologinCore

// Not by libsecret, which never ends when a prompt is dismissed.

extension SecretProvider {
    private enum Outcome: Sendable { case completed(dismissed: Bool, result: Variant?), vanished, late }

    /// Unlocks collections or items, by the provider's prompt if it must. Returns when the provider is done, whatever came of
    /// it; throws `locked` when the user has not answered in `limit`, and dismisses the prompt then.
    func unlock(_ paths: [String], within limit: Duration, by deadline: Deadline) async throws(StoreError) {
        let objects = Variant.array(of: "o", paths.map(Variant.objectPath))
        let reply = try await call("Service", "Unlock", .tuple(objects), reply: "(aoo)", at: Self.path, by: deadline)
        guard let prompt = reply[1]?.string, prompt != Self.none else { return }
        _ = try await show(prompt, within: limit)
    }

    /// What came of the prompt, or nil if the user dismissed it.
    func show(_ path: String, within limit: Duration) async throws(StoreError) -> Variant? {
        let prompt = BusObject(destination: owner, path: path, interface: "org.freedesktop.Secret.Prompt")
        let (outcomes, queue) = AsyncStream.makeStream(of: Outcome.self)
        // Before it is shown: it may be answered before the call that shows it returns.
        let completed = connection.onSignal("Completed", of: prompt) { arguments in
            queue.yield(.completed(dismissed: arguments[0]?.bool ?? true, result: arguments[1]?.unboxed))
        }
        let vanished = connection.onOwnerChange(of: owner) { _ in queue.yield(.vanished) }
        let closed = connection.onClose { queue.yield(.vanished) }
        let timer = GLibLoop.shared.timer(after: limit) { queue.yield(.late) }
        defer { withExtendedLifetime((completed, vanished, closed, timer)) {} }

        _ = try await call(
            prompt, "Prompt", .tuple(.string("")), reply: "()", by: Deadline(in: SecretServiceStore.callLimit))
        var iterator = outcomes.makeAsyncIterator()
        switch await iterator.next(isolation: #isolation) {
        case .completed(let dismissed, let result): return dismissed ? nil : result ?? .tuple()
        case .vanished: throw .unavailable
        case .late:
            await dismiss(prompt)
            throw .locked
        case nil:
            await dismiss(prompt)
            throw .cancelled
        }
    }

    /// gnome-keyring's is left to the user: that provider ends, and with it everybody's keyring, when a prompt on the screen
    /// is dismissed.
    private func dismiss(_ prompt: BusObject) async {
        let process = try? await processID(by: Deadline(in: SecretServiceStore.callLimit)).map(ProviderProcess.init)
        guard process?.endsWithDismissedPrompt != true else { return }
        _ = try? await call(prompt, "Dismiss", .tuple(), reply: "()", by: Deadline(in: SecretServiceStore.callLimit))
    }
}
