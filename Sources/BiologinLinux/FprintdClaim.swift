internal import BiologinCore

/// A reader of fprintd that is claimed by a connection of its own: whatever goes wrong, closing that connection makes
/// fprintd give the reader back, also if it grants the claim later.
@GLibThread final class FprintdClaim: ClaimedReader {
    /// How long a call may go on after its task was cancelled. Who cancels waits for no driver that blocks: the connection
    /// is closed then, with the claim.
    private static let grace: Duration = .milliseconds(300)
    /// How many verifications there are within one scan, when the reader ends each after a bad one.
    private static let badScans = 20

    private let reader: String
    private let device: FprintdDevice
    private let limit: Duration
    private let enrollments: FprintdEnrollments
    private var connection: BusConnection { device.connection }
    private var subscriptions: [BusSubscription] = []
    private var scan: FprintdScan?
    /// fprintd is not there any more, or not the one that granted the claim.
    private var isLost = false

    init(
        _ device: FprintdDevice, named reader: String, limit: Duration,
        enrollments: FprintdEnrollments
    ) {
        (self.device, self.reader, self.limit, self.enrollments) = (device, reader, limit, enrollments)
        // Signals are broadcast: only those count that this owner sends for this device, and the bus vouches for the sender.
        subscriptions = [
            connection.onSignal("VerifyStatus", of: device.object) { [weak self] arguments in
                guard let result = arguments[0]?.string, let done = arguments[1]?.bool else { return }
                self?.scan?.hear(result, done: done)
            },
            connection.onSignal("VerifyFingerSelected", of: device.object) { [weak self] arguments in
                self?.scan?.select(arguments[0]?.string)
            },
            connection.onOwnerChange(of: FprintdService.name) { [weak self] _ in self?.lose() },
            connection.onClose { [weak self] in self?.lose() },
        ]
    }

    /// Claims the device, or throws at once if somebody else has it.
    func take(_ deadline: Deadline) async throws(CallError) {
        // From here on a change of the owner is heard: is it still the one that was asked for its devices?
        let owner = try await connection.owner(
            of: FprintdService.name, within: deadline.remaining, whenCancelled: .abandon)
        guard owner == device.owner else { throw .vanished }
        _ = try await device.call(
            "Claim", .string(""), within: deadline.remaining, whenCancelled: .hurry(Self.grace))
        guard Task.isCancelled else { return }
        await release()
        throw .cancelled
    }

    private func lose() {
        isLost = true
        scan?.end(.failed(.unavailable(.unavailable)))
    }

    @GLibThread func enrollment() async throws(VerifierError) -> Enrollment {
        guard !isLost else { throw .unavailable(.unavailable) }
        let fingers: [String]
        do { fingers = try await device.fingers(within: limit, whenCancelled: .abandon) } catch {
            throw VerifierError(error)
        }
        let enrollment = enrollments.enrollment(on: reader, fingers)
        enrollments.learn(enrollment)
        return enrollment
    }

    @GLibThread func scan(
        within limit: Duration, report: @escaping @Sendable (ScanEvent) -> Void
    ) async throws(VerifierError) -> Bool {
        let deadline = Deadline(in: limit)
        for _ in 0..<Self.badScans {
            switch try await verify(deadline, report) {
            case .match: return true
            case .noMatch: return false
            case .again: continue
            case .failed(let error): throw error
            }
        }
        throw .failed("fprintd: the reader gave \(Self.badScans) bad scans in a row")
    }

    private func verify(
        _ deadline: Deadline, _ report: @escaping @Sendable (ScanEvent) -> Void
    ) async throws(VerifierError) -> FprintdScan.Verdict {
        guard !isLost else { throw .unavailable(.unavailable) }
        guard !Task.isCancelled else { throw .cancelled }
        let scan = FprintdScan(report)
        self.scan = scan
        defer { self.scan = nil }
        do {
            _ = try await device.call(
                "VerifyStart", .string("any"), within: limit, whenCancelled: .hurry(Self.grace),
                returned: scan.start)
        } catch {
            // It may still begin, and the sensor with it.
            if error == .silent || error == .cancelled { connection.close() }
            throw VerifierError(error)
        }
        let verdict = await scan.verdict(within: deadline.remaining)
        await stop()
        return verdict
    }

    /// Ends a verification; fprintd may say `verify-no-match` to that, which is heard by nobody any more.
    private func stop() async {
        guard !isLost else { return }
        do {
            _ = try await device.call("VerifyStop", within: limit, whenCancelled: .hurry(Self.grace))
        } catch  where error == .silent || error == .cancelled {
            connection.close()
        } catch {
            // It has ended already.
        }
    }

    @GLibThread func release() async {
        if !isLost { _ = try? await device.call("Release", within: limit, whenCancelled: .hurry(Self.grace)) }
        connection.close()
    }
}
