internal import BiologinCore

/// A reader of fprintd that is claimed by a connection of its own: whatever goes wrong, closing that connection makes
/// fprintd give the reader back, also if it grants the claim later.
@GLibThread final class FprintdClaim: ClaimedReader {
    /// How long a call may go on whose result changes nothing: in a cancelled task, after a scan that failed, and to give the
    /// reader back. Nobody waits for a driver that blocks: the connection is closed then, with the claim.
    private static let grace: Duration = .milliseconds(300)
    /// How many verifications there are within one scan, when the reader ends each after a bad one.
    private static let badScans = 20

    private let reader: String
    private let device: FprintdDevice
    private let limit: Duration
    /// For everything until the sensor first waits for a touch; nil from then on.
    private var start: Deadline?
    private let enrollments: FprintdEnrollments
    private var connection: BusConnection { device.connection }
    private var subscriptions: [BusSubscription] = []
    private var scan: FprintdScan?
    private let suspendedClaims: SuspendedClaims
    private let sleepsBefore: Int
    /// Nil while it was not asked.
    private var suspendsItself: Bool?
    /// Why there is no claim any more.
    private var loss: Availability?

    /// - Parameters:
    ///   - start: when the first scan has begun.
    ///   - limit: for each call from then on.
    init(
        _ device: FprintdDevice, named reader: String, startingBy start: Deadline, limit: Duration,
        enrollments: FprintdEnrollments, suspendedClaims: SuspendedClaims
    ) {
        (self.device, self.reader, self.start, self.limit) = (device, reader, start, limit)
        self.enrollments = enrollments
        (self.suspendedClaims, sleepsBefore) = (suspendedClaims, suspendedClaims.sleeps)
        let manager = BusObject(
            destination: device.owner, path: nil, interface: "org.freedesktop.DBus.ObjectManager")
        // Signals are broadcast: only those count that this owner sends for this device, and the bus vouches for the sender.
        subscriptions = [
            connection.onSignal("VerifyStatus", of: device.object) { [weak self] arguments in
                guard let result = arguments[0]?.string, let done = arguments[1]?.bool else { return }
                self?.scan?.hear(result, done: done)
            },
            connection.onSignal("VerifyFingerSelected", of: device.object) { [weak self] arguments in
                self?.scan?.select(arguments[0]?.string)
            },
            connection.onSignal("InterfacesRemoved", of: manager) { [weak self] arguments in
                if arguments[0]?.string == device.path { self?.lose(.noDevice) }
            },
            // fprintd is not there any more, or not the one that granted the claim.
            connection.onOwnerChange(of: FprintdService.name) { [weak self] _ in self?.lose(.unavailable) },
            connection.onClose { [weak self] in self?.lose(.unavailable) },
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

    /// The first reason is the one.
    private func lose(_ reason: Availability) {
        loss = loss ?? reason
        scan?.end(.failed(.unavailable(reason)))
    }

    /// fprintd may still do what was asked: to begin, and the sensor with it. It does not for one who is gone.
    private func leave(after error: CallError) {
        guard error == .silent || error == .cancelled else { return }
        lose(Availability(error))
        close()
    }

    /// What is left for a call.
    private var remaining: Duration { start?.remaining ?? limit }

    @GLibThread func enrollment() async throws(VerifierError) -> Enrollment {
        if let loss { throw .unavailable(loss) }
        let fingers: [String]
        do { fingers = try await device.fingers(within: remaining, whenCancelled: .abandon) } catch {
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
            switch await verify(deadline, report) {
            case .match: return true
            case .noMatch: return false
            case .again: continue
            case .failed(.failed(let reason)): throw await failure(reason)
            case .failed(let error): throw error
            }
        }
        throw .failed("fprintd: the reader gave \(Self.badScans) bad scans in a row")
    }

    private func verify(
        _ deadline: Deadline, _ report: @escaping @Sendable (ScanEvent) -> Void
    ) async -> FprintdScan.Verdict {
        if let loss { return .failed(.unavailable(loss)) }
        guard !Task.isCancelled else { return .failed(.cancelled) }
        let scan = FprintdScan(report)
        self.scan = scan
        defer { self.scan = nil }
        do {
            _ = try await device.call(
                "VerifyStart", .string("any"), within: remaining, whenCancelled: .hurry(Self.grace),
                returned: scan.start)
        } catch {
            leave(after: error)
            return .failed(VerifierError(error))
        }
        start = nil
        let verdict = await scan.verdict(within: deadline.remaining)
        if case .failed = verdict { await stop(within: Self.grace) } else { await stop(within: limit) }
        return verdict
    }

    /// Gives the reader back, since fprintd tells of one that was unplugged only then: it cannot close it, and takes its object
    /// away.
    private func failure(_ reason: String) async -> VerifierError {
        await suspendedClaims.catchUp()
        if loss == nil, await !isSuspended() {
            do {
                _ = try await device.call("Release", within: Self.grace)
                lose(.unavailable)
            } catch .failed {
                let removal = FprintdScan { _ in }
                scan = removal
                _ = await removal.verdict(within: Self.grace)
            } catch {
                // One that does not answer tells nothing either.
            }
        }
        return loss == .noDevice ? .unavailable(.noDevice) : .failed(reason)
    }

    /// Ends a verification; fprintd may say `verify-no-match` to that, which is heard by nobody any more.
    private func stop(within limit: Duration) async {
        guard loss == nil else { return }
        do {
            _ = try await device.call("VerifyStop", within: limit, whenCancelled: .hurry(Self.grace))
        } catch {
            // Other errors say that it has ended already.
            leave(after: error)
        }
    }

    @GLibThread func release() async {
        if loss == nil, await !isSuspended() { _ = try? await device.call("Release", within: Self.grace) }
        close()
    }

    /// Ends the claim, whatever became of it.
    func close() {
        if mayBeSuspended, suspendsItself != false {
            suspendedClaims.closeLater(connection)
        } else {
            connection.close()
        }
    }

    private var mayBeSuspended: Bool { suspendedClaims.mayBeSuspended(since: sleepsBefore) }

    private func isSuspended() async -> Bool {
        guard mayBeSuspended else { return false }
        let suspends = await device.suspendsItself(within: Self.grace)
        suspendsItself = suspends
        return suspends
    }
}
