package import BiologinCore

extension Fprintd {
    /// How long is waited before a busy reader is tried again: twice as long each time, up to the last.
    private static let pauses: (first: Duration, last: Duration) = (.milliseconds(25), .milliseconds(400))

    @GLibThread package func claim(_ reader: String) async throws(VerifierError) -> any ClaimedReader {
        let deadline = Deadline(in: limit)
        var pause = Self.pauses.first
        var busy = false, vanished = false
        while true {
            do {
                return try await claimFree(reader, deadline)
            } catch .unavailable(.busy) where pause < deadline.remaining {
                busy = true
                do { try await GLibLoop.shared.sleep(for: pause) } catch { throw .cancelled }
                pause = min(pause * 2, Self.pauses.last)
            } catch .unavailable(.unavailable) where !vanished {
                // fprintd leaves when it is idle, and may have done so just now.
                vanished = true
            } catch .silent where busy {
                // There was no time left for an answer.
                throw .unavailable(.busy)
            }
        }
    }

    /// Devices of one name are interchangeable: the first that is free is taken.
    private func claimFree(_ reader: String, _ deadline: Deadline) async throws(VerifierError) -> FprintdClaim {
        let devices = try await devices(named: reader, deadline)
        var failure = VerifierError.unavailable(.noDevice)
        for (index, device) in devices.enumerated() where failure != .cancelled {
            do {
                // One that is stuck leaves the others their share of the time.
                return try await take(device, reader, within: deadline.remaining / (devices.count - index))
            } catch {
                failure = VerifierError(error)
            }
        }
        throw failure
    }

    private func take(
        _ found: FprintdDevice, _ reader: String, within limit: Duration
    ) async throws(CallError) -> FprintdClaim {
        let deadline = Deadline(in: limit)
        let connection = try await BusConnection.open(bus.address, within: limit, whenCancelled: .abandon)
        let device = FprintdDevice(connection: connection, owner: found.owner, path: found.path)
        let claim = FprintdClaim(device, named: reader, limit: self.limit, enrollments: enrollments)
        do throws(CallError) {
            try await claim.take(deadline)
            return claim
        } catch {
            // A claim that is granted after all ends with its connection.
            connection.close()
            throw error
        }
    }

    private func devices(named reader: String, _ deadline: Deadline) async throws(VerifierError) -> [FprintdDevice] {
        do {
            let connection = try await bus.connection(within: deadline.remaining)
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
    /// The devices of that name, in the order of fprintd; one that does not tell its name is left out.
    func devices(named name: String, within limit: Duration) async throws(CallError) -> [FprintdDevice] {
        let devices = try await devices(within: limit, whenCancelled: .abandon)
        let names = await devices.answers { try? await $0.name(within: limit, whenCancelled: .abandon) }
        return zip(devices, names).filter { $0.1 == name }.map(\.0)
    }
}
