internal import BiologinCore

/// What is enrolled on each reader, as last read. Only an fprintd that runs is asked: an idle one is not woken, and nothing
/// can be enrolled through it without starting it.
@GLibThread final class FprintdEnrollments {
    /// A reading is good for this long, unless fprintd says sooner that somebody enrolls.
    private static let lifetime: Duration = .seconds(1)
    let count: FprintdEnrollmentCount
    private let bus: Bus
    private let clock: any Clock
    /// For how long an fprintd that was silent is left alone.
    private let pause: Duration
    /// Whoever asks does not wait for longer.
    private let limit: Duration
    private(set) var known: [String: Enrollment] = [:]
    /// The names of several readers on which different fingers are enrolled, or of which one does not answer: a change there
    /// cannot be told from the other reader, also when only one of them is left.
    private var ambiguous: Set<String> = []
    /// Until when devices that were silent are left alone, lest everybody wait for them; by their paths.
    private var silent: [String: Duration] = [:]
    private var expiry: Duration = .zero
    private var isReading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// How often something was heard that makes a reading old which began before.
    private var changes = 0
    /// Where that is heard.
    private var connection: BusConnection?
    private var subscriptions: [BusSubscription] = []

    nonisolated init(bus: Bus, clock: any Clock, limit: Duration, pause: Duration, counts: [String: UInt64]) {
        (self.bus, self.clock, self.limit, self.pause) = (bus, clock, limit, pause)
        count = FprintdEnrollmentCount(counts)
    }

    /// What can be told of a reader on which these fingers are enrolled.
    func enrollment(on reader: String, _ fingers: [String]) -> Enrollment {
        let isListening = connection.map { !$0.isClosed } ?? false
        return Enrollment(reader: reader, fingers: fingers, heard: isListening ? count.heard(on: reader) : nil)
    }

    func known(of reader: String) async -> Enrollment? {
        await renewIfOld()
        guard !ambiguous.contains(reader), let known = known[reader] else { return nil }
        // Heard since it was read.
        return enrollment(on: reader, known.fingers)
    }

    func renewIfOld() async {
        while isReading || clock.sinceBoot >= expiry {
            if isReading { await withCheckedContinuation { waiting.append($0) } } else { await renew() }
        }
    }

    func learn(_ enrollment: Enrollment) {
        known[enrollment.reader] = enrollment
        changes += 1
    }

    private func expire() {
        expiry = .zero
        changes += 1
    }

    private func renew() async {
        isReading = true
        let (asked, before) = (clock.sinceBoot, changes)
        do {
            let read = try await read()
            if changes == before {
                known.merge(read.known) { $1 }
                ambiguous = read.ambiguous
                expiry = asked + Self.lifetime
            }
        } catch {
            expiry = asked + (error == .silent ? pause : Self.lifetime)
        }
        isReading = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    private func read() async throws(CallError) -> (known: [String: Enrollment], ambiguous: Set<String>) {
        let deadline = Deadline(in: limit)
        let connection = try await bus.connection(within: deadline.remaining)
        listen(on: connection)
        let service = try await FprintdService.find(on: connection, activate: false, within: deadline.remaining)
        guard let service else { return ([:], ambiguous) }
        return try await service.apart(on: bus, within: deadline.remaining) { service throws(CallError) in
            let devices = try await service.devices(within: deadline.remaining)
            var known: [String: Enrollment] = [:]
            var ambiguous = self.ambiguous
            let readings = await devices.answers { await self.read($0, deadline) }
            for (name, readings) in Dictionary(grouping: readings, by: \.name) {
                guard let name else { continue }
                if Set(readings.map { $0.fingers.map(Set.init) }).count > 1 {
                    ambiguous.insert(name)
                } else if let fingers = readings[0].fingers {
                    if readings.count > 1 { ambiguous.remove(name) }
                    known[name] = self.enrollment(on: name, fingers)
                }
            }
            return (known, ambiguous)
        }
    }

    /// Without what is not known.
    private func read(_ device: FprintdDevice, _ deadline: Deadline) async -> (name: String?, fingers: [String]?) {
        if clock.sinceBoot >= silent[device.path] ?? .zero {
            do throws(CallError) {
                let name = try await device.name(within: deadline.remaining)
                count.learn(name, of: device.path)
                return (name, try await device.fingers(within: deadline.remaining))
            } catch {
                if error == .silent { silent[device.path] = clock.sinceBoot + pause }
            }
        }
        return (count.name(of: device.path), nil)
    }

    /// Called once for each connection, before anything is asked for over it.
    func listen(on connection: BusConnection) {
        guard self.connection !== connection else { return }
        self.connection = connection
        let devices = BusObject(destination: FprintdService.name, path: nil, interface: FprintdDevice.interface)
        subscriptions = [
            connection.onOwnerChange(of: FprintdService.name) { [weak self] _ in
                self?.count.forgetDevices()
                self?.silent = [:]
                self?.expire()
            },
            connection.onSignalWithPath("EnrollStatus", of: devices) { [weak self] path, arguments in
                if arguments[0]?.string == "enroll-completed" { self?.count.hear(path) }
                self?.expire()
            },
        ]
    }
}
