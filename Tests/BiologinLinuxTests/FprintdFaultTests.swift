import BiologinCore
import Testing

@testable import BiologinLinux

/// What an fprintd or a driver that is broken leads to: the reason, soon; no claim left behind; and the next try works.
@Suite(.timeLimit(.minutes(5))) struct FprintdFaultTests {
    let bus: PrivateBus
    let standIn: StandIn

    init() async throws {
        bus = try await PrivateBus()
        standIn = try await StandIn(on: bus)
    }

    /// - Parameter limit: for calls once the sensor has waited. The usual one here: more than a test may take.
    private func fprintd(limit: Duration = .seconds(300)) -> Fprintd {
        Fprintd(bus: Bus(address: bus.address), clock: SystemClock(), limit: limit)
    }

    /// As the manager verifies somebody: the fingers before, a scan, the fingers after.
    @GLibThread private func verify(
        on fprintd: Fprintd, within limit: Duration = .seconds(60), touchWithin touchLimit: Duration = .seconds(60)
    ) async throws(VerifierError) -> Bool {
        let claim = try await fprintd.claim("Reader", within: limit)
        do throws(VerifierError) {
            let before = try await claim.enrollment()
            let matches = try await claim.scan(within: touchLimit) { _ in }
            let isSame = try await claim.enrollment() == before
            await claim.release()
            return matches && isSame
        } catch {
            await claim.release()
            throw error
        }
    }

    /// fprintd's answer to `VerifyStart`, and what the sensor makes of a touch at once.
    @GLibThread private func touches(_ results: String...) {
        standIn.script["VerifyStart"] = results.map { result in
            { [standIn] call in
                call.answer()
                standIn.say(result)
            }
        }
    }

    @GLibThread private func expectNextTryToWork() async throws {
        standIn.script = [:]
        touches("verify-match")
        #expect(try await verify(on: fprintd()))
    }

    /// Every call in turn gets no answer. The claim goes with the connection that it was made on.
    @Test(arguments: ["GetDevices", "Get", "Claim", "ListEnrolledFingers", "VerifyStart"])
    @GLibThread func saysThatFprintdIsSilentBeforeTheSensorWaits(method: String) async throws {
        standIn.script[method] = [{ _ in }]
        let fprintd = fprintd()
        let failure = await #expect(throws: VerifierError.self) { try await verify(on: fprintd, within: .seconds(3)) }
        #expect(failure == .unavailable(.silent))
        for await call in standIn.calls where call.method == method {
            // Finding devices is asked over a connection that stays.
            if !["GetDevices", "Get"].contains(method) { #expect(await standIn.departure(of: call.sender)) }
            break
        }
        try await expectNextTryToWork()
    }

    /// In the middle of every call in turn: killed, restarted, or crashed.
    @Test(arguments: ["GetDevices", "Get", "Claim", "ListEnrolledFingers", "VerifyStart", "VerifyStop"])
    @GLibThread func saysThatFprintdIsGone(method: String) async throws {
        touches("verify-match")
        standIn.script[method] = [{ [standIn] _ in standIn.connection.close() }]
        let failure = await #expect(throws: VerifierError.self) { try await verify(on: fprintd()) }
        #expect(failure == .unavailable(.unavailable))

        let next = try await StandIn(on: bus)
        let claim = try await fprintd().claim("Reader")
        #expect(try await claim.enrollment().fingers == next.fingers)
        await claim.release()
        _ = await next.next("Release")
    }

    /// A client that leaves, or a close of its account: whoever is next does not wait for fprintd.
    @Test(arguments: ["GetDevices", "Get", "Claim", "ListEnrolledFingers", "VerifyStart"])
    @GLibThread func waitsForNoCallWhenItIsCancelled(method: String) async throws {
        standIn.script[method] = [{ _ in }]
        let verifying = Task { try await verify(on: fprintd(), within: .seconds(300)) }
        _ = await standIn.next(method)
        verifying.cancel()
        await #expect(throws: VerifierError.cancelled) { try await verifying.value }
        try await expectNextTryToWork()
    }

    @Test @GLibThread func saysThatFprintdIsSilentAfterAMatch() async throws {
        for method in ["VerifyStop", "ListEnrolledFingers"] {
            touches("verify-match")
            standIn.script["ListEnrolledFingers"] = [{ $0.answer(.tuple(.array(of: "s", [.string("left-thumb")]))) }]
            standIn.script[method, default: []].append { _ in }
            let failure = await #expect(throws: VerifierError.self) {
                try await verify(on: fprintd(limit: .seconds(3)))
            }
            #expect(failure == .unavailable(.silent), "\(method)")
            #expect(await standIn.departure(of: await standIn.next("VerifyStart").sender))
        }
        try await expectNextTryToWork()
    }

    /// As long as the product allows: five seconds for all calls together.
    @Test @GLibThread func sharesOneLimitAmongAllCallsBeforeTheSensorWaits() async throws {
        for method in ["GetDevices", "Get", "Claim", "ListEnrolledFingers"] {
            standIn.delay(method, by: .milliseconds(800))
        }
        standIn.script["VerifyStart"] = [{ _ in }]
        let began = ContinuousClock.now
        let failure = await #expect(throws: VerifierError.self) {
            try await verify(on: fprintd(), within: LoginManager.readerLimit)
        }
        #expect(failure == .unavailable(.silent))
        #expect(standIn.count("VerifyStart") == 1)
        #expect(ContinuousClock.now - began < .seconds(7.5))
    }

    /// Nobody waits for a driver that blocks after the reason is known: a limit of minutes is not waited for.
    @Test(
        arguments: [
            ("verify-unknown-error", ["VerifyStop"], VerifierError.failed("fprintd: verify-unknown-error")),
            ("verify-unknown-error", ["Release"], .failed("fprintd: verify-unknown-error")),
            ("verify-disconnected", ["VerifyStop"], .unavailable(.noDevice)),
            ("verify-disconnected", ["Release"], .unavailable(.noDevice)),
            (nil, ["VerifyStop"], .noTouch), (nil, ["VerifyStop", "Release"], .noTouch),
        ] as [(String?, [String], VerifierError)])
    @GLibThread func saysWhatFailedWhateverTheDriverDoesNext(
        result: String?, hanging: [String], reason: VerifierError
    ) async throws {
        if let result { touches(result) }
        for method in hanging { standIn.script[method] = [{ _ in }, { _ in }] }
        let touchLimit: Duration = result == nil ? .milliseconds(50) : .seconds(60)
        let failure = await #expect(throws: VerifierError.self) {
            try await verify(on: fprintd(), touchWithin: touchLimit)
        }
        #expect(failure == reason)
        #expect(await standIn.departure(of: await standIn.next("VerifyStart").sender))
        try await expectNextTryToWork()
    }

    @Test @GLibThread func aReleaseThatHangsKeepsNobodyFromTheResult() async throws {
        touches("verify-match")
        standIn.script["Release"] = [{ _ in }]
        #expect(try await verify(on: fprintd()))
        #expect(await standIn.departure(of: await standIn.next("Release").sender))
        try await expectNextTryToWork()
    }

    /// Two days of attempts at a driver that fails: each call ends by itself, after a few.
    @Test(arguments: [("verify-unknown-error", 1), ("verify-retry-scan", 20), ("verify-disconnected", 1)])
    @GLibThread func doesNotTryADriverThatFailsAgainAndAgain(result: String, starts: Int) async throws {
        touches(result, result, result)
        for _ in 0..<30 { standIn.script["VerifyStart"]!.append(standIn.script["VerifyStart"]![0]) }
        await #expect(throws: VerifierError.self) { try await verify(on: fprintd()) }
        #expect(standIn.count("VerifyStart") == starts)
        try await expectNextTryToWork()
    }

    @Test @GLibThread func backsOffFromABusyReader() async throws {
        standIn.script["Claim"] = Array(repeating: { $0.fail("AlreadyInUse") }, count: 100)
        let failure = await #expect(throws: VerifierError.self) { try await verify(on: fprintd(), within: .seconds(4)) }
        #expect(failure == .unavailable(.busy))
        #expect((2...14).contains(standIn.count("Claim")))
        try await expectNextTryToWork()
    }

    /// fprintd says nothing of a verification then.
    @Test @GLibThread func endsAScanWhenTheReaderIsUnplugged() async throws {
        let claim = try await fprintd().claim("Reader")
        let (events, sink) = AsyncStream.makeStream(of: ScanEvent.self)
        let scan = Task { try await claim.scan(within: .seconds(300)) { sink.yield($0) } }
        await events.next()
        try await standIn.remove("/device/1")
        try await standIn.remove("/device/0", by: try await bus.connect())
        try await standIn.status("verify-retry-scan", done: false)
        #expect(await events.next() == .retry(hint: "the scan was not clear"))
        try await standIn.remove("/device/0")
        await #expect(throws: VerifierError.unavailable(.noDevice)) { try await scan.value }
        await claim.release()
        try await expectNextTryToWork()
    }

    /// The order of the real one: an error that may mean anything, and the rest once the device cannot be closed.
    @Test @GLibThread func tellsAReaderThatWasUnpluggedFromADriverThatFails() async throws {
        touches("verify-unknown-error")
        standIn.script["Release"] = [{ _ in }]
        let verifying = Task { try await verify(on: fprintd()) }
        let release = await standIn.next("Release")
        release.fail("Internal")
        try await GLibLoop.shared.sleep(for: .milliseconds(50))
        try await standIn.remove("/device/0")
        await #expect(throws: VerifierError.unavailable(.noDevice)) { try await verifying.value }
        try await expectNextTryToWork()
    }
}
