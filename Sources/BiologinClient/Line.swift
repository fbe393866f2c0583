internal import Synchronization

/// The connection of one attempt, which can be closed from anywhere, also before it is there.
final class Line: Sendable {
    private enum State {
        case unused
        case open(Connection)
        case closed
    }

    private let socket: String?
    private let state = Mutex(State.unused)

    init(to socket: String?) { self.socket = socket }

    var isClosed: Bool {
        state.withLock { state in
            if case .closed = state { true } else { false }
        }
    }

    /// Connects; throws `canceled` if it was closed meanwhile.
    func open() async throws(BiometricLoginError) -> Connection {
        let connection = try await Connection(to: socket)
        let isWanted = state.withLock { state in
            guard case .unused = state else { return false }
            state = .open(connection)
            return true
        }
        guard isWanted else {
            connection.close()
            throw .canceled
        }
        return connection
    }

    func close() {
        state.withLock { state in
            if case .open(let connection) = state { connection.close() }
            state = .closed
        }
    }
}
