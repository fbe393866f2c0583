/// What a descriptor is watched for, and what has happened on it.
public struct Readiness: OptionSet, Sendable {
    /// One bit for each.
    public let rawValue: UInt8
    /// A set of those bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bytes, a connection, or the end of what the peer sends.
    public static let read = Readiness(rawValue: 1)
    /// Room to write.
    public static let write = Readiness(rawValue: 2)
    /// The peer has closed, or an error: POLLHUP or POLLERR. It is told without being asked for.
    public static let hangUp = Readiness(rawValue: 4)
}

/// Tells when descriptors are ready: poll(2), or the main loop of a toolkit.
public protocol EventLoop: Sendable {
    /// Calls `ready` on the loop's thread whenever the descriptor is ready for what is asked for, as long as it is
    /// (level-triggered), until the watch is canceled.
    func watch(
        _ descriptor: Int32, _ interest: Readiness, _ ready: @escaping @Sendable (Readiness) -> Void
    ) -> any Watch
}

/// One watched descriptor; used on the loop's thread.
public protocol Watch: Sendable {
    /// Asks for something else from now on.
    func change(_ interest: Readiness)
    /// Ends it: `ready` is not called again, and the descriptor may be closed.
    func cancel()
}
