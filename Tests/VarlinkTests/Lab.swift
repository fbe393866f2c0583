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
        loop.start()
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
        try await Self.withListener { listener, path in
            await server.listen(on: dup(listener))
            try await body(path)
        }
    }

    /// Runs `body` with a listening socket, and its path.
    static func withListener(
        backlog: Int32 = 4096, _ body: (_ listener: Int32, _ path: String) async throws -> Void
    ) async throws {
        var template = Array("/tmp/varlink-XXXXXX".utf8CString)
        let directory = String(cString: try #require(mkdtemp(&template)))
        let path = directory + "/org.example.lab"
        defer {
            unlink(path)
            rmdir(directory)
        }
        let listener = try listen(on: path, backlog: backlog)
        defer { close(listener) }
        try await body(listener, path)
    }

    private static func listen(on path: String, backlog: Int32) throws -> Int32 {
        var address = try #require(UnixSocket.address(of: path))
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
        try #require(Glibc.listen(descriptor, backlog) == 0)
        return descriptor
    }
}
