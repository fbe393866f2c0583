package import BiologinCore

/// logind on the system bus; as long as it is not there, or does not answer, nothing is known.
///
/// What it signals is in `known` before anything that reached the bus later is seen.
@GLibThread package final class Logind: Seat {
    /// For all the calls of one question together.
    private static let limit: Duration = .seconds(1)
    /// The lid tells nobody: for a while after somebody has asked, for whom the sensor may be lit, it is looked at again.
    private static let looks: (interval: Duration, duration: Duration) = (.seconds(1), .seconds(120))

    /// Held all the time, since nobody can ask for it when the signal has come.
    private enum Inhibitor {
        /// Refused, or of no use now.
        case none
        case wanted
        /// Wanted again as soon as logind answers.
        case unanswered
        case held(OwnedDescriptor)

        var descriptor: OwnedDescriptor? { if case .held(let descriptor) = self { descriptor } else { nil } }
    }

    private let bus: Bus
    /// Between two tries to reach the bus.
    private let pause: Duration
    private let state = Locked(SeatState.usable)
    private nonisolated let stream: AsyncStream<SeatEvent>
    private let sink: AsyncStream<SeatEvent>.Continuation

    private let connecting = Turnstile()
    private var connection: BusConnection?
    private var service: LogindService?
    private var nameSubscriptions: [BusSubscription] = []
    private var subscriptions: [BusSubscription] = []
    private var facts = LogindFacts()
    /// How often something was heard: what was asked before and answered after says less.
    private var changes = 0
    private var inhibitor = Inhibitor.none
    /// Whether something is to be asked for.
    private var isOld = false
    private var looksLeft = 0
    private var waiting: CheckedContinuation<Void, Never>?
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

// MARK: Asking

extension Logind {
    private func connect(_ deadline: Deadline) async throws(CallError) {
        try await connecting.pass { () async throws(CallError) in
            if let connection, !connection.isClosed { return }
            let made = try await bus.connection(within: deadline.remaining, whenCancelled: .abandon)
            nameSubscriptions = [
                made.onOwnerChange(of: LogindService.name) { [weak self] owner in self?.follow(owner, on: made) },
                made.onClose { [weak self] in self?.follow(nil, on: made) },
            ]
            let before = changes
            let owner = try await made.owner(
                of: LogindService.name, within: deadline.remaining, whenCancelled: .abandon)
            if changes == before { follow(owner, on: made) }
            connection = made
        }
    }

    private func read(_ deadline: Deadline) async {
        while let service {
            let before = changes
            var read = facts
            do throws(CallError) {
                read.isPreparingForSleep = try await service.isPreparingForSleep(deadline)
                read.session = try await service.session(deadline)
                read.isShut = try await service.isShut(deadline)
                // It lets go when it has suspended them.
                if !read.isPreparingForSleep {
                    read.suspendsReaders = try await service.isInhibitedByFprintd(deadline)
                }
                if case .unanswered = inhibitor { inhibitor = .wanted }
            } catch .cancelled {
                return
            } catch {
                read.forgetWhatChanges()
            }
            guard changes == before else { continue }
            isOld = false
            return learn(read)
        }
    }

    private func takeInhibitor(_ deadline: Deadline) async {
        inhibitor = .none
        guard let service else { return }
        let taken: Inhibitor
        do throws(CallError) { taken = .held(try await service.inhibitSleep(within: deadline.remaining)) } catch {
            taken = error == .silent ? .unanswered : .none
        }
        // Another logind, or sleep, was faster.
        guard service.owner == self.service?.owner, !facts.isPreparingForSleep else { return }
        inhibitor = taken
    }

    private func wait() async {
        let timer =
            if service != nil, looksLeft > 0 {
                GLibLoop.shared.timer(after: Self.looks.interval) { [weak self] in self?.look() }
            } else { nil as LoopSource? }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting = $0 }
        } onCancel: {
            GLibLoop.shared.perform { self.wake() }
        }
        timer?.cancel()
    }

    private func look() {
        looksLeft -= 1
        isOld = true
        wake()
    }

    private func wake() {
        waiting?.resume()
        waiting = nil
    }
}

// MARK: Hearing

extension Logind {
    /// Nobody's word counts but that of the owner of the name.
    private func follow(_ owner: String?, on connection: BusConnection) {
        changes += 1
        service = owner.map { LogindService(connection: connection, owner: $0) }
        subscriptions = service.map(subscriptions(to:)) ?? []
        isOld = owner != nil
        learn(LogindFacts())
        inhibitor = owner == nil ? .none : .wanted
        wake()
    }

    private func subscriptions(to service: LogindService) -> [BusSubscription] {
        let any = { BusObject(destination: service.owner, path: nil, interface: $0) }
        let connection = service.connection
        return [
            connection.onSignal("PrepareForSleep", of: service.manager) { [weak self] arguments in
                self?.hear { $0.isPreparingForSleep = arguments[0]?.bool ?? false }
            },
            connection.onSignal("SessionNew", of: service.manager) { [weak self] _ in self?.hear() },
            connection.onSignal("SessionRemoved", of: service.manager) { [weak self] _ in self?.hear() },
            connection.onSignalWithPath("PropertiesChanged", of: any("org.freedesktop.DBus.Properties")) {
                [weak self] path, arguments in
                // The display session of a user is another one from now on.
                if path.hasPrefix("/org/freedesktop/login1/user/") { self?.hear() }
                let session = self?.facts.session?.path
                guard session == path || session == nil else { return }
                self?.hear { $0.session?.learn(arguments[1]) }
            },
            connection.onSignalWithPath("Lock", of: any(LogindSession.interface)) { [weak self] path, _ in
                guard path == self?.facts.session?.path else { return }
                // The desktop is asked to lock, and will say when it has.
                self?.sink.yield(.changed(.notLocal))
            },
        ]
    }

    /// Something happened, of which `change` is known, and the rest is to be asked for.
    private func hear(_ change: (inout LogindFacts) -> Void = { _ in }) {
        changes += 1
        isOld = true
        var new = facts
        change(&new)
        learn(new)
        wake()
    }

    private func learn(_ new: LogindFacts) {
        let old = facts.state
        facts = new
        state.withLock { $0 = new.state }
        guard new.state != old else { return }
        if new.state == .sleeping {
            suspendedClaims.begin(suspends: new.suspendsReaders)
            sink.yield(.sleeping(LogindSleepDelay(inhibitor.descriptor)))
            inhibitor = .none
        } else {
            if old == .sleeping {
                inhibitor = .wanted
                suspendedClaims.end()
            }
            sink.yield(.changed(new.state))
        }
        wake()
    }
}
