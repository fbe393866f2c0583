internal import BiologinCore
internal import CGio
internal import CSecret

/// The Secret Service as one process provides it. It is asked by its unique name on the bus, so that what one provider said
/// is never mixed up with what the next one says.
@GLibThread final class SecretProvider {
    static let name = "org.freedesktop.secrets"
    static let path = "/org/freedesktop/secrets"
    /// What stands for no object.
    static let none = "/"

    let connection: BusConnection
    let owner: String
    /// libsecret's, with a session, once a secret was passed.
    var service: GObjectReference<UnsafeMutablePointer<SecretService>>?
    /// Nil until it was asked whether it makes and unlocks collections without a prompt.
    var takesPasswords: Bool?

    /// Finds the provider that runs, which may be the known one, or has the bus start one. Throws `unavailable` or `silent`.
    static func find(
        on bus: Bus, known: SecretProvider? = nil, by deadline: Deadline
    ) async throws(StoreError) -> SecretProvider {
        do throws(CallError) {
            let connection = try await bus.connection(within: deadline.remaining)
            var owner = try await connection.owner(of: name, within: deadline.remaining)
            if owner == nil {
                try await connection.start(name, within: deadline.remaining)
                owner = try await connection.owner(of: name, within: deadline.remaining)
            }
            if let known, known.connection === connection, known.owner == owner { return known }
            if let owner { return SecretProvider(owner, on: connection) }
        } catch {
            if case .failed = error { throw .unavailable }
            throw StoreError(error)
        }
        throw .unavailable
    }

    private init(_ owner: String, on connection: BusConnection) {
        (self.connection, self.owner) = (connection, owner)
    }

    /// The object path of a collection, or nil.
    func collection(alias: String, by deadline: Deadline) async throws(StoreError) -> String? {
        let path = try await call(
            "Service", "ReadAlias", .tuple(.string(alias)), reply: "(o)", at: Self.path, by: deadline)[0]?.string
        return path == Self.none ? nil : path
    }

    /// The items of a collection that have these attributes, locked or not.
    func items(
        with attributes: [String: String], in collection: String, by deadline: Deadline
    ) async throws(StoreError) -> [String] {
        let found = try await call(
            "Collection", "SearchItems", .tuple(.attributes(attributes)), reply: "(ao)", at: collection, by: deadline)
        return found[0]?.strings ?? []
    }

    func property(
        _ name: String, of interface: String, at path: String, by deadline: Deadline
    ) async throws(StoreError) -> Variant? {
        let arguments = Variant.tuple(.string("org.freedesktop.Secret.\(interface)"), .string(name))
        let object = BusObject(destination: owner, path: path, interface: "org.freedesktop.DBus.Properties")
        return try await call(object, "Get", arguments, reply: "(v)", by: deadline)[0]?.unboxed
    }

    /// Those items that are locked, in all collections.
    func lockedItems(
        with attributes: [String: String], by deadline: Deadline
    ) async throws(StoreError) -> [String] {
        let object = BusObject(destination: owner, path: Self.path, interface: "org.freedesktop.Secret.Service")
        let found = try await call(
            object, "SearchItems", .tuple(.attributes(attributes)), reply: "(aoao)", by: deadline)
        return found[1]?.strings ?? []
    }

    /// The process that is the provider.
    func processID(by deadline: Deadline) async throws(StoreError) -> UInt32? {
        try await call(
            .bus, "GetConnectionUnixProcessID", .tuple(.string(owner)), reply: "(u)", by: deadline)[0]?.uint32
    }

    func call(
        _ interface: String, _ method: String, _ arguments: Variant, reply: String, at path: String,
        by deadline: Deadline
    ) async throws(StoreError) -> Variant {
        let object = BusObject(destination: owner, path: path, interface: "org.freedesktop.Secret.\(interface)")
        return try await call(object, method, arguments, reply: reply, by: deadline)
    }

    func call(
        _ object: BusObject, _ method: String, _ arguments: Variant, reply: String, by deadline: Deadline
    ) async throws(StoreError) -> Variant {
        do {
            return try await connection.call(object, method, arguments, reply: reply, within: deadline.remaining)
        } catch { throw StoreError(error) }
    }
}

extension Variant {
    /// `a{ss}`.
    static func attributes(_ attributes: [String: String]) -> Variant {
        array(of: "{ss}", attributes.map { entry(.string($0.key), .string($0.value)) })
    }
}
