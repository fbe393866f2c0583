internal import CLinux
internal import Glibc

/// Stream sockets of unix(7).
enum UnixSocket {
    /// A descriptor that is connected to the socket at `path`. connect(2) waits for a server that does not accept, but not
    /// for longer than `limit`.
    static func connect(to path: String, within limit: Duration) throws(ClientError) -> Int32 {
        guard var address = address(of: path) else { throw .noServer(ENAMETOOLONG) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .noServer(errno) }
        let (seconds, attoseconds) = limit.components
        // All zero would be no limit.
        var timeout = timeval(tv_sec: Int(seconds), tv_usec: max(1, Int(attoseconds / 1_000_000_000_000)))
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

    /// The same, without blocking the caller's thread: poll(2) does not tell when a server that is behind with accepting
    /// can be connected to.
    static func connected(to path: String, within limit: Duration) async throws(ClientError) -> Int32 {
        let result = await withCheckedContinuation { continuation in
            Thread.run {
                continuation.resume(
                    returning: Result { () throws(ClientError) in try connect(to: path, within: limit) })
            }
        }
        return try result.get()
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

extension Peer {
    /// The process at the other end of a connected socket; nil, with errno, if the kernel does not tell.
    init?(of descriptor: Int32) {
        var credentials = linux_ucred()
        guard unsafe linux_peer_credentials(descriptor, &credentials) == 0 else { return nil }
        self.init(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
    }
}
