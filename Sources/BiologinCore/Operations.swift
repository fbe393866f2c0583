import BiologinVault

/// The opens and logins that are under way, so that a close, an open that was faster, or the end of the daemon can revoke
/// them: what was verified for a revoked one is worth nothing. It belongs to one actor.
struct Operations {
    struct ID: Hashable { fileprivate let number: Int }

    private struct Operation {
        let account: AccountTag
        let revocation: AsyncStream<Never>.Continuation
        var revokedBy: LoginError?
    }

    private var running: [ID: Operation] = [:]
    private var counter = 0

    /// The stream ends when the operation is revoked.
    mutating func begin(_ account: AccountTag) -> (ID, AsyncStream<Never>) {
        counter += 1
        let id = ID(number: counter), (stream, revocation) = AsyncStream<Never>.makeStream()
        running[id] = Operation(account: account, revocation: revocation)
        return (id, stream)
    }

    mutating func end(_ id: ID) { running[id] = nil }

    /// Revokes every operation on `account`, or every one, other than `spared`.
    mutating func revoke(on account: AccountTag? = nil, by reason: LoginError, except spared: ID? = nil) {
        for (id, operation) in running where id != spared && (account ?? operation.account) == operation.account {
            running[id]?.revokedBy = operation.revokedBy ?? reason
            operation.revocation.finish()
        }
    }

    /// Nil for an operation that may go on.
    func revocation(of id: ID) -> LoginError? { running[id] == nil ? .superseded : running[id]?.revokedBy }
}
