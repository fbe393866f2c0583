internal import BiologinCore
internal import CGio
internal import CSecret

// What passes secrets, by libsecret, which encrypts them on the way where the provider can.

extension SecretProvider {
    /// The secrets of these items; locked ones are left out.
    func secrets(of items: [String], by deadline: Deadline) async throws(StoreError) -> [String: [UInt8]] {
        guard !items.isEmpty else { return [:] }
        return try await ask(by: deadline) { service, cancellable, done, data in
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
        return try await ask(by: deadline) { service, cancellable, done, data in
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
        try await ask(by: deadline) { service, cancellable, done, data in
            secret_service_delete_item_dbus_path(service, item, cancellable, done, data)
        } finish: { service, result, error in
            let deleted = secret_service_delete_item_dbus_path_finish(service, result, error) != 0
            return error.pointee == nil ? deleted : nil
        }
    }

    private typealias Service = UnsafeMutablePointer<SecretService>

    private func ask<Value: Sendable>(
        by deadline: Deadline,
        _ start:
            @GLibThread (Service, UnsafeMutablePointer<GCancellable>, @escaping GAsyncReadyCallback, gpointer) -> Void,
        finish: @escaping @GLibThread (Service, OpaquePointer, GErrorSlot) -> Value?
    ) async throws(StoreError) -> Value {
        do throws(CallError) {
            let service = try await openedService(by: deadline)
            return try await callGIO(within: deadline.remaining) { cancellable, done, data in
                start(service.pointer, cancellable, done, data)
            } finish: { _, result, error in
                finish(service.pointer, result, error)
            }
        } catch { throw StoreError(error) }
    }

    private func openedService(
        by deadline: Deadline
    ) async throws(CallError) -> GObjectReference<UnsafeMutablePointer<SecretService>> {
        if let service { return service }
        let (bus, owner) = (connection.connection, owner)
        let opened = try await callGIO(within: deadline.remaining) { cancellable, done, data in
            secret_service_new_bound(bus.pointer, owner, cancellable, done, data)
        } finish: { source, result, error in
            g_async_initable_new_finish(OpaquePointer(source), result, error).map { object in
                GObjectReference(taking: UnsafeMutableRawPointer(object).assumingMemoryBound(to: SecretService.self))
            }
        }
        service = opened
        return opened
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
