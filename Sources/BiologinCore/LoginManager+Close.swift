import BiologinVault

extension LoginManager {
    /// Erases the key and all that is kept of the account. A record that the store will not give up now (locked, gone) is
    /// worthless from here on, and removed as soon as the store can be asked. Throws `notOpen` or `state`.
    package func close(_ selector: AccountSelector, caller: Caller) async throws(LoginError) {
        let tag: AccountTag
        if case .account(let id) = selector {
            tag = self.tag(of: id)
        } else {
            tag = self.tag(of: try profile(of: selector).id)
        }
        do throws(LoginError) { try await erase(tag, generation: nil, caller) } catch {
            journal(error, of: "close", tag, caller)
            throw error
        }
    }

    /// - Parameter generation: the one that is meant; nil: whichever there is.
    func erase(_ tag: AccountTag, generation: UInt64?, _ caller: Caller) async throws(LoginError) {
        try await writing(tag) { manager throws(LoginError) in
            let profile = manager.accounts[tag].current
            guard (generation ?? profile?.generation) == profile?.generation else { return }
            guard profile != nil || manager.damaged.contains(tag) else { throw .notOpen }
            try await manager.onDisk { () throws(StateError) in try await manager.state.bury(tag: tag) }
            manager.accounts[tag] = SavedAccount(tag: tag, buried: true)
            manager.damaged.remove(tag)
            if generation == nil {
                manager.operations.revoke(on: tag, by: .superseded)
            } else {
                manager.operations.revokeLogins(on: tag, by: .superseded)
            }
            manager.journal.record(JournalEvent(.closed, account: tag, caller: caller))
            if let profile { manager.watchers.tell(.closed, profile) }
            await manager.removeRecords(of: tag, except: nil)
        }
    }
}
