import CLinux
import Glibc
import Testing

@testable import Varlink

/// A running server of `LabService`, on a loop of its own.
struct Lab {
    let service: LabService
    let server: Server
    private let loop: PollLoop

    private init(_ service: LabService) {
        self.service = service
        loop = PollLoop()
        server = Server(service: service, executor: loop, loop: loop)
    }

    /// Runs `body` with a server, which is stopped afterwards.
    static func run(
        admits: @escaping @Sendable (Peer) -> Bool = { _ in true }, _ body: (Lab) async throws -> Void
    ) async throws {
        let lab = Lab(LabService(admits: admits))
        let result: Result<Void, any Error>
        do { result = .success(try await body(lab)) } catch { result = .failure(error) }
        await lab.server.stop()
        lab.loop.stop()
        try result.get()
    }

    /// A connection whose other end the server serves.
    func connect() async throws -> Wire {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        await server.adopt(ends[1])
        return Wire(ends[0])
    }

    /// Runs `body` with the path of a socket that the server listens on.
    func withSocket(_ body: (String) async throws -> Void) async throws {
        var template = Array("/tmp/varlink-XXXXXX".utf8CString)
        let directory = String(cString: try #require(mkdtemp(&template)))
        let path = directory + "/org.example.lab"
        defer {
            unlink(path)
            rmdir(directory)
        }
        await server.listen(on: try listen(on: path))
        try await body(path)
    }

    private func listen(on path: String) throws -> Int32 {
        var address = try #require(UnixSocket.address(of: path))
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
        try #require(Glibc.listen(descriptor, 4096) == 0)
        return descriptor
    }
}

/// A client's end, byte by byte. It blocks, for at most ten seconds: the server has a thread of its own.
final class Wire: Sendable {
    let descriptor: Int32
    private let received = Locked<[UInt8]>([])

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Glibc.close(descriptor) }

    /// Sends frames, each followed by a NUL.
    func send(_ frames: String...) { send(bytes: frames.flatMap { Array($0.utf8) + [0] }) }

    /// Sends bytes as they are; the server may close before it has them all.
    func send(bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// The next frame, or nil at the end, however it came.
    func receive() -> String? {
        while true {
            let frame: String? = received.withLock { received in
                guard let end = received.firstIndex(of: 0) else { return nil }
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            if let frame { return frame }
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else {
                if count < 0, errno == EAGAIN { Issue.record("nothing came for ten seconds") }
                return nil
            }
            received.withLock { $0 += chunk[..<count] }
        }
    }

    func call(_ frame: String) -> String? {
        send(frame)
        return receive()
    }

    func endOfSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes both directions, which the server sees as a hang-up.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
