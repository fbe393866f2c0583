internal import CGio

extension Bus {
    /// Whether `text` is an address of the D-Bus Specification, of a kind that can be connected to.
    package nonisolated static func isAddress(_ text: String) -> Bool {
        g_dbus_is_supported_address(text, nil) != 0
    }
}
