/// A client as its server sees it; used on the server's executor alone.
final class ServerConnection {
    enum State {
        /// Calls are read.
        case open
        /// The client sends no more; what it has sent is answered.
        case ended
        /// The client has closed; of what it has sent only the oneway calls are still run.
        case gone
        /// Nothing is run any more; what is written still leaves.
        case closing
    }

    /// A call whose handler has not returned.
    struct Running {
        let call: ServerCall
        var task: Task<Void, Never>?
    }

    let peer: Peer
    var channel: Channel
    var watch: (any Watch)?
    private var watched = Readiness.read
    var state = State.open
    var running: Running?
    /// Whether calls are being started just now: what they write leaves together afterwards.
    var isStarting = false

    init(_ descriptor: Int32, from peer: Peer) {
        self.peer = peer
        channel = Channel(descriptor, frameLimit: Server.frameLimit)
    }

    /// Whether the next call may begin.
    var isReady: Bool {
        running == nil && (state == .gone || channel.unsent <= Server.unsentBeforeNextCall)
    }

    /// Watches for what would be dealt with, and nothing else, since readiness is told again and again.
    func watchForInterest() {
        let interest = interest
        guard interest != watched else { return }
        watch?.change(interest)
        watched = interest
    }

    private var interest: Readiness {
        var interest: Readiness = []
        if state == .open, isReady || channel.unread < Server.unreadLimit { interest.insert(.read) }
        if channel.unsent > 0 { interest.insert(.write) }
        return interest
    }
}
