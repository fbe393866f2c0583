import BiologinVault

/// What changes an account on disk; whoever calls these is the account's one writer, and what happens meanwhile in memory
/// is never undone by what is written.
extension LoginManager {
    /// Runs `body` as the only writer of the account, after those that came before, also in a canceled task: what was
    /// begun is finished.
    func writing<Result: Sendable>(
        _ tag: AccountTag, _ body: (isolated LoginManager) async throws(LoginError) -> Result
    ) async throws(LoginError) -> Result {
        let place = writers[tag, default: WaitingLine()].join()
        defer {
            writers[tag]?.leave(place)
            if writers[tag]?.isEmpty == true { writers[tag] = nil }
        }
        await withCheckedContinuation { turn in
            writers[tag]?.whenInside(place) { turn.resume() }
        }
        return try await body(self)
    }

    /// With a failure of the state directory as what callers get.
    func onDisk<Result: Sendable>(
        _ body: () async throws(StateError) -> Result
    ) async throws(LoginError) -> Result {
        do { return try await body() } catch { throw .state(error.description) }
    }

    /// Brings what is on disk of an open account up to what is in memory.
    func saveChanges(of tag: AccountTag) async throws(LoginError) {
        guard unsaved.contains(tag) else { return }
        try await writing(tag) { manager throws(LoginError) in
            while manager.unsaved.contains(tag) {
                guard let profile = manager.accounts[tag].current else {
                    manager.unsaved.remove(tag)
                    return
                }
                try await manager.onDisk { () throws(StateError) in try await manager.state.save(profile, tag: tag) }
                if manager.accounts[tag].current == profile { manager.unsaved.remove(tag) }
            }
        }
    }

    /// Makes sure that the key of an account is never released again: in memory at once, since other logins may run beside
    /// this one, and on disk when this returns. The caller sees to its record.
    func invalidate(_ profile: Profile, change: TemplateChange?, caller: Caller?) async {
        let tag = tag(of: profile.id)
        let isNews = accounts[tag].current?.generation == profile.generation && accounts[tag].current?.state == .enabled
        if isNews {
            accounts[tag].current?.state = .invalidated(change)
            unsaved.insert(tag)
            operations.revokeLogins(on: tag, by: .informationModified(change))
            journal.record(JournalEvent(.invalidated, account: tag, caller: caller))
        }
        let invalidated = accounts[tag].current
        await saveInvalidation(of: tag, caller)
        if isNews { watchers.tell(.invalidated, invalidated) }
    }

    /// One that could not be written is written the next time that somebody asks.
    func saveInvalidation(of tag: AccountTag, _ caller: Caller?) async {
        do throws(LoginError) { try await saveChanges(of: tag) } catch {
            journal(error, of: "invalidation", tag, caller)
        }
    }
}
