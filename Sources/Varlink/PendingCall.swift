/// A call that was sent, and its replies until somebody takes them.
///
/// Letting go of it before the last reply has come closes the connection: a server knows no other way to be told.
final class PendingCall: Sendable {
    private enum State {
        case open
        /// The last reply has come, or the error was thrown.
        case over
        case failed(ClientError)
    }

    private struct Replies {
        var state = State.open
        var kept: [Reply] = []
        var waiting: CheckedContinuation<Void, Never>?
        var isOpen: Bool { if case .open = state { true } else { false } }
    }

    let takesMore: Bool
    private let connection: ClientConnection
    private let replies = Locked(Replies())

    init(of connection: ClientConnection, takesMore: Bool) {
        (self.connection, self.takesMore) = (connection, takesMore)
    }

    deinit {
        if replies.withLock(\.isOpen) { connection.close() }
    }

    /// A reply has come.
    func take(_ reply: Reply) {
        wake { replies in
            if let error = reply.error {
                replies.state = .failed(.error(name: error, parameters: reply))
            } else {
                replies.kept.append(reply)
                if !reply.continues { replies.state = .over }
            }
        }
    }

    /// No more replies will come.
    func fail(_ error: ClientError) {
        wake { replies in
            if replies.isOpen { replies.state = .failed(error) }
        }
    }

    /// The next reply, or nil after the last.
    func next() async throws(ClientError) -> Reply? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = replies.withLock { replies in
                    guard replies.isOpen, replies.kept.isEmpty else { return true }
                    precondition(replies.waiting == nil, "two tasks wait for the same replies")
                    replies.waiting = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            connection.close()
        }
        return try replies.withLock { replies -> Result<Reply?, ClientError> in
            if !replies.kept.isEmpty { return .success(replies.kept.removeFirst()) }
            guard case .failed(let error) = replies.state else { return .success(nil) }
            replies.state = .over
            return .failure(error)
        }.get()
    }

    private func wake(_ change: (inout Replies) -> Void) {
        let waiting = replies.withLock { replies in
            change(&replies)
            defer { replies.waiting = nil }
            return replies.waiting
        }
        waiting?.resume()
    }
}
