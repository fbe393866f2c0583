import BiologinAPI
import BiologinLinux
import Glibc

/// Where the daemon listens: on a socket named by hand, on the one that systemd hands over, or at the usual place.
enum Socket {
    case activated(Int32)
    case own(ListeningSocket)

    init(_ path: String?) throws(Failure) {
        do throws(DirectoryError) {
            if let path {
                self = .own(try ListeningSocket(path))
            } else if let descriptor = try Self.activated() {
                self = .activated(descriptor)
            } else {
                self = .own(try ListeningSocket(try Self.usualPath()))
            }
        } catch .tooLong(let path) {
            throw .usage("\(path): longer than \(ListeningSocket.pathLimit) bytes")
        } catch { throw .place(error.description) }
    }

    var descriptor: Int32 {
        switch self {
        case .activated(let descriptor): descriptor
        case .own(let socket): socket.descriptor
        }
    }

    /// systemd's socket is systemd's to remove.
    func remove() {
        if case .own(let socket) = self { socket.remove() }
    }

    private static func activated() throws(DirectoryError) -> Int32? {
        do { return try Systemd.takeSocket(named: LoginInterface.name) } catch { throw .refused(error.description) }
    }

    private static func usualPath() throws(DirectoryError) -> String {
        guard let runtime = Invocation.environment("XDG_RUNTIME_DIR") else {
            throw .refused("XDG_RUNTIME_DIR is not set: name a place with --socket")
        }
        return try ListeningSocket.usualPath(runtimeDirectory: runtime)
    }
}
