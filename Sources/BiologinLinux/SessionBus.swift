internal import CGio
internal import Glibc

extension Bus {
    /// Where the session bus is; nothing is started to have one, and perhaps there is none.
    package nonisolated static var sessionAddress: String {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return address }
        let directory = environment("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
        let path = g_dbus_address_escape_value("\(directory)/bus")!
        defer { g_free(path) }
        return "unix:path=\(String(cString: path))"
    }

    private nonisolated static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
