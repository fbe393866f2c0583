internal import Synchronization

/// One call that a server has received, to be answered once, and from the server's executor alone.
///
/// Of a connection's calls the next begins when the handler of the one before has returned. What is sent to a client that
/// is gone, or that called `oneway`, goes nowhere.
public final class ServerCall: Sendable {
    /// The full name, such as `org.example.ping.Ping`.
    public let method: String
    /// Whether the client takes replies before the last one.
    public let more: Bool
    /// Whether the client takes no reply at all.
    public let oneway: Bool
    /// Who calls.
    public let peer: Peer

    private let frame: WipedBytes
    private let parameters: Range<Int>?
    private let server: Server
    private let connection: Server.ConnectionID
    private let ended = Atomic(false)

    init(_ frame: CallFrame, from peer: Peer, on connection: Server.ConnectionID, of server: Server) {
        (method, more, oneway) = (frame.method, frame.more, frame.oneway)
        (self.frame, parameters) = (frame.bytes, frame.parameters)
        (self.peer, self.connection, self.server) = (peer, connection, server)
    }

    /// Whether the last reply, or an error, was given.
    var isAnswered: Bool { ended.load(ordering: .acquiring) }

    /// Reads the parameters; missing ones, and null, are an empty object.
    public func withParameters<R>(
        _ read: (inout JSONReader) throws(ParameterError) -> R
    ) throws(ParameterError) -> R { try frame.readObject(at: parameters, read) }

    /// A reply that another one follows; sent only to a client that asked for more. `write` writes an object.
    public func progress(_ write: (inout JSONWriter) -> Void) {
        guard more, !isAnswered else { return }
        send(Message.reply(continues: true, write))
    }

    /// The last reply, which ends the call. `write` writes an object, or nothing for an empty one.
    public func reply(_ write: (inout JSONWriter) -> Void = { _ in }) {
        guard end() else { return }
        send(Message.reply(write))
    }

    /// An error, which ends the call. `write` writes an object, or nothing for an empty one.
    public func fail(_ error: String, _ write: (inout JSONWriter) -> Void = { _ in }) {
        guard end() else { return }
        send(Message.error(error, write))
    }

    /// The standard error for a parameter that is missing, unknown, or cannot be taken.
    public func invalidParameter(_ name: String) {
        fail("org.varlink.service.InvalidParameter") { writer in
            writer.object { writer in
                writer.name("parameter")
                writer.string(name)
            }
        }
    }

    /// The standard error for a method that the interface has and the service does not.
    public func methodNotImplemented() {
        fail("org.varlink.service.MethodNotImplemented") { writer in
            writer.object { writer in
                writer.name("method")
                writer.string(method)
            }
        }
    }

    /// The standard error for a method that must be called with `more`.
    public func expectedMore() { fail("org.varlink.service.ExpectedMore") }

    /// True for the first who ends the call; there must be no second.
    private func end() -> Bool {
        let first = !ended.exchange(true, ordering: .acquiringAndReleasing)
        assert(first, "\(method) was answered twice")
        return first
    }

    private func send(_ message: WipedBytes) {
        if !oneway { server.send(message, on: connection) }
    }
}
