package import BiologinCore

extension Fprintd {
    /// How long is waited before a busy reader is tried again: twice as long each time, up to the last.
    private static let pauses: (first: Duration, last: Duration) = (.milliseconds(25), .milliseconds(400))
    /// The part of the time that is kept for what follows the claim.
    private static let reserve = 5

    @GLibThread package func claim(
        _ reader: String, within limit: Duration = usualLimit
    ) async throws(VerifierError) -> any ClaimedReader {
        let deadline = Deadline(in: limit)
        var pause = Self.pauses.first
        var busy = false, vanished = false
        while true {
            do {
                return try await claimFree(reader, deadline)
            } catch  where mayPass(error) && pause < deadline.remaining - limit / Self.reserve {
                busy = busy || error == .unavailable(.busy)
                do { try await GLibLoop.shared.sleep(for: pause) } catch { throw .cancelled }
                pause = min(pause * 2, Self.pauses.last)
            } catch .unavailable(.unavailable) where !vanished {
                // fprintd leaves when it is idle, and may have done so just now.
                vanished = true
            } catch .unavailable(.silent) where busy {
                // There was no time left for an answer.
                throw .unavailable(.busy)
            }
        }
    }

    /// Whether the claim may be had in a moment.
    private func mayPass(_ error: VerifierError) -> Bool {
        switch error {
        case .unavailable(.busy): true
        case .failed: suspendedClaims.areWaking
        default: false
        }
    }

    /// Devices of one name are interchangeable if the same fingers are on them: the first that is free is taken.
    private func claimFree(_ reader: String, _ deadline: Deadline) async throws(VerifierError) -> FprintdClaim {
        let devices = try await devices(named: reader, deadline)
        var failure: VerifierError?
        for (index, device) in devices.enumerated() where failure != .cancelled {
            // Otherwise a reader that is busy or stuck would look like one whose fingers changed.
            if index > 0, await !haveSameFingers(Array(devices[...index]), within: deadline.remaining / 2) { continue }
            // One that is stuck leaves the others their share of the time.
            let share = deadline.remaining / (devices.count - index)
            do { return try await take(device, reader, within: share, deadline) } catch {
                let reason = VerifierError(error)
                // What may end by itself goes before what happened first.
                if failure == nil || reason == .unavailable(.busy) || reason == .cancelled { failure = reason }
            }
        }
        throw failure ?? .unavailable(.noDevice)
    }

    /// Asked over a connection of its own: fprintd does not leave as long as one is there that asked it for fingers.
    private func haveSameFingers(_ devices: [FprintdDevice], within limit: Duration) async -> Bool {
        let deadline = Deadline(in: limit)
        let connection = try? await BusConnection.open(bus.address, within: limit, whenCancelled: .abandon)
        guard let connection else { return false }
        defer { connection.close() }
        let fingers = await devices.answers { device -> Set<String>? in
            let device = FprintdDevice(connection: connection, owner: device.owner, path: device.path)
            return (try? await device.fingers(within: deadline.remaining, whenCancelled: .abandon)).map(Set.init)
        }
        return Set(fingers).count == 1 && fingers[0] != nil
    }

    private func take(
        _ found: FprintdDevice, _ reader: String, within share: Duration, _ deadline: Deadline
    ) async throws(CallError) -> FprintdClaim {
        let shareEnd = Deadline(in: share)
        let connection = try await BusConnection.open(bus.address, within: share, whenCancelled: .abandon)
        let device = FprintdDevice(connection: connection, owner: found.owner, path: found.path)
        let claim = FprintdClaim(
            device, named: reader, startingBy: deadline, limit: limit, enrollments: enrollments,
            suspendedClaims: suspendedClaims)
        do throws(CallError) {
            try await claim.take(shareEnd)
            return claim
        } catch {
            // A claim that is granted after all ends with its connection.
            claim.close()
            throw error
        }
    }

    private func devices(named reader: String, _ deadline: Deadline) async throws(VerifierError) -> [FprintdDevice] {
        do {
            let connection = try await bus.connection(within: deadline.remaining, whenCancelled: .abandon)
            enrollments.listen(on: connection)
            let service = try await FprintdService.find(
                on: connection, activate: true, within: deadline.remaining, whenCancelled: .abandon)
            let devices = try await service?.devices(named: reader, within: deadline.remaining / 2) ?? []
            for device in devices { enrollments.count.learn(reader, of: device.path) }
            return devices
        } catch {
            throw VerifierError(error)
        }
    }
}

extension FprintdService {
    /// The devices of that name, in the order of fprintd. Where none has it, one that did not tell its name may be meant:
    /// why it did not is thrown then.
    func devices(named name: String, within limit: Duration) async throws(CallError) -> [FprintdDevice] {
        let deadline = Deadline(in: limit)
        let devices = try await devices(within: limit, whenCancelled: .abandon)
        let names = await devices.answers { device -> Result<String, CallError> in
            do throws(CallError) {
                return .success(try await device.name(within: deadline.remaining, whenCancelled: .abandon))
            } catch { return .failure(error) }
        }
        let meant = zip(devices, names).filter { $0.1 == .success(name) }.map(\.0)
        if meant.isEmpty { for case .failure(let error) in names { throw error } }
        return meant
    }
}
