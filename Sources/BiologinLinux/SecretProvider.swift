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
    /// Opens a session with the provider when the first secret is passed.
    private let service: GObjectReference<UnsafeMutablePointer<SecretService>>

    /// Finds the provider that runs, which may be the known one, or has the bus start one. Throws `unavailable` or `silent`.
    static func find(
        on bus: Bus, known: SecretProvider?, by deadline: Deadline
    ) async throws(StoreError) -> SecretProvider {
        do throws(CallError) {
            let connection = try await bus.connection(within: deadline.remaining)
            var owner = try await connection.owner(of: name, within: deadline.remaining)
            if owner == nil {
                try await connection.start(name, within: deadline.remaining)
                owner = try await connection.owner(of: name, within: deadline.remaining)
            }
            if let known, known.connection === connection, known.owner == owner { return known }
            if let owner { return try await SecretProvider.open(owner, on: connection, by: deadline) }
        } catch {
            if case .failed = error { throw .unavailable }
            throw StoreError(error)
        }
        throw .unavailable
    }

    private static func open(
        _ owner: String, on connection: BusConnection, by deadline: Deadline
    ) async throws(CallError) -> SecretProvider {
        let bus = connection.connection
        let service = try await callGIO(within: deadline.remaining) { cancellable, done, data in
            secret_service_new_bound(bus.pointer, owner, cancellable, done, data)
        } finish: { source, result, error in
            g_async_initable_new_finish(OpaquePointer(source), result, error).map { object in
                GObjectReference(taking: UnsafeMutableRawPointer(object).assumingMemoryBound(to: SecretService.self))
            }
        }
        return SecretProvider(connection, owner, service)
    }

    private init(
        _ connection: BusConnection, _ owner: String, _ service: GObjectReference<UnsafeMutablePointer<SecretService>>
    ) {
        (self.connection, self.owner, self.service) = (connection, owner, service)
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

// MARK: What passes secrets, by libsecret

extension SecretProvider {
    /// The secrets of these items; locked ones are left out.
    func secrets(of items: [String], by deadline: Deadline) async throws(StoreError) -> [String: [UInt8]] {
        guard !items.isEmpty else { return [:] }
        return try await ask(within: deadline.remaining) { service, cancellable, done, data in
            withStrings(items) { secret_service_get_secrets_for_dbus_paths(service, $0, cancellable, done, data) }
        } finish: { service, result, error in
            guard let table = secret_service_get_secrets_for_dbus_paths_finish(service, result, error) else {
                return nil
            }
            defer { g_hash_table_unref(table) }
            var secrets: [String: [UInt8]] = [:]
            for item in items {
                if let value = g_hash_table_lookup(table, item) { secrets[item] = bytes(of: OpaquePointer(value)) }
            }
            return secrets
        }
    }

    /// The object path of a new item, which never takes the place of another.
    func create(
        _ secret: [UInt8], attributes: [String: String], in collection: String, by deadline: Deadline
    ) async throws(StoreError) -> String {
        let value = secret.withUnsafeBytes { bytes in
            secret_value_new(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count), RecordItem.contentType)!
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        let properties = g_hash_table_new_full(
            g_str_hash, g_str_equal, g_free, { g_variant_unref(OpaquePointer($0)) })!
        defer { g_hash_table_unref(properties) }
        for (name, property) in ["Label": Variant.string(RecordItem.label), "Attributes": .attributes(attributes)] {
            g_hash_table_insert(
                properties, g_strdup("org.freedesktop.Secret.Item.\(name)"),
                UnsafeMutableRawPointer(g_variant_ref(property.pointer)))
        }
        return try await ask(within: deadline.remaining) { service, cancellable, done, data in
            secret_service_create_item_dbus_path(
                service, collection, properties, value, SECRET_ITEM_CREATE_NONE, cancellable, done, data)
        } finish: { service, result, error in
            guard let path = secret_service_create_item_dbus_path_finish(service, result, error) else { return nil }
            defer { g_free(path) }
            return String(cString: path)
        }
    }

    /// False if the user was asked, and refused.
    func delete(_ item: String, by deadline: Deadline) async throws(StoreError) -> Bool {
        try await ask(within: deadline.remaining) { service, cancellable, done, data in
            secret_service_delete_item_dbus_path(service, item, cancellable, done, data)
        } finish: { service, result, error in
            let deleted = secret_service_delete_item_dbus_path_finish(service, result, error) != 0
            return error.pointee == nil ? deleted : nil
        }
    }

    private typealias Service = UnsafeMutablePointer<SecretService>

    private func ask<Value: Sendable>(
        within limit: Duration, whenCancelled: WhenCancelled = .carryOn,
        _ start:
            @GLibThread (Service, UnsafeMutablePointer<GCancellable>, @escaping GAsyncReadyCallback, gpointer) -> Void,
        finish: @escaping @GLibThread (Service, OpaquePointer, GErrorSlot) -> Value?
    ) async throws(StoreError) -> Value {
        let service = service
        do {
            return try await callGIO(within: limit) { cancellable, done, data in
                start(service.pointer, cancellable, done, data)
            } finish: { _, result, error in
                finish(service.pointer, result, error)
            }
        } catch { throw StoreError(error) }
    }
}

extension Variant {
    /// `a{ss}`.
    fileprivate static func attributes(_ attributes: [String: String]) -> Variant {
        array(
            of: "{ss}",
            attributes.map { entry in
                let (key, value) = (Variant.string(entry.key), Variant.string(entry.value))
                return Variant(sinking: g_variant_new_dict_entry(key.pointer, value.pointer))
            })
    }
}

private func bytes(of value: OpaquePointer) -> [UInt8] {
    var count: gsize = 0
    let start = secret_value_get(value, &count)
    return Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
}

/// Lends an array of strings that ends with NULL.
private func withStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = strings.map { g_strdup($0) }
    defer { for copy in copies { g_free(copy) } }
    var pointers = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
