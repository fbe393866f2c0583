/// An interface, as its service implements it.
public struct Interface: Sendable {
    /// Reverse-DNS, such as `org.example.ping`.
    public let name: String
    /// The interface definition, which GetInterfaceDescription gives out word for word.
    public let description: String
    /// The names of its methods, without the interface's.
    public let methods: Set<String>

    /// The three as they are; nothing checks that the description says the same as the methods.
    public init(name: String, description: String, methods: Set<String>) {
        (self.name, self.description, self.methods) = (name, description, methods)
    }
}

/// What GetInfo says of a service.
public struct Identity: Sendable {
    /// Who makes it.
    public let vendor: String
    /// What it is.
    public let product: String
    /// Which version of it runs.
    public let version: String
    /// Where to read about it.
    public let url: String

    /// The four as they are.
    public init(vendor: String, product: String, version: String, url: String) {
        (self.vendor, self.product, self.version, self.url) = (vendor, product, version, url)
    }
}

/// The process at the other end of a connection, as the kernel knew it when that connected or listened (SO_PEERCRED of
/// unix(7)).
public struct Peer: Hashable, Sendable {
    /// Its process id; another process may have it by now.
    public let pid: Int32
    /// Its effective user.
    public let uid: UInt32
    /// Its effective group.
    public let gid: UInt32

    /// A peer made up, for tests.
    public init(pid: Int32, uid: UInt32, gid: UInt32) { (self.pid, self.uid, self.gid) = (pid, uid, gid) }
}

/// What a server serves.
public protocol Service: Sendable {
    /// What GetInfo says.
    var identity: Identity { get }

    /// What can be called, beside `org.varlink.service`, which the server answers itself.
    var interfaces: [Interface] { get }

    /// Whether the peer may connect; if not it is disconnected before a byte is read.
    func admit(_ peer: Peer) -> Bool

    /// Answers a call of a method that is in `interfaces`, on the server's executor, with exactly one reply or error
    /// before it returns. The task is canceled when nobody waits for the answer any more.
    func handle(_ call: ServerCall) async
}
