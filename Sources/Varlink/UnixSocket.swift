internal import CLinux
internal import Glibc

/// Stream sockets of unix(7).
enum UnixSocket {
    /// How long connect(2) may wait for a server that does not accept, in seconds.
    private static let connectTimeout = 5

    /// A descriptor that is connected to the socket at `path`.
    static func connect(to path: String) throws(ClientError) -> Int32 {
        guard var address = address(of: path) else { throw .noServer(ENAMETOOLONG) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .noServer(errno) }
        var timeout = timeval(tv_sec: connectTimeout, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let status = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            let code = errno
            close(descriptor)
            throw .noServer(code)
        }
        return descriptor
    }

    /// Nil if the path, which is ended by a NUL there, is too long or holds one.
    static func address(of path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room, !path.utf8.contains(0) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return address
    }
}
