internal import CGio

/// A message bus, by one connection that is made when it is needed and again after it was closed.
@GLibThread package final class Bus {
    /// Where the real system bus is. `DBUS_SYSTEM_BUS_ADDRESS` is not looked at: whoever sets it could bring a reader
    /// that says yes.
    package nonisolated static let systemAddress = "unix:path=/run/dbus/system_bus_socket"

    nonisolated let address: String
    private var current: BusConnection?

    package nonisolated init(address: String = Bus.systemAddress) { self.address = address }

    func connection(
        within limit: Duration, whenCancelled: WhenCancelled = .carryOn
    ) async throws(CallError) -> BusConnection {
        if let current, !current.isClosed { return current }
        let made = try await BusConnection.open(address, within: limit, whenCancelled: whenCancelled)
        // Whoever was faster meanwhile wins; the other connection closes itself.
        if let current, !current.isClosed { return current }
        current = made
        return made
    }
}

extension BusConnection {
    /// The unique name of the client that owns `name`, or nil. Nothing is started for it.
    func owner(
        of name: String, within limit: Duration, whenCancelled: WhenCancelled = .carryOn
    ) async throws(CallError) -> String? {
        do {
            return try await call(
                .bus, "GetNameOwner", .tuple(.string(name)), reply: "(s)", within: limit, whenCancelled: whenCancelled
            )[0]?.string
        } catch  where error.isRemote("org.freedesktop.DBus.Error.NameHasNoOwner") {
            return nil
        }
    }

    /// Starts the service that the bus knows for `name`, unless it runs.
    func start(
        _ name: String, within limit: Duration, whenCancelled: WhenCancelled = .carryOn
    ) async throws(CallError) {
        _ = try await call(
            .bus, "StartServiceByName", .tuple(.string(name), .uint32(0)), reply: "(u)", within: limit,
            whenCancelled: whenCancelled)
    }

    /// Calls `handler` with the new owner, or nil, each time `name` gets another.
    func onOwnerChange(
        of name: String, _ handler: @escaping @GLibThread @Sendable (String?) -> Void
    ) -> BusSubscription {
        onSignal("NameOwnerChanged", of: .bus, argument0: name) { arguments in
            let owner = arguments[2]?.string ?? ""
            handler(owner.isEmpty ? nil : owner)
        }
    }
}
