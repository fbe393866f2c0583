package import BiologinVault

/// Opens biometric login, logs in with it and closes it again: the one place where it is decided whether a key is released.
///
/// Between any two `await`s other calls run. So every step looks again at what it relies on: an account is what `accounts`
/// says now, and an operation may have been revoked.
package actor LoginManager {
    package static let waitingLimit = 16

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private nonisolated let executor: any SerialExecutor

    let vault: Vault
    package nonisolated let verifier: any BiometricVerifier
    let contents: (any TemplateContents)?
    let seat: (any Seat)?
    let records: any RecordStore
    let state: any StateStore
    let clock: any Clock
    let journal: any Journal
    /// How long one scan waits for a touch.
    let touchLimit: Duration

    var accounts: Accounts
    /// Accounts whose profile cannot be read: nothing of theirs is touched until they are closed or opened anew.
    var damaged: Set<AccountTag>
    /// Files of the state directory that could not be read. While there is one nobody is verified, since it may say that
    /// nobody may be.
    let unreadable: [String]
    var attempts: Attempts
    /// As on disk: nobody is verified while it is another than `attempts`.
    var savedAttempts: Attempts
    var prompts = UnansweredPrompts()
    /// Accounts that are newer in memory than on disk.
    var unsaved: Set<AccountTag> = []
    /// Accounts of which the store may keep more than it should.
    var untidy: Set<AccountTag> = []
    var storeIdentity: StoreIdentity?
    var verifications = WaitingLine()
    /// Who writes an account, one at a time.
    var writers: [AccountTag: WaitingLine] = [:]
    var operations = Operations()
    var watchers = Watchers()
    let chores = Chores()
    var isShutDown = false

    /// - Parameters:
    ///   - executor: what every call of the manager runs on.
    ///   - seat: nil: nothing is known of it.
    ///   - touchLimit: how long one scan waits for a touch.
    package init(
        executor: any SerialExecutor, vault: Vault, verifier: any BiometricVerifier,
        contents: (any TemplateContents)? = nil, seat: (any Seat)? = nil, records: any RecordStore,
        state: any StateStore, saved: SavedState, clock: any Clock, journal: any Journal,
        touchLimit: Duration = .seconds(30)
    ) {
        self.executor = executor
        (self.vault, self.verifier, self.records, self.state) = (vault, verifier, records, state)
        (self.contents, self.seat) = (contents, seat)
        (self.clock, self.journal, self.touchLimit) = (clock, journal, touchLimit)
        accounts = Accounts(saved.accounts)
        damaged = Set(saved.damaged.keys)
        unreadable = saved.unreadable.keys.sorted()
        (attempts, savedAttempts) = (saved.attempts, saved.attempts)
        storeIdentity = saved.store
        for (tag, reason) in saved.damaged {
            journal.record(JournalEvent(.failed, account: tag, caller: nil, detail: reason))
        }
        for reason in saved.unreadable.values {
            journal.record(JournalEvent(.failed, account: nil, caller: nil, detail: reason))
        }
        do throws(VaultError) { try vault.checkDeviceKey() } catch {
            journal.record(JournalEvent(.failed, account: nil, caller: nil, detail: "\(LoginError(error))"))
        }
    }

    /// The open account that is meant. Throws `notOpen`, or `keyDamaged` where its profile cannot be read.
    func profile(of selector: AccountSelector) throws(LoginError) -> Profile {
        let found =
            switch selector {
            case .account(let id): accounts[try undamaged(tag(of: id))].current
            case .lastOf(let application): accounts.last(of: application)
            case .last: accounts.last(of: nil)
            }
        guard let found else { throw .notOpen }
        return found
    }

    private func undamaged(_ tag: AccountTag) throws(LoginError) -> AccountTag {
        guard !damaged.contains(tag) else { throw .keyDamaged(.damaged) }
        return tag
    }

    /// Records why an operation failed, unless it was given up or there was no account for it.
    func journal(_ error: LoginError, of operation: String, _ tag: AccountTag, _ caller: Caller?) {
        if error == .cancelled || error == .notOpen { return }
        journal.record(JournalEvent(.failed, account: tag, caller: caller, detail: "\(operation): \(error)"))
    }

    func tag(of id: AccountID) -> AccountTag { vault.tag(application: id.application, uid: id.uid) }

    /// Throws why the operation may not go on: revoked, or canceled.
    func check(_ operation: Operations.ID) throws(LoginError) {
        if let reason = operations.revocation(of: operation) { throw reason }
        // Heard already, and soon a revocation.
        if seatState != .usable { throw .systemCancel }
        if Task.isCancelled { throw .cancelled }
    }

    /// Ends every operation with `systemCancel`, now and from now on, and every chore after the one that runs.
    package func shutDown() {
        isShutDown = true
        operations.close(by: .systemCancel)
        chores.queue.finish()
        watchers.finish()
    }
}
