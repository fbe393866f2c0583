import BiologinVault
import Testing

@testable import BiologinCore

@Suite struct LoginTests {
    @Test func aLoginReleasesTheKeyThatWasPutIn() async throws {
        try await Bench.run { bench in
            let key = (0...255).map { UInt8($0) }
            _ = try await bench.opened(key: key)
            #expect(try await bench.loggedIn() == key)
            #expect(await bench.verifier.claims == bench.verifier.releases)
        }
    }

    @Test func aLoginBeforeAnOpenIsNotOpenAndLightsNoSensor() async throws {
        try await Bench.run { bench in
            await #expect(throws: LoginError.notOpen) { try await bench.login() }
            #expect(await bench.verifier.claims == 0)
        }
    }

    @Test func progressIsReportedInOrder() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let reports = Reports()
            await bench.verifier.touch(.retry("center the finger"), .wrong, .right)
            _ = try await bench.login(reporting: reports)
            let reader = "Fake reader"
            #expect(
                reports.all == [
                    .loading, .waiting(reader: reader, finger: nil, attemptsLeft: 3),
                    .retry(reader: reader, hint: "center the finger"),
                    .waiting(reader: reader, finger: nil, attemptsLeft: 2), .processing,
                ])
        }
    }

    @Test func threeWrongFingersEndALoginAndReleaseTheReader() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.touch(.wrong, .wrong, .wrong)
            await #expect(throws: LoginError.authenticationFailed) { try await bench.login() }
            #expect(await bench.state.saved.attempts.failures == 3)
            #expect(await bench.verifier.claims == bench.verifier.releases)
        }
    }

    @Test func theFifthFailureInARowLocksOut() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.touch(.wrong, .wrong, .wrong)
            await #expect(throws: LoginError.authenticationFailed) { try await bench.login() }
            await bench.verifier.touch(.wrong, .wrong)
            await #expect(throws: LoginError.lockedOut(seconds: 30)) { try await bench.login() }
            let claims = await bench.verifier.claims
            bench.clock.advance(by: .seconds(10))
            await #expect(throws: LoginError.lockedOut(seconds: 20)) { try await bench.login() }
            #expect(await bench.verifier.claims == claims, "the sensor stays dark")
            try await bench.restarted { bench in
                await #expect(throws: LoginError.lockedOut(seconds: 20)) { try await bench.login() }
            }
            bench.clock.advance(by: .seconds(20))
            #expect(try await bench.loggedIn() == Array("first key".utf8))
            #expect(await bench.state.saved.attempts == Attempts())
        }
    }

    @Test func aFailureThatCannotBeWrittenIsNotAnsweredAsOneAndNobodyIsVerifiedUntilItIs() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let reports = Reports()
            let login = Task { () async throws(LoginError) in try await bench.login(reporting: reports) }
            await reports.waiting()
            await bench.state.fail(after: 0)
            await bench.verifier.touch(.wrong)
            await #expect(throws: LoginError.state("no space left on device")) { try await login.value }
            let scans = await bench.verifier.scans
            await #expect(throws: LoginError.state("no space left on device")) { try await bench.login() }
            #expect(await bench.verifier.scans == scans)
            await bench.state.fail(after: .max)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
        }
    }

    @Test func whileNothingCanBeWrittenTheSensorStaysDark() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let scans = await bench.verifier.scans
            await bench.state.fail(after: 0)
            await #expect(throws: LoginError.state("no space left on device")) { try await bench.login() }
            #expect(await bench.verifier.scans == scans)
        }
    }

    @Test(arguments: [
        (VerifierError.unavailable(.noDevice), LoginError.notAvailable(.noDevice)),
        (.unavailable(.permissionDenied), .notAvailable(.permissionDenied)),
        (.unavailable(.busy), .busy(holder: nil)), (.unavailable(.silent), .timedOut(.reader)),
        (.noTouch, .timedOut(.touch)),
        (.failed("driver"), .notAvailable(.unavailable)),
    ])
    func whatBreaksAtTheReaderIsToldAndCountsAsNoFailure(_ fault: VerifierError, _ told: LoginError) async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.touch(.failure(fault))
            await #expect(throws: told) { try await bench.login() }
            await bench.verifier.set(claimError: fault)
            await #expect(throws: told) { try await bench.login() }
            await bench.verifier.set(claimError: nil)
            #expect(await bench.state.saved.attempts.failures == 0)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
            #expect(await bench.verifier.claims == bench.verifier.releases)
        }
    }

    @Test func aLoginMayNarrowThePolicyAndNeverWidenIt() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened(policy: .biometrics)
            await #expect(throws: LoginError.self) { try await bench.login(policy: .deviceOwner) }
            #expect(await bench.verifier.claims == 1)
            await #expect(throws: LoginError.invalidParameter("fallback")) { try await bench.login(fallback: true) }
            _ = try await bench.opened(policy: .deviceOwner)
            await bench.verifier.touch(.right)
            _ = try await bench.login(policy: .biometrics)
            await #expect(throws: LoginError.passcodeNotSet) { try await bench.login(fallback: true) }
        }
    }

    @Test func aClosedConnectionCancelsTheVerification() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let reports = Reports()
            let task = Task { try await bench.login(reporting: reports) }
            await reports.waiting()
            task.cancel()
            await #expect(throws: LoginError.cancelled) { try await task.value }
            #expect(await bench.verifier.claims == bench.verifier.releases)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
        }
    }

    @Test func aCloseMeanwhileWins() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let reports = Reports()
            let task = Task { try await bench.login(reporting: reports) }
            await reports.waiting()
            try await bench.manager.close(.account(Bench.ada), caller: Bench.caller)
            await #expect(throws: LoginError.superseded) { try await task.value }
            await bench.verifier.touch(.right)
            await #expect(throws: LoginError.notOpen) { try await bench.login() }
        }
    }

    @Test func aCloseAfterTheMatchWins() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.afterMatch {
                try? await bench.manager.close(.account(Bench.ada), caller: Bench.caller)
            }
            await #expect(throws: LoginError.superseded) { try await bench.loggedIn() }
        }
    }

    @Test func shutdownEndsAWaitingLogin() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let reports = Reports()
            let task = Task { try await bench.login(reporting: reports) }
            await reports.waiting()
            await bench.manager.shutDown()
            await #expect(throws: LoginError.systemCancel) { try await task.value }
            #expect(await bench.verifier.claims == bench.verifier.releases)
        }
    }

    @Test func oneVerificationRunsSixteenWaitAndTheNextIsToldBusy() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let holder = Caller(pid: 2, executable: "/usr/bin/chat", unit: nil, sandbox: nil, strength: .path)
            let first = Reports(from: holder)
            await withTaskGroup(of: Result<[UInt8], LoginError>.self) { group in
                func login(_ reports: Reports) {
                    group.addTask {
                        do throws(LoginError) { return .success(try await bench.login(reporting: reports)) } catch {
                            return .failure(error)
                        }
                    }
                }
                login(first)
                await first.waiting()
                for _ in 0..<LoginManager.waitingLimit {
                    let reports = Reports()
                    login(reports)
                    await reports.first { $0 == .queued }
                }
                await #expect(throws: LoginError.busy(holder: holder)) { try await bench.login() }
                for _ in 0...LoginManager.waitingLimit { await bench.verifier.touch(.right) }
                for await result in group { #expect(result == .success(Array("first key".utf8))) }
            }
            #expect(await bench.verifier.claims == bench.verifier.releases)
        }
    }

    @Test func aCanceledOneInTheLineGivesItsPlaceUp() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let first = Reports(), second = Reports()
            let running = Task { try await bench.login(reporting: first) }
            await first.waiting()
            let waiting = Task { try await bench.login(reporting: second) }
            await second.first { $0 == .queued }
            waiting.cancel()
            await #expect(throws: LoginError.cancelled) { try await waiting.value }
            await bench.verifier.touch(.right)
            #expect(try await running.value == Array("first key".utf8))
            #expect(try await bench.loggedIn() == Array("first key".utf8))
        }
    }
}
