internal import BiologinCore
internal import BiologinVault
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

    /// The object path of a new item, which never takes the place of another. Throws `locked` when the user does not
    /// answer the provider's prompt in `limit`, or dismisses it.
    func create(
        _ secret: [UInt8], attributes: [String: String], in collection: String, within limit: Duration,
        by deadline: Deadline
    ) async throws(StoreError) -> String {
        let properties = Variant.dictionary([
            "org.freedesktop.Secret.Item.Label": .string(RecordItem.label),
            "org.freedesktop.Secret.Item.Attributes": .attributes(attributes),
        ])
        let reply = try await call(
            "Collection", "CreateItem", .tuple(properties, try await encoded(secret, by: deadline), .bool(false)),
            reply: "(oo)", at: collection, by: deadline)
        if let item = reply[0]?.string, item != Self.none { return item }
        guard let prompt = reply[1]?.string, prompt != Self.none else { throw .failed("no item was made") }
        guard let result = try await show(prompt, within: limit) else { throw .locked }
        guard let item = result.string, item != Self.none else { throw .failed("no item was made") }
        return item
    }

    /// False if the user was asked, and refused.
    func delete(_ item: String, within limit: Duration, by deadline: Deadline) async throws(StoreError) -> Bool {
        let reply = try await call("Item", "Delete", .tuple(), reply: "(o)", at: item, by: deadline)
        guard let prompt = reply[0]?.string, prompt != Self.none else { return true }
        return try await show(prompt, within: limit) != nil
    }

    /// A secret as it is passed, for this provider and session.
    func encoded(_ secret: borrowing SecretBytes, by deadline: Deadline) async throws(StoreError) -> Variant {
        let service = try await openedSession(by: deadline)
        return secret.withBytes { encode($0, service) }
    }

    private func encoded(_ secret: [UInt8], by deadline: Deadline) async throws(StoreError) -> Variant {
        encode(secret.span.bytes, try await openedSession(by: deadline))
    }

    private func encode(_ bytes: RawSpan, _ service: GObjectReference<Service>) -> Variant {
        // libsecret's copy is in memory that it locks and wipes.
        let value = bytes.withUnsafeBytes { bytes in
            secret_value_new(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count), RecordItem.contentType)!
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        return Variant(taking: g_variant_take_ref(secret_service_encode_dbus_secret(service.pointer, value)))
    }

    private func openedSession(by deadline: Deadline) async throws(StoreError) -> GObjectReference<Service> {
        _ = try await ask(by: deadline) { service, cancellable, done, data in
            secret_service_ensure_session(service, cancellable, done, data)
        } finish: { service, result, error in
            secret_service_ensure_session_finish(service, result, error) != 0 ? true : nil
        }
        guard let service else { throw .unavailable }
        return service
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
