import BiologinVault

extension LoginManager {
    /// Erases the key and all that is kept of the account. A record that the store will not give up now (locked, gone) is
    /// worthless from here on, and removed as soon as the store can be asked. Throws `notOpen` or `internal`.
    package func close(_ selector: AccountSelector, caller: Caller) async throws(LoginError) {
        let meant = try profile(of: selector), tag = tag(of: meant.id)
        try await writing(tag) { manager throws(LoginError) in
            guard let profile = manager.accounts[tag].current else { throw .notOpen }
            try await manager.onDisk { () throws(StateError) in try await manager.state.bury(tag: tag) }
            manager.accounts[tag] = SavedAccount(tag: tag, buried: true)
            manager.operations.revoke(on: tag, by: .superseded)
            manager.journal.record(JournalEvent(.closed, account: tag, caller: caller))
            manager.watchers.tell(.closed, profile)
            await manager.removeRecords(of: tag, except: nil)
        }
    }
}
