import BiologinCore
import TestSupport
import Testing

@testable import BiologinLinux

/// What becomes of a claim on a stand-in for fprintd when a stand-in for logind says that the computer sleeps.
@Suite(.realParts, .timeLimit(.minutes(5))) struct SuspendedClaimsTests {
    let bus: PrivateBus
    let fprintd: StandIn
    let logind: LogindStandIn
    let seat: Logind
    let verifier: Fprintd

    init() async throws {
        bus = try await PrivateBus()
        fprintd = try await StandIn(on: bus)
        logind = try await LogindStandIn(on: bus)
        seat = Logind(bus: Bus(address: bus.address))
        verifier = Fprintd(bus: Bus(address: bus.address), clock: SystemClock(), logind: seat)
    }

    /// As fprintd does from 1.94 on.
    @GLibThread private func delaySleep() async throws -> OwnedDescriptor {
        let manager = BusObject(
            destination: LogindService.name, path: "/org/freedesktop/login1", interface: LogindService.name + ".Manager"
        )
        var inhibitor: OwnedDescriptor?
        try await fprintd.connection.callForDescriptor(
            manager, "Inhibit", .tuple(["sleep", FprintdService.name, "", "delay"].map(Variant.string)),
            within: .seconds(5)
        ) { inhibitor = $0 }
        return try #require(inhibitor)
    }

    @Test @GLibThread func areGivenBackBeforeSleepWhereFprintdKnowsOfNone() async throws {
        #expect(await seat.current() == .usable)
        let claim = try await verifier.claim("Reader")
        try await logind.command("sleep", "unasked", "blindly")
        #expect(await seat.next() == .sleeping)
        await claim.release()
        #expect(fprintd.count("Release") == 1)
    }

    @Test @GLibThread func areGivenBackAfterTheResumeWhereFprintdSuspendsItsReaders() async throws {
        let inhibitor = try await delaySleep()
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
        withExtendedLifetime(inhibitor) {}
    }

    /// It takes a reader a moment to resume.
    @Test @GLibThread func areTriedAgainJustAfterTheResume() async throws {
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
