internal import BiologinCore

/// What fprintd's errors, and those of the bus on the way to it, say of a reader.
extension Availability {
    init(_ error: CallError) { self = error == .silent ? .silent : Self.known(error) ?? .unavailable }

    fileprivate static func known(_ error: CallError) -> Availability? {
        guard case .failed(let error) = error else { return nil }
        // Without a name: the connection failed, not the call.
        guard let name = error.remoteName else { return .unavailable }
        return switch name {
        case "net.reactivated.Fprint.Error.AlreadyInUse": .busy
        case "net.reactivated.Fprint.Error.NoEnrolledPrints": .notEnrolled
        case "net.reactivated.Fprint.Error.PermissionDenied", "org.freedesktop.DBus.Error.AccessDenied":
            .permissionDenied
        // fprintd takes the object of a device away with the device.
        case "net.reactivated.Fprint.Error.NoSuchDevice", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod":
            .noDevice
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
            "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
            .unavailable
        case _ where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): .unavailable
        default: nil
        }
    }
}

extension VerifierError {
    init(_ error: CallError) {
        switch error {
        case .silent: self = .unavailable(.silent)
        case .cancelled: self = .cancelled
        case .failed(let reason):
            self = Availability.known(error).map { .unavailable($0) } ?? .failed("fprintd: \(reason)")
        }
    }
}
