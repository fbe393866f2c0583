import Foundation

/// A varlink server that answers with what it was given, whatever it is asked; it knows nothing of the module under test.
package final class CannedDaemon: Sendable {
    /// What happens when a call has come.
    package enum Answer: Sendable {
        /// JSON texts, each sent as a frame.
        case replies([String])
        /// Nothing after these: the caller has to leave.
        case silence(after: [String] = [])
        /// The connection is closed after these.
        case departure(after: [String] = [])

        package static func reply(_ text: String) -> Answer { .replies([text]) }
    }

    package enum Event: Equatable, Sendable {
        /// A call, as its JSON text.
        case call(String)
        /// A client has closed its connection, or the daemon has.
        case end
    }

    package let path: String
    /// What has happened, for one reader.
    package let events: AsyncStream<Event>
    private let directory = TemporaryDirectory()
    private let listener: Int32

    /// Gives the answers in turn, one a call, over as many connections as there are, one after the other.
    package init(_ answers: Answer...) {
        path = directory.path + "/socket"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard withUnixAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0 else {
            preconditionFailure("\(path): \(errno)")
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        (events, self.listener) = (stream, listener)
        Thread.detachNewThread {
            var answers = answers[...]
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                serve(connection, &answers) { continuation.yield($0) }
                close(connection)
                continuation.yield(.end)
            }
            close(listener)
            continuation.finish()
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The next call.
    package func nextCall() async -> String? {
        for await case .call(let text) in events { return text }
        return nil
    }

    /// Returns when the connection has ended.
    package func end() async {
        for await event in events where event == .end { return }
    }
}

/// Answers one client until it has gone.
private func serve(
    _ connection: Int32, _ answers: inout ArraySlice<CannedDaemon.Answer>, _ tell: (CannedDaemon.Event) -> Void
) {
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = read(connection, &chunk, chunk.count), count > 0 {
        received += chunk[..<count]
        while let end = received.firstIndex(of: 0) {
            tell(.call(String(decoding: received[..<end], as: UTF8.self)))
            received.removeFirst(end + 1)
            switch answers.popFirst() {
            case .replies(let texts), .silence(let texts): send(texts, to: connection)
            case .departure(let texts): return send(texts, to: connection)
            case nil: return
            }
        }
    }
}

private func send(_ texts: [String], to connection: Int32) {
    var rest = Array(texts.map { $0 + "\0" }.joined().utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
            Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}
