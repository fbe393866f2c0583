import BiologinVault

/// What changes an account on disk; whoever calls these is the account's one writer.
extension LoginManager {
    /// Runs `body` as the only writer of the account, after those that came before, also in a canceled task: what was
    /// begun is finished.
    func writing<Result: Sendable>(
        _ tag: AccountTag, _ body: (isolated LoginManager) async throws(LoginError) -> Result
    ) async throws(LoginError) -> Result {
        guard let place = writers[tag, default: WaitingLine(limit: .max - 1)].enter() else { throw .busy(holder: nil) }
        defer {
            writers[tag]?.leave(place)
            if writers[tag]?.isEmpty == true { writers[tag] = nil }
        }
        await withCheckedContinuation { turn in
            writers[tag]?.whenInside(place) { turn.resume() }
        }
        return try await body(self)
    }

    /// A failure of the state directory is a fault of ours to callers.
    func onDisk<Result: Sendable>(
        _ body: () async throws(StateError) -> Result
    ) async throws(LoginError) -> Result {
        do { return try await body() } catch { throw .internal(error.description) }
    }

    func save(_ profile: Profile, tag: AccountTag) async throws(LoginError) {
        try await onDisk { () throws(StateError) in try await state.save(profile, tag: tag) }
        accounts[tag].current = profile
    }

    /// Makes sure that the key of an account is never released again. The caller sees to its record.
    func invalidate(_ profile: Profile, change: TemplateChange?, caller: Caller?) async {
        let tag = tag(of: profile.id)
        // In memory at once: no login that runs beside this one may use the key any more.
        guard var current = accounts[tag].current, current.generation == profile.generation, current.state == .enabled
        else { return }
        current.state = .invalidated(change)
        accounts[tag].current = current
        operations.revoke(on: tag, by: .informationModified(change))
        journal.record(JournalEvent(.invalidated, account: tag, caller: caller))
        watchers.tell(.invalidated, current)
        do throws(LoginError) {
            try await writing(tag) { manager throws(LoginError) in
                // A close or another open meanwhile wins.
                guard let now = manager.accounts[tag].current, now.generation == current.generation else { return }
                try await manager.save(now, tag: tag)
            }
        } catch { journal(error, of: "invalidation", tag, caller) }
    }
}
