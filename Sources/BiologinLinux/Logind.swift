package import BiologinCore

/// logind on the system bus; as long as it is not there, or does not answer, nothing is known.
///
/// What it signals is in `known` before anything that reached the bus later is seen.
@GLibThread package final class Logind: Seat {
    /// For all the calls of one question together.
    private static let limit: Duration = .seconds(1)
    /// The lid tells nobody: for a while after somebody has asked, for whom the sensor may be lit, it is looked at again.
    static let looks: (interval: Duration, duration: Duration) = (.seconds(1), .seconds(120))

    /// Held all the time, since nobody can ask for it when the signal has come.
    enum Inhibitor {
        /// Refused, or of no use now.
        case none
        case wanted
        /// Wanted again as soon as logind answers.
        case unanswered
        case held(OwnedDescriptor)

        var descriptor: OwnedDescriptor? { if case .held(let descriptor) = self { descriptor } else { nil } }
    }

    let bus: Bus
    /// Between two tries to reach the bus.
    private let pause: Duration
    let state = Locked(SeatState.usable)
    private nonisolated let stream: AsyncStream<SeatEvent>
    let sink: AsyncStream<SeatEvent>.Continuation

    let connecting = Turnstile()
    var connection: BusConnection?
    var service: LogindService?
    var nameSubscriptions: [BusSubscription] = []
    var subscriptions: [BusSubscription] = []
    var facts = LogindFacts()
    /// How often something was heard: what was asked before and answered after says less.
    var changes = 0
    var inhibitor = Inhibitor.none
    /// Whether something is to be asked for.
    var isOld = false
    var looksLeft = 0
    var waiting: CheckedContinuation<Void, Never>?
    let suspendedClaims = SuspendedClaims()

    package nonisolated init(bus: Bus, pause: Duration = .seconds(5)) {
        (self.bus, self.pause) = (bus, pause)
        (stream, sink) = AsyncStream.makeStream()
    }

    package nonisolated var known: SeatState { state.withLock { $0 } }
    package nonisolated func events() -> AsyncStream<SeatEvent> { stream }

    @GLibThread package func current() async -> SeatState {
        let deadline = Deadline(in: Self.limit)
        looksLeft = Int(Self.looks.duration / Self.looks.interval)
        wake()
        try? await connect(deadline)
        await read(deadline)
        return known
    }

    /// Follows logind until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            let deadline = Deadline(in: Self.limit)
            if connection?.isClosed ?? true {
                do { try await connect(deadline) } catch { try? await GLibLoop.shared.sleep(for: pause) }
            } else if case .wanted = inhibitor {
                await takeInhibitor(deadline)
            } else if isOld {
                await read(deadline)
            } else {
                await wait()
            }
        }
    }
}
