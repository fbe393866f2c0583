internal import CGio

/// One connection to a message bus; closed by `close`, by the bus, or when the last reference to it goes.
@GLibThread final class BusConnection {
    nonisolated let connection: GObjectReference<OpaquePointer>

    private init(_ connection: GObjectReference<OpaquePointer>) { self.connection = connection }

    static func open(
        _ address: String, within limit: Duration, whenCancelled: WhenCancelled = .carryOn
    ) async throws(CallError) -> BusConnection {
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        let connection = try await callGIO(within: limit, whenCancelled: whenCancelled) { cancellable, done, data in
            g_dbus_connection_new_for_address(address, flags, nil, cancellable, done, data)
        } finish: { _, result, error in
            g_dbus_connection_new_for_address_finish(result, error).map(GObjectReference.init(taking:))
        }
        return BusConnection(connection)
    }

    deinit { g_dbus_connection_close(connection.pointer, nil, nil, nil) }

    var isClosed: Bool { g_dbus_connection_is_closed(connection.pointer) != 0 }

    /// The bus tells everybody at once that this client is gone.
    func close() { g_dbus_connection_close(connection.pointer, nil, nil, nil) }

    /// Calls a method; throws `failed` if the reply is not of the type `reply`, such as "(as)".
    ///
    /// - Parameters:
    ///   - returned: called in GDBus's callback if the call succeeds, before anything that reached the bus later is seen;
    ///     also for a reply that is too late for the caller.
    func call(
        _ object: BusObject, _ method: String, _ arguments: Variant? = nil, reply: String, activate: Bool = true,
        within limit: Duration, whenCancelled: WhenCancelled = .carryOn, returned: (@GLibThread () -> Void)? = nil
    ) async throws(CallError) -> Variant {
        let connection = connection
        let flags = activate ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
        return try await callGIO(within: limit, whenCancelled: whenCancelled) { cancellable, done, data in
            withExtendedLifetime(arguments) {
                withVariantType(reply) { reply in
                    g_dbus_connection_call(
                        connection.pointer, object.destination, object.path, object.interface, method,
                        arguments?.pointer, reply, flags, Int32.max, cancellable, done, data)
                }
            }
        } finish: { source, result, error in
            guard let reply = g_dbus_connection_call_finish(OpaquePointer(source), result, error) else { return nil }
            returned?()
            return Variant(taking: reply)
        }
    }

    /// Calls `handler` for each such signal, in the order of their arrival, until the subscription goes.
    ///
    /// - Parameter sender: a unique name: the signals of nobody else are delivered then, whatever they say.
    func onSignal(
        _ member: String, of object: BusObject, argument0: String? = nil,
        _ handler: @escaping @GLibThread @Sendable (Variant) -> Void
    ) -> BusSubscription {
        onSignalWithPath(member, of: object, argument0: argument0) { _, arguments in handler(arguments) }
    }

    /// The same, with the path of the object that sent it.
    func onSignalWithPath(
        _ member: String, of object: BusObject, argument0: String? = nil,
        _ handler: @escaping @GLibThread @Sendable (String, Variant) -> Void
    ) -> BusSubscription {
        let identifier = g_dbus_connection_signal_subscribe(
            connection.pointer, object.destination, object.interface, member, object.path, argument0,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, path, _, _, arguments, data in
                let handler = Unmanaged<SignalHandler>.fromOpaque(data!).takeUnretainedValue()
                let (path, arguments) = (String(cString: path!), Variant(referencing: arguments!))
                GLibThread.assumeIsolated { handler.call(path, arguments) }
            }, Unmanaged.passRetained(SignalHandler(handler)).toOpaque(), releaseHandler)
        return BusSubscription(connection, .signal(identifier))
    }

    /// Calls `handler` once if the bus goes away, or `close` is called, before the subscription goes.
    func onClose(_ handler: @escaping @GLibThread @Sendable () -> Void) -> BusSubscription {
        let closed: @convention(c) (OpaquePointer, gboolean, UnsafeMutableRawPointer?, gpointer) -> Void = {
            _, _, _, data in
            let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
            GLibThread.assumeIsolated { handler.call("", .bool(true)) }
        }
        let identifier = g_signal_connect_data(
            UnsafeMutableRawPointer(connection.pointer), "closed", unsafeBitCast(closed, to: GCallback.self),
            Unmanaged.passRetained(SignalHandler { _, _ in handler() }).toOpaque(), releaseClosureHandler,
            GConnectFlags(0)
        )
        return BusSubscription(connection, .close(identifier))
    }
}

/// What is called, or what speaks: an interface of an object of a client of the bus.
struct BusObject: Sendable {
    /// nil: any client.
    let destination: String?
    let path: String?
    let interface: String

    static let bus = BusObject(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
}

/// Ends when the last reference to it goes.
// Unchecked: constant; it ends on the GLib thread.
final class BusSubscription: @unchecked Sendable {
    fileprivate enum Handler { case signal(guint), close(gulong) }

    private let connection: GObjectReference<OpaquePointer>
    private let handler: Handler

    fileprivate init(_ connection: GObjectReference<OpaquePointer>, _ handler: Handler) {
        (self.connection, self.handler) = (connection, handler)
    }

    deinit {
        switch handler {
        case .signal(let identifier): g_dbus_connection_signal_unsubscribe(connection.pointer, identifier)
        case .close(let identifier):
            g_signal_handler_disconnect(UnsafeMutableRawPointer(connection.pointer), identifier)
        }
    }
}

private final class SignalHandler: Sendable {
    let call: @GLibThread @Sendable (String, Variant) -> Void
    init(_ call: @escaping @GLibThread @Sendable (String, Variant) -> Void) { self.call = call }
}

// Functions of their own: GLib lets go of a handler on any of its threads, and a closure within the actor would trap there.
private func releaseHandler(_ data: gpointer?) { Unmanaged<SignalHandler>.fromOpaque(data!).release() }
private func releaseClosureHandler(_ data: gpointer?, _: UnsafeMutablePointer<GClosure>?) { releaseHandler(data) }
