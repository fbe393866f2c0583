internal import BiologinVault
internal import Glibc

/// A Unix socket that this process alone listens on, guarded by a lock beside it (`PATH.lock`): what a crashed instance left
/// is taken over, and the socket of a running one is never taken away.
package final class ListeningSocket: Sendable {
    /// Bytes that a path may have, without its NUL: sun_path of unix(7).
    package static let pathLimit = 107
    private static let backlog: Int32 = 128

    private let path: String
    private let lock: Descriptor
    /// The listening socket; it belongs to whoever asked for it.
    package let descriptor: Int32

    /// Mode 0600. The directory must be there. Throws `inUse`, or `refused` with the reason.
    package init(_ path: String) throws(DirectoryError) {
        guard path.utf8.count <= Self.pathLimit else { throw .tooLong(path) }
        try Self.refuseOthers(path)
        let raw = retrying { open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        guard raw >= 0 else { throw .refused("\(path).lock: \(systemErrorText)") }
        lock = Descriptor(raw)
        guard retrying({ flock(raw, LOCK_EX | LOCK_NB) }) == 0 else {
            throw errno == EWOULDBLOCK ? .inUse(path) : .refused("\(path).lock: \(systemErrorText)")
        }
        try Self.removeStaleSocket(path)
        descriptor = try Self.listen(path)
        self.path = path
    }

    /// The usual place in the user's runtime directory, which must be there; its own directory is made, 0700.
    package static func usualPath(runtimeDirectory: String) throws(DirectoryError) -> String {
        var status = stat()
        guard stat(runtimeDirectory, &status) == 0 else { throw .refused("\(runtimeDirectory): \(systemErrorText)") }
        return try PrivateDirectory(runtimeDirectory + "/biologin").path + "/org.biologin.Login"
    }

    /// Takes the socket away, so that nobody waits for an answer that will not come.
    package func remove() { unlink(path) }

    /// Whatever stands there and is no socket is somebody's.
    private static func refuseOthers(_ path: String) throws(DirectoryError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { return }
        throw .refused("\(path): exists and is no socket")
    }

    private static func removeStaleSocket(_ path: String) throws(DirectoryError) {
        try refuseOthers(path)
        guard unlink(path) == 0 || errno == ENOENT else { throw .refused("\(path): \(systemErrorText)") }
    }

    private static func listen(_ path: String) throws(DirectoryError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .refused("socket: \(systemErrorText)") }
        // The mode at bind(2), since a moment later would be too late.
        let mask = umask(0o177)
        defer { umask(mask) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let reason = systemErrorText
            close(descriptor)
            throw .refused("\(path): \(reason)")
        }
        return descriptor
    }
}
