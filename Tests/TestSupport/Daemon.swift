import Foundation

/// The built biologind on a private desktop.
package final class Daemon: Sendable {
    package let socket: String
    package let program: Program
    /// Lasts as long as the daemon does.
    private let desktop: Desktop

    /// Returns once its socket accepts. A daemon started later on the same desktop finds the state of the one before.
    ///
    /// - Parameter disk: what the daemon sees at its place.
    package init(
        on desktop: Desktop, options: [String] = [], environment: [String: String] = [:], disk: SmallDisk? = nil
    ) async throws {
        self.desktop = desktop
        socket = desktop.directory + "/run/biologind"
        let readiness = Readiness(in: desktop.directory)
        let command = (disk?.entering ?? []) + [BuiltProgram.path("biologind")]
        program = try Program(
            command[0],
            command.dropFirst() + [
                "--socket", socket, "--state", desktop.directory + "/state", "--system-bus", desktop.systemBus,
            ] + options,
            environment: desktop.environment
                .merging(["NOTIFY_SOCKET": readiness.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
                .merging(environment) { $1 })
        guard await readiness.reached(by: program) else {
            throw Desktop.Failure(description: "biologind: \(await program.ending().errors)")
        }
    }

    /// SIGTERM, and what it left.
    package func stop() async -> Program.Ending {
        program.signal(SIGTERM)
        return await program.ending()
    }

    package func kill() async {
        program.signal(SIGKILL)
        _ = await program.ending()
    }
}

/// The socket that a service tells of its readiness, see sd_notify(3).
private final class Readiness: Sendable {
    let path: String
    private let descriptor: Int32

    init(in directory: String) {
        path = "\(directory)/ready-\(UUID().uuidString.prefix(8))"
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let status = withUnixAddress(path) { bind(descriptor, $0, $1) }
        precondition(status == 0, "\(path): \(errno)")
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// False if the program ends before it is ready.
    func reached(by program: Program) async -> Bool {
        program.whenEnded { [self] in shutdown(descriptor, Int32(SHUT_RD)) }
        return await onThread { [self] in receive() }
    }

    private func receive() -> Bool {
        var message = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &message, message.count, 0), count > 0 {
            if String(decoding: message[..<count], as: UTF8.self).split(separator: "\n").contains("READY=1") {
                return true
            }
        }
        return false
    }
}
