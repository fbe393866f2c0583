import BiologinCore
import TestSupport
import Testing

@testable import BiologinLinux

/// Against the real fprintd and libfprint's virtual readers.
@Suite(.realParts, .timeLimit(.minutes(5))) struct FprintdTests {
    private static let names: [Desktop.Reader: String] = [
        .storage: "Virtual device with storage and identification for debugging",
        .host: "Virtual device for debugging",
    ]

    private func fprintd(on desktop: Desktop) -> Fprintd {
        Fprintd(bus: Bus(address: desktop.systemBus), clock: SystemClock())
    }

    /// A scan that runs, and what it reports.
    private func scan(_ claim: any ClaimedReader) -> (Task<Bool, any Error>, AsyncStream<ScanEvent>) {
        let (events, sink) = AsyncStream.makeStream(of: ScanEvent.self)
        return (Task { try await claim.scan(within: .seconds(20)) { sink.yield($0) } }, events)
    }

    @Test(arguments: [Desktop.Reader.storage, .host]) func tellsAFingerFromAnother(reader: Desktop.Reader) async throws
    {
        let desktop = try await Desktop(reader: reader, keyring: .none)
        let fprintd = fprintd(on: desktop), name = Self.names[reader]!
        #expect(
            await fprintd.readers() == [
                Reader(verifier: "fprintd", device: name, availability: .notEnrolled, enrolled: [], detection: .watched)
            ])
        try await desktop.enroll("right-index-finger", print: "A")
        #expect(
            await fprintd.readers() == [
                Reader(
                    verifier: "fprintd", device: name, availability: .ready, enrolled: ["right-index-finger"],
                    detection: .watched)
            ])

        let claim = try await fprintd.claim(name)
        #expect(try await claim.enrollment().fingers == ["right-index-finger"])
        for (print, matches) in [("A", true), ("B", false), ("A", true)] {
            let (scan, events) = scan(claim)
            await events.next()
            try await desktop.touch(print)
            #expect(try await scan.value == matches)
        }
        await claim.release()
        #expect(await fprintd.knownEnrollment(of: name)?.fingers == ["right-index-finger"])
    }

    @Test func saysWhatWasWrongWithAScan() async throws {
        let desktop = try await Desktop(keyring: .none)
        try await desktop.enroll()
        let claim = try await fprintd(on: desktop).claim(Self.names[.storage]!)
        let (scan, events) = scan(claim)
        await events.next()
        try await desktop.retry(2)
        let event = await events.next()
        #expect(event == .retry(hint: "the finger was not centered on the reader"))
        try await desktop.touch()
        #expect(try await scan.value)
        await claim.release()
    }

    @Test func cannotScanWhereNoFingerIsEnrolled() async throws {
        let desktop = try await Desktop(keyring: .none)
        let claim = try await fprintd(on: desktop).claim(Self.names[.storage]!)
        await #expect(throws: VerifierError.unavailable(.notEnrolled)) {
            _ = try await claim.scan(within: .seconds(20)) { _ in }
        }
        #expect(try await claim.enrollment().fingers == [])
        await claim.release()
    }

    @Test func leavesTheReaderToOthersAfterACancel() async throws {
        let desktop = try await Desktop(keyring: .none)
        try await desktop.enroll()
        let fprintd = fprintd(on: desktop), name = Self.names[.storage]!
        for _ in 0..<5 {
            let claim = try await fprintd.claim(name)
            let (scan, events) = scan(claim)
            await events.next()
            scan.cancel()
            await #expect(throws: VerifierError.cancelled) { _ = try await scan.value }
            await claim.release()
        }
        // Claims it for itself.
        try await desktop.enroll("left-thumb", print: "B")
    }

    @Test func isBusyWhileAnotherHasTheReader() async throws {
        let desktop = try await Desktop(keyring: .none)
        let fprintd = fprintd(on: desktop), name = Self.names[.storage]!
        let claim = try await fprintd.claim(name)
        await #expect(throws: VerifierError.unavailable(.busy)) {
            _ = try await fprintd.claim(name, within: .seconds(1))
        }
        let waiting = Task { try await fprintd.claim(name) }
        await claim.release()
        await (try await waiting.value).release()
    }

    @Test(arguments: [Desktop.Part.fprintd, .systemBus]) func endsAScanWhosePartDies(part: Desktop.Part) async throws {
        let desktop = try await Desktop(reader: .host, keyring: .none)
        try await desktop.enroll()
        let fprintd = fprintd(on: desktop), name = Self.names[.host]!
        let claim = try await fprintd.claim(name)
        let (scan, events) = scan(claim)
        await events.next()
        try await desktop.kill(part)
        await #expect(throws: VerifierError.unavailable(.unavailable)) { _ = try await scan.value }
        await claim.release()
        guard part == .fprintd else { return }

        try await desktop.start(part)
        let next = try await fprintd.claim(name)
        let (again, moreEvents) = self.scan(next)
        await moreEvents.next()
        try await desktop.touch()
        #expect(try await again.value)
        await next.release()
    }

    @Test func closesTheClaimOfADriverThatIgnoresCanceling() async throws {
        let desktop = try await Desktop(keyring: .none)
        try await desktop.enroll()
        let fprintd = Fprintd(bus: Bus(address: desktop.systemBus), clock: SystemClock(), limit: .seconds(1))
        let claim = try await fprintd.claim(Self.names[.storage]!)
        let (scan, events) = scan(claim)
        await events.next()
        try await desktop.command("raw", "SET_CANCELLATION_ENABLED", "0")
        scan.cancel()
        await #expect(throws: VerifierError.cancelled) { _ = try await scan.value }
        await claim.release()
    }
}
