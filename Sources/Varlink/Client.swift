internal import Glibc

/// A connection to a varlink service. Several tasks may call at the same time; the server answers one after the other.
public final class Client: Sendable {
    private let connection: ClientConnection

    /// Who listens there, as the kernel knew it when the listening began: of a socket that systemd hands over, systemd.
    public let peer: Peer

    private init(_ connection: ClientConnection, _ peer: Peer) { (self.connection, self.peer) = (connection, peer) }

    /// Connects to the Unix socket at `path`, which takes as long as `limit` where the server is behind with accepting. A
    /// reply of more than `replyLimit` bytes ends the connection.
    public static func connect(
        to path: String, replyLimit: Int = 16 << 20, within limit: Duration = .seconds(5)
    ) async throws(ClientError) -> Client {
        let descriptor = try await UnixSocket.connected(to: path, within: limit)
        return try await connected(descriptor, replyLimit: replyLimit)
    }

    /// Takes over a socket that is connected.
    static func connected(_ descriptor: Int32, replyLimit: Int) async throws(ClientError) -> Client {
        guard let peer = Peer(of: descriptor) else {
            let code = errno
            Glibc.close(descriptor)
            throw .noServer(code)
        }
        let connection = ClientConnection(descriptor, replyLimit: replyLimit)
        await connection.start()
        return Client(connection, peer)
    }

    /// Calls a method by its full name and waits for the reply; `parameters` writes an object, or nothing for an empty
    /// one. Canceling the task closes the connection, which the server takes for a cancellation.
    public func call(
        _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }
    ) async throws(ClientError) -> Reply {
        let replies = begin(method, .single, parameters)
        guard let reply = try await replies.next() else { throw .connectionLost }
        return reply
    }

    /// Calls a method that gives several replies. The call is sent now, its replies are kept until they are asked for.
    public func callMore(_ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }) -> Replies {
        Replies(begin(method, .more, parameters))
    }

    /// Sends a call that is not answered, not even with an error.
    public func callOneway(_ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }) {
        connection.send(Message.call(method, .oneway, parameters), for: nil)
    }

    /// Closes the connection: calls that wait throw `connectionLost`.
    public func close() { connection.close() }

    private func begin(
        _ method: String, _ kind: Message.Kind, _ parameters: (inout JSONWriter) -> Void
    ) -> PendingCall {
        let call = PendingCall(of: connection, takesMore: kind == .more)
        connection.send(Message.call(method, kind, parameters), for: call)
        return call
    }
}

/// The replies to one call, in order: those that say `continues`, and the last. Letting go of them before the last one
/// closes the connection, so that the server stops as well.
public struct Replies: AsyncSequence, Sendable {
    private let call: PendingCall

    init(_ call: PendingCall) { self.call = call }

    /// Hands the replies out; there is one for all who iterate.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let call: PendingCall

        /// The next reply, or nil after the last. Throws the server's error, or that the connection was lost.
        public mutating func next() async throws(ClientError) -> Reply? { try await call.next() }

        /// The same, for `for await`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Reply? {
            try await call.next()
        }
    }

    /// Starts, or goes on, where the last iterator ended.
    public func makeAsyncIterator() -> Iterator { Iterator(call: call) }
}
