import BiologinCore
import Testing

@testable import BiologinLinux

/// Against a stand-in for fprintd, which does what the real one cannot be made to do.
@Suite(.timeLimit(.minutes(5))) struct FprintdClaimTests {
    let bus: PrivateBus
    let standIn: StandIn
    let fprintd: Fprintd

    init() async throws {
        bus = try await PrivateBus()
        standIn = try await StandIn(on: bus)
        fprintd = Fprintd(bus: Bus(address: bus.address), clock: SystemClock())
    }

    /// A scan that runs, and what it reports.
    private func scan(_ claim: any ClaimedReader) -> (Task<Bool, any Error>, AsyncStream<ScanEvent>) {
        let (events, sink) = AsyncStream.makeStream(of: ScanEvent.self)
        return (Task { try await claim.scan(within: .seconds(20)) { sink.yield($0) } }, events)
    }

    @Test @GLibThread func ignoresAMatchThatComesBeforeTheStartHasReturned() async throws {
        let claim = try await fprintd.claim("Reader")
        standIn.script["VerifyStart"] = [{ _ in }]
        let (scan, events) = scan(claim)
        let start = await standIn.next("VerifyStart")
        try await standIn.status("verify-match")
        start.answer()
        await events.next()
        try await standIn.status("verify-no-match")
        #expect(try await scan.value == false)
    }

    @Test(arguments: [false, true]) @GLibThread func ignoresAMatchOfAnotherSender(toUsAlone: Bool) async throws {
        let claim = try await fprintd.claim("Reader")
        let client = await standIn.next("Claim").sender
        let (scan, events) = scan(claim)
        await events.next()
        let forger = try await bus.connect()
        try await forger.emit(
            "VerifyStatus", of: standIn.object, to: toUsAlone ? client : nil,
            .tuple(.string("verify-match"), .bool(true)))
        try await standIn.status("verify-no-match")
        #expect(try await scan.value == false)
    }

    @Test @GLibThread func ignoresAMatchOfAnotherDevice() async throws {
        let claim = try await fprintd.claim("Reader")
        let (scan, events) = scan(claim)
        await events.next()
        let other = BusObject(destination: nil, path: "/device/1", interface: FprintdDevice.interface)
        try await standIn.connection.emit("VerifyStatus", of: other, .tuple(.string("verify-match"), .bool(true)))
        try await standIn.status("verify-no-match")
        #expect(try await scan.value == false)
    }

    @Test @GLibThread func endsAtOnceWhenFprintdLeavesAndWorksAgainWithTheNext() async throws {
        let claim = try await fprintd.claim("Reader")
        let (scan, events) = scan(claim)
        await events.next()
        standIn.connection.close()
        await #expect(throws: VerifierError.unavailable(.unavailable)) { try await scan.value }
        await claim.release()

        let next = try await StandIn(on: bus)
        let again = try await fprintd.claim("Reader")
        let (second, moreEvents) = self.scan(again)
        await moreEvents.next()
        try await next.status("verify-match")
        #expect(try await second.value)
    }

    @Test @GLibThread func ignoresAnOwnerOfTheNameThatWasReplaced() async throws {
        let claim = try await fprintd.claim("Reader")
        let (scan, events) = scan(claim)
        await events.next()
        let usurper = try await StandIn(on: bus)
        try await standIn.status("verify-match")
        await #expect(throws: VerifierError.unavailable(.unavailable)) { try await scan.value }
        withExtendedLifetime(usurper) {}
    }

    @Test @GLibThread func startsAgainAfterABadScanThatEndedTheVerification() async throws {
        let claim = try await fprintd.claim("Reader")
        let (scan, events) = scan(claim)
        #expect(await events.next() == .waiting(finger: nil))
        try await standIn.status("verify-retry-scan")
        #expect(await events.next() == .retry(hint: "the scan was not clear"))
        _ = await standIn.next("VerifyStop")
        #expect(await events.next() == .waiting(finger: nil))
        try await standIn.status("verify-match")
        #expect(try await scan.value)
    }

    @Test @GLibThread func endsWhenNobodyTouchesTheReader() async throws {
        let claim = try await fprintd.claim("Reader")
        await #expect(throws: VerifierError.noTouch) { try await claim.scan(within: .milliseconds(50)) { _ in } }
        _ = await standIn.next("VerifyStop")
    }

    @Test @GLibThread func stopsAndReleasesWhenItIsCancelled() async throws {
        let claim = try await fprintd.claim("Reader")
        let (scan, events) = scan(claim)
        await events.next()
        // As the real one does.
        standIn.script["VerifyStop"] = [
            { [standIn] call in
                standIn.say("verify-no-match")
                call.answer()
            }
        ]
        scan.cancel()
        await #expect(throws: VerifierError.cancelled) { try await scan.value }
        await claim.release()
        _ = await standIn.next("VerifyStop")
        _ = await standIn.next("Release")
    }

    @Test(arguments: ["VerifyStop", "Release"])
    @GLibThread func waitsForNoDriverThatBlocksWhenItIsCancelled(method: String) async throws {
        // More than this test may take.
        let fprintd = Fprintd(bus: Bus(address: bus.address), clock: SystemClock(), limit: .seconds(300))
        standIn.script[method] = [{ _ in }]
        let (events, sink) = AsyncStream.makeStream(of: ScanEvent.self)
        let client = Task {
            let claim = try await fprintd.claim("Reader")
            _ = try? await claim.scan(within: .seconds(300)) { sink.yield($0) }
            await claim.release()
        }
        await events.next()
        client.cancel()
        let call = await standIn.next(method)
        #expect(await standIn.departure(of: call.sender))
        try await client.value
    }

    @Test @GLibThread func releasesAClaimThatIsGrantedAfterACancel() async throws {
        standIn.script["Claim"] = [{ _ in }]
        let claiming = Task { try await fprintd.claim("Reader") }
        let call = await standIn.next("Claim")
        claiming.cancel()
        call.answer()
        #expect(await standIn.next("Release").sender == call.sender)
        await #expect(throws: VerifierError.cancelled) { _ = try await claiming.value }
    }

    @Test @GLibThread func leavesAClaimThatIsNotGrantedAfterACancel() async throws {
        standIn.script["Claim"] = [{ _ in }]
        let claiming = Task { try await fprintd.claim("Reader") }
        let call = await standIn.next("Claim")
        claiming.cancel()
        #expect(await standIn.departure(of: call.sender))
        await #expect(throws: VerifierError.cancelled) { _ = try await claiming.value }
    }

    @Test @GLibThread func triesABusyReaderAgain() async throws {
        standIn.script["Claim"] = [{ $0.fail("AlreadyInUse") }, { $0.fail("AlreadyInUse") }]
        await (try await fprintd.claim("Reader")).release()
        _ = await standIn.next("Release")
    }

    @Test(arguments: [
        ("AlreadyInUse", VerifierError.unavailable(.busy)),
        ("PermissionDenied", .unavailable(.permissionDenied)),
        ("NoSuchDevice", .unavailable(.noDevice)),
        ("Internal", .failed("fprintd: net.reactivated.Fprint.Error.Internal: stand-in")),
    ])
    @GLibThread func saysWhyAReaderCannotBeClaimed(name: String, error: VerifierError) async throws {
        standIn.script["Claim"] = Array(repeating: { $0.fail(name) }, count: 50)
        // Only a busy reader is tried again until the time is up.
        let limit: Duration = name == "AlreadyInUse" ? .seconds(3) : .seconds(300)
        await #expect(throws: error) { _ = try await fprintd.claim("Reader", within: limit) }
    }

    @Test @GLibThread func knowsNoReaderOfAnotherName() async throws {
        await #expect(throws: VerifierError.unavailable(.noDevice)) { _ = try await fprintd.claim("Other") }
    }
}
