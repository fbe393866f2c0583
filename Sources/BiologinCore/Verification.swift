import BiologinVault
import Synchronization

/// Says that the user was verified, just now, for one operation. Only this file makes one.
struct Grant {
    static let validity: Duration = .seconds(30)

    let operation: Operations.ID
    let account: AccountTag
    /// The templates as they were after the match, read while the reader was still claimed.
    let enrollment: Enrollment
    /// Since boot.
    let givenAt: Duration

    fileprivate init(operation: Operations.ID, account: AccountTag, enrollment: Enrollment, givenAt: Duration) {
        (self.operation, self.account, self.enrollment, self.givenAt) = (operation, account, enrollment, givenAt)
    }
}

extension LoginManager {
    /// Scans in one call that may fail.
    static let triesPerCall = 3
    /// From the first question to a reader until its sensor waits for a touch.
    package static let readerLimit: Duration = .seconds(5)

    /// What a verification is for, and which reader it takes.
    struct Purpose: Sendable {
        let operation: Operations.ID
        let account: AccountTag
        let policy: Policy
        /// The account whose key is bound to its templates; nil for one that is being opened.
        let bound: Profile?
    }

    /// A place in the line of verifications, to be left again. Throws `busy` where 16 wait already.
    func joinLine(_ request: Request) throws(LoginError) -> WaitingLine.Place {
        let place = verifications.reserve()
        try rejoinLine(at: place, request)
        return place
    }

    /// Takes the place again, before all who came later.
    func rejoinLine(at place: WaitingLine.Place, _ request: Request) throws(LoginError) {
        guard verifications.isEmpty || verifications.waiting < Self.waitingLimit else {
            throw .busy(holder: verifications.holder)
        }
        verifications.join(place, for: request.caller)
        if !verifications.isInside(place) { request.report(.queued) }
    }

    /// Waits until everybody before it has left the line.
    func takeTurn(_ operation: Operations.ID, at place: WaitingLine.Place) async throws(LoginError) {
        let (turn, call) = AsyncStream<Never>.makeStream()
        verifications.whenInside(place) { call.finish() }
        for await _ in turn {}
        try check(operation)
    }

    /// Waits for the user. Nothing is counted but scans that did not match.
    func verify(_ purpose: Purpose, _ request: Request) async throws(LoginError) -> Grant {
        try await checkAttempts(by: request.caller)
        do throws(LoginError) { return try await verifyByBiometrics(purpose, request) } catch {
            throw purpose.policy == .biometrics ? error : error.withoutBiometrics
        }
    }

    private func verifyByBiometrics(_ purpose: Purpose, _ request: Request) async throws(LoginError) -> Grant {
        // Beside the reader, and known before the sensor lights.
        async let asked = seat?.current()
        let claimed: any ClaimedReader
        do throws(LoginError) { claimed = try await claimReader(purpose) } catch {
            // That nobody may be asked here explains a reader that is busy or not allowed.
            if error != .cancelled { try await (asked ?? .usable).check() }
            throw error
        }
        do throws(LoginError) {
            try await (asked ?? .usable).check()
            let enrollment = try await match(on: claimed, purpose, request)
            let grant = Grant(
                operation: purpose.operation, account: purpose.account, enrollment: enrollment, givenAt: clock.sinceBoot
            )
            await claimed.release()
            return grant
        } catch {
            await claimed.release()
            throw error
        }
    }

    /// The account's own reader, or else the first that can be had of those that are ready and have a finger enrolled.
    private func claimReader(_ purpose: Purpose) async throws(LoginError) -> any ClaimedReader {
        let deadline = clock.sinceBoot + Self.readerLimit
        // One that is stuck leaves the others half of the time.
        let names =
            if let bound = purpose.bound { [bound.enrollment.reader] } else {
                try await readersForOpening(within: Self.readerLimit / 2)
            }
        var failure: LoginError?
        for (index, name) in names.enumerated() where failure != .cancelled {
            let share = max(.zero, deadline - clock.sinceBoot) / (names.count - index)
            do { return try await verifier.claim(name, within: share) } catch {
                failure = error == .cancelled ? .cancelled : failure ?? LoginError(error)
            }
        }
        throw failure ?? .notAvailable(.noDevice)
    }

    private func readersForOpening(within limit: Duration) async throws(LoginError) -> [String] {
        let readers = await verifier.readers(within: limit)
        var names: [String] = []
        for reader in readers where reader.availability == .ready && !reader.enrolled.isEmpty {
            if let name = reader.device, !names.contains(name) { names.append(name) }
        }
        guard names.isEmpty else { return names }
        // Where one reader could not say whether a finger is enrolled, nothing is said of fingers.
        let reasons = readers.map(\.availability).filter { $0 != .ready }
        throw LoginError(.unavailable(reasons.first { $0 != .notEnrolled } ?? reasons.first ?? .noDevice))
    }

    /// The templates under which a finger matched: the same before the scan and after it.
    private func match(
        on reader: any ClaimedReader, _ purpose: Purpose, _ request: Request
    ) async throws(LoginError) -> Enrollment {
        let before = try await enrollment(on: reader)
        if let bound = purpose.bound { try check(before, since: bound.enrollment, at: bound.detection) }
        guard !before.fingers.isEmpty else { throw .notEnrolled }
        let shownAt = Mutex<Duration?>(nil)
        var hasMatched = false
        defer { if !hasMatched { countPrompt(of: request.caller, shownAt: shownAt.withLock { $0 }) } }
        for triesLeft in (1...Self.triesPerCall).reversed() {
            try check(purpose.operation)
            let left = min(triesLeft, max(1, Attempts.allowed - attempts.failures))
            let matched: Bool
            do {
                matched = try await reader.scan(within: touchLimit) { [clock] event in
                    shownAt.withLock { $0 = $0 ?? clock.sinceBoot }
                    request.report(Progress(event, reader: before.reader, attemptsLeft: left))
                }
            } catch {
                // After a scan fprintd deletes the prints that the reader has lost.
                if error == .unavailable(.notEnrolled), let bound = purpose.bound {
                    try check(try await enrollment(on: reader), since: bound.enrollment, at: bound.detection)
                }
                throw LoginError(error)
            }
            guard matched else {
                try await countFailure(of: purpose.account, request.caller)
                continue
            }
            hasMatched = true
            let after = try await enrollment(on: reader)
            try check(after, since: before, at: purpose.bound?.detection ?? before.detection)
            try check(purpose.operation)
            try await countSuccess()
            return after
        }
        throw .authenticationFailed
    }

    private func countPrompt(of caller: Caller, shownAt: Duration?) {
        guard let shownAt else { return }
        prompts.add(of: caller.pid, shownAt: shownAt, endedAt: clock.sinceBoot)
    }

    /// Throws unless the grant is a fresh one, for this account, and its operation may go on.
    func check(_ grant: Grant, for account: AccountTag) throws(LoginError) {
        try check(grant.operation)
        guard grant.account == account else { throw .superseded }
        guard clock.sinceBoot - grant.givenAt < Grant.validity else { throw .timedOut(.touch) }
    }

    /// Nobody is asked to touch for a key that could not be sealed or opened.
    func checkDeviceKey() throws(LoginError) {
        do throws(VaultError) {
            // Where no account is open there is nothing that a lost one would be needed for.
            if accounts.count == 0, damaged.isEmpty { try vault.makeDeviceKeyIfMissing() }
            try vault.checkDeviceKey()
        } catch { throw LoginError(error) }
    }
}

extension Progress {
    fileprivate init(_ event: ScanEvent, reader: String, attemptsLeft: Int) {
        switch event {
        case .waiting(let finger): self = .waiting(reader: reader, finger: finger, attemptsLeft: attemptsLeft)
        case .retry(let hint): self = .retry(reader: reader, hint: hint)
        }
    }
}

extension LoginError {
    /// Where biometrics cannot be had the login password would do, and there is no way yet to be asked for it.
    var withoutBiometrics: LoginError {
        switch self {
        // Nobody is to be asked for a password either.
        case .notAvailable(.notLocal): self
        case .notAvailable, .notEnrolled: .passcodeNotSet
        default: self
        }
    }

    init(_ error: VerifierError) {
        switch error {
        case .unavailable(.busy): self = .busy(holder: nil)
        case .unavailable(.notEnrolled): self = .notEnrolled
        case .unavailable(.silent): self = .timedOut(.reader)
        case .unavailable(let availability): self = .notAvailable(availability)
        case .noTouch: self = .timedOut(.touch)
        case .cancelled: self = .cancelled
        case .failed: self = .notAvailable(.unavailable)
        }
    }
}
