import Glibc

/// The socket to listen on: systemd's, or one made by hand.
struct Socket {
    private static let backlog: Int32 = 128
    /// The first descriptor that sd_listen_fds(3) speaks of.
    private static let firstPassed: Int32 = 3

    let descriptor: Int32
    let isActivated: Bool

    init(_ path: String?) throws(Failure) {
        isActivated = path == nil
        descriptor = if let path { try Self.listen(on: path) } else { try Self.passed() }
    }

    /// The protocol of sd_listen_fds(3), which is two variables: a service of root's need not link libsystemd, and all
    /// that it brings, for them.
    private static func passed() throws(Failure) -> Int32 {
        guard number("LISTEN_PID") == getpid(), number("LISTEN_FDS") == 1 else {
            throw .usage("systemd has handed over no socket, or several: name a place with --socket")
        }
        guard option(SO_DOMAIN) == AF_UNIX, option(SO_TYPE) == Int32(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN) == 1
        else {
            throw .usage("what systemd has handed over is no listening Unix stream socket")
        }
        _ = fcntl(firstPassed, F_SETFD, FD_CLOEXEC)
        return firstPassed
    }

    private static func number(_ variable: String) -> Int32? { getenv(variable).flatMap { Int32(String(cString: $0)) } }

    private static func option(_ name: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(firstPassed, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// Open to everybody, as systemd's is. The socket of an instance that is gone is taken over.
    private static func listen(on path: String) throws(Failure) -> Int32 {
        guard var address = address(of: path) else { throw .usage("--socket: too long for a socket") }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .place(failed: path) }
        if call(connect, descriptor, &address) { throw .place("\(path): another instance listens there") }
        // Only then nobody listens any more; what is no socket is refused so as well, but is somebody's.
        if errno == ECONNREFUSED, isSocket(path) { unlink(path) }
        guard call(bind, descriptor, &address), chmod(path, 0o666) == 0, Glibc.listen(descriptor, backlog) == 0 else {
            throw .place(failed: path)
        }
        return descriptor
    }

    private static func address(of path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return address
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
        _ address: inout sockaddr_un
    ) -> Bool {
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
