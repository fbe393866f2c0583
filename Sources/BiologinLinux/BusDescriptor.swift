internal import CGio
internal import Glibc

/// A descriptor that is closed with the last reference to it.
final class OwnedDescriptor: Sendable {
    let number: Int32
    init(taking number: Int32) { self.number = number }
    deinit { close(number) }
}

extension BusConnection {
    /// Calls a method that returns one descriptor.
    ///
    /// - Parameters:
    ///   - returned: called in GDBus's callback with the descriptor, before anything that reached the bus later is seen; also
    ///     with one that is too late for the caller.
    func callForDescriptor(
        _ object: BusObject, _ method: String, _ arguments: Variant, within limit: Duration,
        returned: @escaping @GLibThread (OwnedDescriptor) -> Void
    ) async throws(CallError) {
        let connection = connection
        try await callGIO(within: limit) { cancellable, done, data in
            withExtendedLifetime(arguments) {
                withVariantType("(h)") { reply in
                    g_dbus_connection_call_with_unix_fd_list(
                        connection.pointer, object.destination, object.path, object.interface, method,
                        arguments.pointer, reply, G_DBUS_CALL_FLAGS_NO_AUTO_START, Int32.max, nil, cancellable, done,
                        data)
                }
            }
        } finish: { (source, result, error) -> Void? in
            var list: UnsafeMutablePointer<GUnixFDList>?
            let reply = g_dbus_connection_call_with_unix_fd_list_finish(OpaquePointer(source), &list, result, error)
            guard let reply = reply.map(Variant.init(taking:)) else { return nil }
            let descriptors = list.map(GObjectReference.init(taking:))
            guard let descriptors, let index = reply[0]?.handle else {
                g_set_error_literal(
                    error, g_io_error_quark(), Int32(G_IO_ERROR_INVALID_DATA.rawValue), "no descriptor came")
                return nil
            }
            let number = g_unix_fd_list_get(descriptors.pointer, index, error)
            return number < 0 ? nil : returned(OwnedDescriptor(taking: number))
        }
    }
}

extension Variant {
    /// The index of a descriptor among those that came with the message.
    fileprivate var handle: Int32? { type == "h" ? g_variant_get_handle(pointer) : nil }
}
