internal import CLinux
internal import Glibc

/// Serves varlink on listening sockets and connections, all on one executor.
///
/// The calls of a connection are answered in the order they came in; those of different connections at the same time.
/// Once it listens, or has a connection, it is kept alive until it is stopped.
public actor Server {
    /// The longest call that is taken, in bytes; a longer one ends its connection.
    public static let frameLimit = 1 << 20
    /// How many connections there are at most; the next is closed at once.
    public static let connectionLimit = 4096
    /// The same for connections from one process.
    public static let connectionLimitPerProcess = 1024
    /// The same for connections of one user, where the service does not say otherwise.
    public static let connectionLimitPerUser = connectionLimit
    /// How much may wait for a client that does not read when another reply is written; it is disconnected then.
    static let unsentLimit = 4 << 20
    /// With so much unsent the next call waits, and with so much waiting to be run nothing more is read.
    static let unsentBeforeNextCall = 64 << 10
    static let unreadLimit = 64 << 10
    /// How many connections one readiness event accepts.
    private static let acceptsAtOnce = 16

    typealias ConnectionID = Int

    private struct Listener {
        let descriptor: Int32
        let watch: any Watch
    }

    let service: any Service
    let identity: Identity
    let interfaces: [Interface]
    let methods: Set<String>
    let executor: any SerialExecutor
    private let loop: any EventLoop
    private var listeners: [Listener] = []
    /// Given up for a moment to accept, and close, a connection when there are no descriptors left; -1 while it could not
    /// be had again.
    private var spare: Int32
    /// Whether nothing is accepted until a connection has gone and left its descriptor.
    private var isFull = false
    var connections: [ConnectionID: ServerConnection] = [:]
    private var connectionsOfProcess: [Int32: Int] = [:]
    private var connectionsOfUser: [UInt32: Int] = [:]
    private let limitPerUser: Int
    private var nextID: ConnectionID = 0
    var isStopping = false
    private var stopped: [CheckedContinuation<Void, Never>] = []

    /// A server whose handlers run on `executor`, which must be that of the loop's thread. One that serves several users
    /// gives each of them `limitPerUser` connections at most, lest one keeps the others out.
    public init(
        service: any Service, executor: any SerialExecutor, loop: any EventLoop,
        limitPerUser: Int = connectionLimitPerUser
    ) {
        (self.service, self.executor, self.loop) = (service, executor, loop)
        self.limitPerUser = limitPerUser
        identity = service.identity
        let own = Interface(
            name: ServiceInterface.name, description: ServiceInterface.description, methods: ServiceInterface.methods)
        interfaces = [own] + service.interfaces
        methods = Set(interfaces.flatMap { interface in interface.methods.map { "\(interface.name).\($0)" } })
        spare = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    deinit { close(spare) }

    /// The executor it was given.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Accepts connections from a listening socket, which it takes over, until it is stopped.
    public func listen(on descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let watch = loop.watch(descriptor, .read) { _ in
            self.assumeIsolated { $0.accept(from: descriptor) }
        }
        listeners.append(Listener(descriptor: descriptor, watch: watch))
    }

    /// How many connections there are.
    public var connectionCount: Int { connections.count }

    /// How many there have been, those included.
    public var connectionsSoFar: Int { nextID }

    /// Serves a connected socket, which it takes over.
    public func adopt(_ descriptor: Int32) {
        guard !isStopping, let peer = Peer(of: descriptor), connections.count < Self.connectionLimit,
            connectionsOfProcess[peer.pid, default: 0] < Self.connectionLimitPerProcess,
            connectionsOfUser[peer.uid, default: 0] < limitPerUser, service.admit(peer)
        else {
            close(descriptor)
            return
        }
        let id = nextID
        nextID += 1
        connections[id] = ServerConnection(descriptor, from: peer)
        connectionsOfProcess[peer.pid, default: 0] += 1
        connectionsOfUser[peer.uid, default: 0] += 1
        connections[id]!.watch = loop.watch(descriptor, .read) { readiness in
            self.assumeIsolated { $0.connection(id, isReady: readiness) }
        }
    }

    /// Cancels the running calls, lets their replies leave, and closes every connection; returns when that is done.
    public func stop() async {
        isStopping = true
        for listener in listeners {
            listener.watch.cancel()
            close(listener.descriptor)
        }
        listeners = []
        for (id, connection) in connections {
            if let task = connection.running?.task { task.cancel() } else { closeAfterFlush(id) }
        }
        guard !connections.isEmpty else { return }
        await withCheckedContinuation { stopped.append($0) }
    }

    /// Forgets a connection; its descriptor is closed, and its call, if one runs, canceled.
    func drop(_ id: ConnectionID) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        connection.watch?.cancel()
        connection.running?.task?.cancel()
        Self.countDown(&connectionsOfProcess[connection.peer.pid])
        Self.countDown(&connectionsOfUser[connection.peer.uid])
        if isFull { watchListeners(true) }
        guard isStopping, connections.isEmpty else { return }
        for continuation in stopped { continuation.resume() }
        stopped = []
    }

    /// Nobody is remembered who has no connection.
    private static func countDown(_ count: inout Int?) {
        count = count.flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private func accept(from listener: Int32) {
        for _ in 0..<Self.acceptsAtOnce {
            let descriptor = linux_accept(listener)
            if descriptor >= 0 {
                adopt(descriptor)
            } else if errno == EMFILE || errno == ENFILE {
                guard refuseOne(from: listener) else { return }
            } else if errno != EINTR && errno != ECONNABORTED {
                return
            }
        }
    }

    /// Without this, a connection that cannot be accepted would make its listener ready for ever. False if there is no
    /// spare descriptor either.
    private func refuseOne(from listener: Int32) -> Bool {
        if spare >= 0 { close(spare) }
        let descriptor = linux_accept(listener)
        if descriptor >= 0 { close(descriptor) }
        spare = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0, spare < 0, !connections.isEmpty else { return true }
        watchListeners(false)
        return false
    }

    private func watchListeners(_ isWatched: Bool) {
        isFull = !isWatched
        for listener in listeners { listener.watch.change(isWatched ? .read : []) }
    }
}
