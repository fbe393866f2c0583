public import BiologinAPI
internal import Varlink

/// What a login gives.
public struct BiometricLogin: Sendable {
    /// What proves to the application's server who logs in.
    public enum Proof: Sendable {
        /// The key that was handed over when the account was opened.
        case loginKey(LoginKey)
        /// The login server's answer, a JSON object.
        case session(LoginKey)
    }

    /// Who was logged in.
    public let userInfo: UserInfo
    /// The key or the session.
    public let proof: Proof

    /// The key; nil where a login server answered with a session.
    public var loginKey: LoginKey? {
        guard case .loginKey(let key) = proof else { return nil }
        return key
    }

    /// Nil unless it is a last reply.
    init?(_ reply: LoggingIn) {
        switch (reply.userInfo, reply.loginKey, reply.session) {
        case (let user?, let key?, nil): (userInfo, proof) = (user, .loginKey(LoginKey(key)))
        case (let user?, nil, let session?): (userInfo, proof) = (user, .session(LoginKey(session)))
        default: return nil
        }
    }

    /// The reply on the wire, with the secret or without it.
    package func reply(withSecret: Bool) -> LoggingIn {
        switch proof {
        case _ where !withSecret: LoggingIn(userInfo: userInfo)
        case .loginKey(let key): LoggingIn(userInfo: userInfo, loginKey: key.bytes)
        case .session(let session): LoggingIn(userInfo: userInfo, session: session.bytes)
        }
    }
}

/// A secret that is overwritten when its last owner lets go of it, and lent, never given.
public struct LoginKey: Sendable, CustomStringConvertible {
    let bytes: WipedBytes

    init(_ bytes: WipedBytes) { self.bytes = bytes }

    /// Copies the bytes; whoever has the original wipes it.
    public init(copying bytes: RawSpan) { self.bytes = WipedBytes(copying: bytes) }

    /// Bytes.
    public var count: Int { bytes.count }

    /// Lends the bytes for the time of the call.
    public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R { try bytes.withBytes(body) }

    /// Says nothing of the secret.
    public var description: String { bytes.description }
}
