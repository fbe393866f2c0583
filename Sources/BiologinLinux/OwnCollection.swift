package import BiologinCore
package import BiologinVault

/// Which collection of the Secret Service is to hold the records.
package struct SecretCollection: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// One of this program's own, unlocked with a password that is kept in the state directory.
        case own
        /// The one that the provider calls "default", most often the login keyring; unlocked by the provider's prompt.
        case `default`
    }

    package let wanted: Kind
    /// Nil: no collection was ever made, and none is.
    let own: OwnCollection?

    /// Where the provider can have no collection of its own kind, the default one is taken whatever is wanted. What lies in
    /// the collection that is not wanted is moved.
    package init(_ wanted: Kind, own: OwnCollection) { (self.wanted, self.own) = (wanted, own) }

    private init() { (wanted, own) = (.default, nil) }

    package static let `default` = SecretCollection()
}

/// What the state directory keeps of the collection that is this program's own: its password, and in which collection the
/// records are.
///
/// File I/O blocks: this actor stays on the default pool.
package actor OwnCollection {
    struct Memory: Equatable, Sendable {
        /// The object path that the provider gave it; empty before it was made.
        var path = ""
        /// Where all records are; nil: they may be in both places.
        var allIn: SecretCollection.Kind?
    }

    /// What it is called where people see it, and by what it is found if its path was not written down.
    nonisolated let label: String
    private let files: SealedFiles
    private let password: CollectionPassword
    private var state: Result<Memory, StateError>

    /// - Parameter kind: where the records of a new state directory are from the start.
    ///
    /// What is damaged stays as it is, and every call of the store says so.
    package init(
        label: String, startingIn kind: SecretCollection.Kind, _ lock: StateLock, vault: Vault
    ) throws(StateError) {
        self.label = label
        files = SealedFiles(files: try PrivateFiles(in: lock.directory), vault: vault)
        password = CollectionPassword(directory: lock.path)
        let files = files
        state = Result { () throws(StateError) in
            try files.read(.collection, StateCoding.memory) ?? Memory(allIn: lock.isNew ? kind : nil)
        }
        if lock.isNew, let memory = try? state.get() {
            try files.write(StateCoding.bytes(of: memory), to: .collection)
        }
    }

    var memory: Memory {
        get throws(StoreError) {
            do { return try state.get() } catch { throw .failed(error.description) }
        }
    }

    /// From here on there may be records in a collection of this kind.
    func willWrite(to kind: SecretCollection.Kind) throws(StoreError) {
        guard let allIn = try memory.allIn, allIn != kind else { return }
        try remember { $0.allIn = nil }
    }

    func remember(allIn kind: SecretCollection.Kind) throws(StoreError) { try remember { $0.allIn = kind } }
    func remember(path: String) throws(StoreError) { try remember { $0.path = path } }

    private func remember(_ change: (inout Memory) -> Void) throws(StoreError) {
        let known = try memory
        var memory = known
        change(&memory)
        guard memory != known else { return }
        do { try files.write(StateCoding.bytes(of: memory), to: .collection) } catch {
            throw .failed(error.description)
        }
        state = .success(memory)
    }

    /// Throws `passwordLost`.
    func existingPassword() throws(StoreError) -> SecretBytes {
        do { return try password.read() } catch {
            guard case .collectionPasswordUnavailable(let reason) = error else { throw .failed("\(error)") }
            throw .passwordLost(reason)
        }
    }

    /// The password of a collection that is to be made, on disk when this returns. Throws `passwordLost` where there is one
    /// that cannot be read.
    func newPassword() throws(StoreError) -> SecretBytes {
        do { try password.makeIfMissing() } catch { throw .failed("\(error)") }
        return try existingPassword()
    }
}
