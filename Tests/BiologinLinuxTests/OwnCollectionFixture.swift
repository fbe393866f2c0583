import BiologinCore
import BiologinVault
import TestSupport
import Testing

@testable import BiologinLinux

/// A desktop, and a state directory for stores that come one after the other, as daemons do.
struct OwnCollectionFixture {
    static let label = "Biologin (test)"
    static let path = "/org/freedesktop/secrets/collection/Biologin_5f_28test_29"

    let desktop: Desktop
    let folder = Folder()

    var state: String { folder.path + "/state" }
    var passwordFile: String { "state/collection-password" }

    /// - Parameter new: false for a state directory of a daemon that knew of no collection but the default one.
    init(keyring: Desktop.Keyring = .unlocked, new: Bool = true) async throws {
        desktop = try await Desktop(reader: .none, keyring: keyring)
        if !new { _ = try StateDirectory(StateLock(state), vault: vault(create: true)) }
    }

    private func vault(create: Bool) throws -> Vault {
        try Vault.open(directory: state, domain: "test", create: create)
    }

    /// A store as a daemon that starts now has it.
    func store(
        _ wanted: SecretCollection.Kind = .own, journal: (any Journal)? = nil,
        afterStep: @escaping MoveObserver = { (_) throws(StoreError) in }
    ) throws -> SecretServiceStore {
        let lock = try StateLock(state)
        let own = try OwnCollection(
            label: Self.label, startingIn: wanted, lock, vault: vault(create: lock.isNew))
        return SecretServiceStore(
            bus: Bus(address: desktop.sessionBus), domain: "test", collection: SecretCollection(wanted, own: own),
            journal: journal, afterStep: afterStep)
    }

    /// One that is ready.
    func readyStore(_ wanted: SecretCollection.Kind = .own) async throws -> SecretServiceStore {
        let store = try store(wanted)
        try await store.unlock()
        return store
    }

    /// The paths of all collections of our label, and of those made for it.
    @GLibThread func collections() async throws -> [String] {
        let deadline = Deadline(in: .seconds(5))
        let provider = try await SecretProvider.find(on: Bus(address: desktop.sessionBus), by: deadline)
        return try await provider.collections(by: deadline).filter { $0.contains("Biologin") }
    }

    /// How many items of ours a collection has.
    @GLibThread func count(in path: String) async throws -> Int {
        let deadline = Deadline(in: .seconds(5))
        let provider = try await SecretProvider.find(on: Bus(address: desktop.sessionBus), by: deadline)
        return try await provider.items(with: RecordItem.attributes(domain: "test"), in: path, by: deadline).count
    }

    static let login = "/org/freedesktop/secrets/collection/login"
}
