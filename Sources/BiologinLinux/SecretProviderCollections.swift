internal import BiologinCore
internal import BiologinVault

// Collections of a provider, those with a password of ours among them: gnome-keyring's interface for what draws its own
// prompts, which oo7 has too.

extension SecretProvider {
    private static let passwordInterface = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"

    /// Whether collections can be made and unlocked here without a prompt.
    func canHaveOwnCollection(by deadline: Deadline) async throws(StoreError) -> Bool {
        if let takesPasswords { return takesPasswords }
        let object = BusObject(
            destination: owner, path: Self.path, interface: "org.freedesktop.DBus.Introspectable")
        let text: String
        do throws(StoreError) {
            text = try await call(object, "Introspect", .tuple(), reply: "(s)", by: deadline)[0]?.string ?? ""
        } catch {
            // Whoever cannot describe himself has no such interface. Whoever does not answer may have it.
            guard case .failed = error else { throw error }
            text = ""
        }
        let answer = text.contains("\"\(Self.passwordInterface)\"")
        takesPasswords = answer
        return answer
    }

    /// The object paths of all collections.
    func collections(by deadline: Deadline) async throws(StoreError) -> [String] {
        try await property("Collections", of: "Service", at: Self.path, by: deadline)?.strings ?? []
    }

    func label(of collection: String, by deadline: Deadline) async throws(StoreError) -> String {
        try await property("Label", of: "Collection", at: collection, by: deadline)?.string ?? ""
    }

    /// The object path of a new collection: another one is made even if there is one of that label.
    func createCollection(
        _ label: String, password: borrowing SecretBytes, by deadline: Deadline
    ) async throws(StoreError) -> String {
        let properties = Variant.dictionary(["org.freedesktop.Secret.Collection.Label": .string(label)])
        let secret = try await encoded(password, by: deadline)
        let reply = try await call(
            passwordObject, "CreateWithMasterPassword", .tuple(properties, secret), reply: "(o)", by: deadline)
        guard let path = reply[0]?.string, path != Self.none else { throw .failed("no collection was made") }
        return path
    }

    /// Throws `passwordRefused`. Of a collection that is unlocked any password is taken.
    func unlock(
        _ collection: String, password: borrowing SecretBytes, by deadline: Deadline
    ) async throws(StoreError) {
        let secret = try await encoded(password, by: deadline)
        _ = try await call(
            passwordObject, "UnlockWithMasterPassword", .tuple(.objectPath(collection), secret), reply: "()",
            by: deadline)
    }

    private var passwordObject: BusObject {
        BusObject(destination: owner, path: Self.path, interface: Self.passwordInterface)
    }
}
