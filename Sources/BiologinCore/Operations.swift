import BiologinVault

/// The opens and logins that are under way, so that a close, an open that was faster, a lock, sleep, or the end of the daemon
/// can revoke them: what was verified for a revoked one is worth nothing. It belongs to one actor.
struct Operations {
    struct ID: Hashable { fileprivate let number: Int }

    private struct Operation {
        let account: AccountTag
        let isLogin: Bool
        let revocation: AsyncStream<Never>.Continuation
        var revokedBy: LoginError?
    }

    private var running: [ID: Operation] = [:]
    private var counter = 0
    /// Why no operation may go on any more.
    private var closedBy: LoginError?
    private var whenIdle: [@Sendable () -> Void] = []

    /// The stream ends when the operation is revoked.
    mutating func begin(_ account: AccountTag, isLogin: Bool) -> (ID, AsyncStream<Never>) {
        counter += 1
        let id = ID(number: counter), (stream, revocation) = AsyncStream<Never>.makeStream()
        running[id] = Operation(account: account, isLogin: isLogin, revocation: revocation, revokedBy: closedBy)
        if closedBy != nil { revocation.finish() }
        return (id, stream)
    }

    mutating func end(_ id: ID) {
        running[id] = nil
        guard running.isEmpty else { return }
        for call in whenIdle { call() }
        whenIdle = []
    }

    /// Calls `call` once, as soon as no operation runs: now, or in the course of an `end`.
    mutating func whenIdle(_ call: @escaping @Sendable () -> Void) {
        if running.isEmpty { call() } else { whenIdle.append(call) }
    }

    /// Revokes every operation on `account` other than `spared`.
    mutating func revoke(on account: AccountTag, by reason: LoginError, except spared: ID? = nil) {
        revoke(by: reason) { id, operation in operation.account == account && id != spared }
    }

    /// An open goes on: it is what brings the account back.
    mutating func revokeLogins(on account: AccountTag, by reason: LoginError) {
        revoke(by: reason) { _, operation in operation.account == account && operation.isLogin }
    }

    mutating func revokeAll(by reason: LoginError) { revoke(by: reason) { _, _ in true } }

    /// Revokes every operation, also those that begin later.
    mutating func close(by reason: LoginError) {
        closedBy = reason
        revokeAll(by: reason)
    }

    private mutating func revoke(by reason: LoginError, where isMeant: (ID, Operation) -> Bool) {
        for (id, operation) in running where isMeant(id, operation) {
            running[id]?.revokedBy = operation.revokedBy ?? reason
            operation.revocation.finish()
        }
    }

    /// Nil for an operation that may go on.
    func revocation(of id: ID) -> LoginError? { running[id] == nil ? .superseded : running[id]?.revokedBy }
}
