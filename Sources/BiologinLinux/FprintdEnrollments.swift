internal import BiologinCore

/// What is enrolled on each reader, as last read. Only an fprintd that runs is asked: an idle one is not woken, and nothing
/// can be enrolled through it without starting it.
@GLibThread final class FprintdEnrollments {
    /// A reading is good for this long.
    private static let lifetime: Duration = .seconds(1)
    /// Whoever asks does not wait for longer.
    private static let limit: Duration = .seconds(1)

    private let bus: Bus
    private let clock: any Clock
    /// For how long an fprintd that was silent is left alone.
    private let pause: Duration
    private var known: [String: Enrollment] = [:]
    private var expiry: Duration = .zero
    private var isReading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated init(bus: Bus, clock: any Clock, pause: Duration) {
        (self.bus, self.clock, self.pause) = (bus, clock, pause)
    }

    func known(of reader: String) async -> Enrollment? {
        if isReading {
            await withCheckedContinuation { waiting.append($0) }
        } else if clock.sinceBoot >= expiry {
            isReading = true
            let asked = clock.sinceBoot
            do {
                try await read()
                expiry = asked + Self.lifetime
            } catch {
                expiry = asked + (error == .silent ? pause : Self.lifetime)
            }
            isReading = false
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
        return known[reader]
    }

    func learn(_ enrollment: Enrollment) { known[enrollment.reader] = enrollment }

    private func read() async throws(CallError) {
        let deadline = Deadline(in: Self.limit)
        let connection = try await bus.connection(within: deadline.remaining)
        let service = try await FprintdService.find(on: connection, activate: false, within: deadline.remaining)
        guard let service else { return }
        var seen: Set<String> = []
        for device in try await service.devices(within: deadline.remaining) {
            let name = try await device.name(within: deadline.remaining)
            // Of several of one name, the first stands for all.
            guard seen.insert(name).inserted else { continue }
            learn(Enrollment(reader: name, fingers: try await device.fingers(within: deadline.remaining)))
        }
    }
}
