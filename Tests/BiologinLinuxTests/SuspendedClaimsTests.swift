import BiologinCore
import TestSupport
import Testing

@testable import BiologinLinux

/// What becomes of a claim on a stand-in for fprintd when a stand-in for logind says that the computer sleeps.
@Suite(.realParts, .timeLimit(.minutes(5))) struct SuspendedClaimsTests {
    let bus: PrivateBus
    let logind: LogindStandIn
    let seat: Logind
    let verifier: Fprintd

    init() async throws {
        bus = try await PrivateBus()
        logind = try await LogindStandIn(on: bus)
        seat = Logind(bus: Bus(address: bus.address))
        verifier = Fprintd(bus: Bus(address: bus.address), clock: SystemClock(), logind: seat)
    }

    @Test @GLibThread func areGivenBackBeforeSleepWhereFprintdDoesNotSuspendItsReaders() async throws {
        let fprintd = try await StandIn(on: bus)
        #expect(await seat.current() == .usable)
        let claim = try await verifier.claim("Reader")
        try await logind.command("sleep", "unasked", "blindly")
        #expect(await seat.next() == .sleeping)
        await claim.release()
        #expect(fprintd.count("Release") == 1)
    }

    @Test @GLibThread func areGivenBackAfterTheResumeWhereFprintdSuspendsItsReaders() async throws {
        let fprintd = try await StandIn(on: bus, suspendsItself: true)
        #expect(await seat.current() == .usable)
        let claim = try await verifier.claim("Reader"), client = await fprintd.next("Claim").sender
        try await logind.command("sleep", "unasked", "blindly")
        #expect(await seat.next() == .sleeping)
        await claim.release()
        #expect(fprintd.count("Release") == 0)
        let owner = try await fprintd.connection.owner(of: client, within: .seconds(5))
        #expect(owner == client)

        try await logind.command("wake")
        #expect(await seat.next() == .changed(.usable))
        #expect(await fprintd.departure(of: client))
    }

    /// It takes a reader a moment to resume.
    @Test @GLibThread func areTriedAgainJustAfterTheResume() async throws {
        let fprintd = try await StandIn(on: bus)
        #expect(await seat.current() == .usable)
        fprintd.script["Claim"] = [{ $0.fail("Internal") }, { $0.fail("Internal") }]
        await #expect(throws: VerifierError.self) { _ = try await verifier.claim("Reader") }
        try await logind.command("sleep", "unasked", "blindly")
        #expect(await seat.next() == .sleeping)
        try await logind.command("wake")
        #expect(await seat.next() == .changed(.usable))
        await (try await verifier.claim("Reader")).release()
        #expect(fprintd.count("Claim") == 3)
    }
}
