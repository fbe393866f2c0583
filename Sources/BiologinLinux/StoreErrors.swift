internal import BiologinCore
internal import CGio

extension StoreError {
    /// What a call to the provider that failed means for the store.
    init(_ error: CallError) {
        switch error {
        case .silent: self = .silent
        case .cancelled: self = .cancelled
        case .failed(let error):
            switch error.remoteName {
            case "org.freedesktop.Secret.Error.IsLocked": self = .locked
            case "org.gnome.keyring.Error.Denied": self = .passwordRefused
            // The provider went away before the call or in it.
            case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
                "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
                self = .unavailable
            case nil where error.isLostConnection: self = .unavailable
            default: self = .failed(error.description)
            }
        }
    }
}

extension GLibError {
    fileprivate var isLostConnection: Bool {
        let lost = [G_IO_ERROR_CLOSED, G_IO_ERROR_CONNECTION_CLOSED].map { Int32($0.rawValue) }
        return domain == String(cString: g_quark_to_string(g_io_error_quark())) && lost.contains(code)
    }
}
