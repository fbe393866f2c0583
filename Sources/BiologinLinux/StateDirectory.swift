package import BiologinCore
package import BiologinVault

/// The state in files, all of them sealed by the vault:
///
///     accounts/<tag>   one account: current and pending profile, and whether it is buried
///     generation       the counter
///     attempts         failed attempts and lock-out
///     store            which store holds the records
///     enrollments      how many enrollments were heard
///     collection       where in it they are, see `OwnCollection`
///     lock             held by the process that uses the directory
///
/// A call changes one file, and a file is replaced as a whole. So whoever is killed in a call leaves the state before it or
/// the state after it. What is damaged is reported and stays as it is; only `bury` takes its place, since it is to erase.
///
/// File I/O blocks: this actor stays on the default pool.
package actor StateDirectory: StateStore {
    private let accounts: SealedFiles
    private let others: SealedFiles
    /// Not used, but held as long as the files are.
    private let lock: StateLock
    /// The largest generation of any profile there was when the first one was taken.
    private var largestSaved: UInt64?
    /// Files that could not be read: they are not overwritten.
    private var unreadable: [StateFile: StateError] = [:]

    /// Removes what a killed process left half-written.
    package init(_ lock: StateLock, vault: Vault) throws(DirectoryError) {
        try self.init(lock, vault: vault) { (_) throws(StateError) in }
    }

    /// Tells `afterStep` of each change on the disk.
    init(_ lock: StateLock, vault: Vault, afterStep: @escaping FileObserver) throws(DirectoryError) {
        self.lock = lock
        do throws(StateError) {
            accounts = SealedFiles(files: try PrivateFiles(in: lock.accounts, afterStep: afterStep), vault: vault)
            others = SealedFiles(files: try PrivateFiles(in: lock.directory, afterStep: afterStep), vault: vault)
            // At the first start alone: a counter that is lost later is not begun anew.
            if lock.isNew { try others.write(StateCoding.bytes(ofGeneration: 0), to: .generation) }
        } catch {
            throw .refused(error.description)
        }
    }

    package func load() throws(StateError) -> SavedState {
        var state = SavedState()
        state.attempts = readable(.attempts, StateCoding.attempts) ?? Attempts()
        state.store = readable(.store, StateCoding.identity)
        state.enrollments = readable(.enrollments, StateCoding.enrollments) ?? [:]
        // Looked at only: those who use them read them.
        _ = readable(.collection, StateCoding.memory)
        if readable(.generation, StateCoding.generation) == nil, unreadable[.generation] == nil {
            unreadable[.generation] = StateError("\(lock.path)/generation: missing")
        }
        for (file, error) in unreadable { state.unreadable[file.rawValue] = error.description }
        (state.accounts, state.damaged) = try allAccounts()
        return state
    }

    /// Nil also for a file that cannot be read; then it is noted.
    private func readable<Value>(
        _ file: StateFile, _ decode: ([UInt8]) throws(VaultError) -> Value
    ) -> Value? {
        do throws(StateError) { return try others.read(file, decode) } catch {
            unreadable[file] = error
            return nil
        }
    }

    private func write(_ bytes: [UInt8], to file: StateFile) throws(StateError) {
        if let error = unreadable[file] { throw error }
        try others.write(bytes, to: file)
    }

    package func save(_ attempts: Attempts) throws(StateError) {
        try write(StateCoding.bytes(of: attempts), to: .attempts)
    }

    package func checkWritable() throws(StateError) { try others.files.checkWritable(StateFile.attempts.rawValue) }

    package func save(_ identity: StoreIdentity) throws(StateError) {
        try write(StateCoding.bytes(of: identity), to: .store)
    }

    package func save(enrollments: [String: UInt64]) throws(StateError) {
        try write(StateCoding.bytes(ofEnrollments: enrollments), to: .enrollments)
    }

    package func takeGeneration() throws(StateError) -> UInt64 {
        guard let last = try others.read(.generation, StateCoding.generation) else {
            throw StateError("\(lock.path)/generation: missing; put it back, or remove the whole directory")
        }
        // A counter put back from an older backup must not give out a number again.
        let (next, overflow) = max(last, try largestGeneration()).addingReportingOverflow(1)
        guard !overflow else { throw StateError("\(lock.path)/generation: no number is left") }
        try write(StateCoding.bytes(ofGeneration: next), to: .generation)
        return next
    }

    private func largestGeneration() throws(StateError) -> UInt64 {
        if let largestSaved { return largestSaved }
        let profiles = try allAccounts().readable.flatMap { [$0.current, $0.pending] }
        let largest = profiles.compactMap { $0?.generation }.max() ?? 0
        largestSaved = largest
        return largest
    }
}

// MARK: Accounts

extension StateDirectory {
    package func save(_ profile: Profile, tag: AccountTag) throws(StateError) {
        var account = try account(tag) ?? SavedAccount(tag: tag)
        // Whoever still holds an earlier profile must not bring back an account that was closed or opened anew.
        guard account.current?.generation == profile.generation else {
            throw StateError("\(tag): generation \(profile.generation) is not the current one")
        }
        account.current = profile
        try write(account)
    }

    package func savePending(_ profile: Profile, tag: AccountTag) throws(StateError) {
        var account = try account(tag) ?? SavedAccount(tag: tag)
        account.pending = profile
        try write(account)
    }

    package func promotePending(tag: AccountTag) throws(StateError) {
        guard let pending = try account(tag)?.pending else { throw StateError("\(tag): no pending profile") }
        try write(SavedAccount(tag: tag, current: pending))
    }

    package func discardPending(tag: AccountTag) throws(StateError) {
        guard var account = try account(tag), account.pending != nil else { return }
        account.pending = nil
        try write(account)
    }

    package func bury(tag: AccountTag) throws(StateError) { try write(SavedAccount(tag: tag, buried: true)) }

    package func forget(tag: AccountTag) throws(StateError) {
        guard var account = try account(tag), account.buried else { return }
        account.buried = false
        try write(account)
    }

    private func allAccounts() throws(StateError) -> (readable: [SavedAccount], damaged: [AccountTag: String]) {
        var (readable, damaged): ([SavedAccount], [AccountTag: String]) = ([], [:])
        for tag in try accounts.files.names().compactMap(AccountTag.init) {
            do throws(StateError) {
                if let account = try account(tag) { readable.append(account) }
            } catch {
                damaged[tag] = error.description
            }
        }
        return (readable, damaged)
    }

    private func account(_ tag: AccountTag) throws(StateError) -> SavedAccount? {
        try accounts.read(tag.description, tag: tag) { (bytes) throws(VaultError) in
            try StateCoding.account(in: bytes, tag: tag)
        }
    }

    /// An account of which nothing is left has no file.
    private func write(_ account: SavedAccount) throws(StateError) {
        let name = account.tag.description
        if account == SavedAccount(tag: account.tag) { return try accounts.files.remove(name) }
        try accounts.write(StateCoding.bytes(of: account), to: name, tag: account.tag)
    }
}
