import CGio
import Glibc

@testable import BiologinLinux

/// A message bus with nobody on it, which ends with this object or this process.
@GLibThread final class PrivateBus {
    let address: String
    private let daemon: GObjectReference<OpaquePointer>

    init() async throws {
        var error: UnsafeMutablePointer<GError>?
        var words: [UnsafePointer<CChar>?] = [
            "setpriv", "--pdeathsig=KILL", "dbus-daemon", "--session", "--nofork", "--print-address",
        ].map { (word: String) in UnsafePointer(strdup(word)) }
        defer { for word in words { free(UnsafeMutablePointer(mutating: word)) } }
        words.append(nil)
        guard let daemon = g_subprocess_newv(&words, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error) else {
            throw GLibError(taking: error!)
        }
        self.daemon = GObjectReference(taking: daemon)
        let output = GObjectReference(taking: g_data_input_stream_new(g_subprocess_get_stdout_pipe(daemon))!)
        address = try await callGIO(within: .seconds(5)) { cancellable, done, data in
            g_data_input_stream_read_line_async(output.pointer, G_PRIORITY_DEFAULT, cancellable, done, data)
        } finish: { _, result, error in
            guard let line = g_data_input_stream_read_line_finish(output.pointer, result, nil, error) else {
                return nil
            }
            defer { g_free(line) }
            return String(cString: line)
        }
    }

    func connect() async throws -> BusConnection { try await BusConnection.open(address, within: .seconds(5)) }

    deinit { g_subprocess_force_exit(daemon.pointer) }
}

extension BusConnection {
    /// Sends a signal, to everybody unless `destination` says to whom alone; it is on the bus when this returns.
    func emit(_ member: String, of object: BusObject, to destination: String? = nil, _ arguments: Variant) async throws
    {
        var error: UnsafeMutablePointer<GError>?
        guard
            g_dbus_connection_emit_signal(
                connection.pointer, destination, object.path, object.interface, member, arguments.pointer, &error) != 0
        else { throw GLibError(taking: error!) }
        // The bus takes what a client sends in order.
        _ = try await owner(of: "org.freedesktop.DBus", within: .seconds(5))
    }
}
