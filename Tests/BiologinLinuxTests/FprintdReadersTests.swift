import BiologinCore
import Testing

@testable import BiologinLinux

@Suite(.timeLimit(.minutes(5))) struct FprintdReadersTests {
    let bus: PrivateBus

    init() async throws { bus = try await PrivateBus() }

    /// - Parameter readingLimit: no less than a busy computer may need, unless somebody does not answer.
    private func fprintd(clock: any Clock = SystemClock(), readingLimit: Duration = .seconds(60)) -> Fprintd {
        Fprintd(bus: Bus(address: bus.address), clock: clock, readingLimit: readingLimit)
    }

    private static func reader(
        _ availability: Availability, _ device: String? = nil, _ enrolled: [String] = []
    ) -> Reader {
        Reader(verifier: "fprintd", device: device, availability: availability, enrolled: enrolled, detection: .watched)
    }

    @Test func saysThatThereIsNoBus() async {
        let fprintd = Fprintd(bus: Bus(address: "unix:path=/nonexistent"), clock: SystemClock())
        #expect(await fprintd.readers() == [Self.reader(.unavailable)])
    }

    @Test func saysThatThereIsNoFprintd() async { #expect(await fprintd().readers() == [Self.reader(.unavailable)]) }

    @Test @GLibThread func saysThatThereIsNoDevice() async throws {
        let standIn = try await StandIn(on: bus, devices: [])
        #expect(await fprintd().readers() == [Self.reader(.noDevice)])
        withExtendedLifetime(standIn) {}
    }

    @Test @GLibThread func waitsForNoDeviceBecauseOfAnother() async throws {
        let standIn = try await StandIn(on: bus, devices: [("/device/0", "Stuck"), ("/device/1", "Other")])
        standIn.script["ListEnrolledFingers /device/0"] = [{ _ in }]
        let readers = await fprintd().readers(within: .seconds(3))
        #expect(readers == [Self.reader(.silent, "Stuck"), Self.reader(.ready, "Other", ["right-index-finger"])])
    }

    @Test(arguments: ["Get /device/0", "Claim /device/0"])
    @GLibThread func claimsAReaderBesideOneThatIsStuck(call: String) async throws {
        let name = call.hasPrefix("Get") ? "Stuck" : "Reader"
        let standIn = try await StandIn(on: bus, devices: [("/device/0", name), ("/device/1", "Reader")])
        standIn.script[call] = [{ _ in }]
        let claim = try await fprintd().claim("Reader", within: .seconds(6))
        await claim.release()
        #expect(await standIn.next("Release").path == "/device/1")
    }

    /// A client that leaves does not keep the next one waiting.
    @Test(arguments: ["GetDevices", "Get", "ListEnrolledFingers"])
    @GLibThread func waitsForNobodyWhenItIsCancelled(method: String) async throws {
        let standIn = try await StandIn(on: bus)
        standIn.script[method] = [{ _ in }]
        let fprintd = fprintd()
        let asking = Task { await fprintd.readers(within: .seconds(300)) }
        _ = await standIn.next(method)
        asking.cancel()
        _ = await asking.value
    }

    @Test @GLibThread func readsTheFingersOnAReaderBesideOneThatIsStuck() async throws {
        let standIn = try await StandIn(on: bus, devices: [("/device/0", "Stuck"), ("/device/1", "Other")])
        let clock = SetClock()
        let fprintd = fprintd(clock: clock, readingLimit: .seconds(3))
        standIn.script["ListEnrolledFingers /device/0"] = [{ _ in }]
        #expect(await fprintd.knownEnrollment(of: "Other")?.fingers == standIn.fingers)
        #expect(await fprintd.knownEnrollment(of: "Stuck") == nil)
        #expect(standIn.count("ListEnrolledFingers") == 2)
        // It is left alone for a while, and asked again.
        clock.time.withLock { $0 = .seconds(1) }
        #expect(await fprintd.knownEnrollment(of: "Other")?.fingers == standIn.fingers)
        #expect(standIn.count("ListEnrolledFingers") == 3)
        clock.time.withLock { $0 = .seconds(6) }
        #expect(await fprintd.knownEnrollment(of: "Stuck")?.fingers == standIn.fingers)
    }

    @Test @GLibThread func takesNoReaderForOneOfItsNameThatIsStuck() async throws {
        let standIn = try await StandIn(on: bus, devices: [("/device/0", "Reader"), ("/device/1", "Reader")])
        let clock = SetClock()
        let fprintd = fprintd(clock: clock, readingLimit: .seconds(3))
        #expect(await fprintd.knownEnrollment(of: "Reader")?.fingers == standIn.fingers)
        standIn.script["ListEnrolledFingers /device/0"] = [{ _ in }]
        standIn.script["ListEnrolledFingers /device/1"] = [{ $0.fail("NoEnrolledPrints") }]
        clock.time.withLock { $0 = .seconds(1) }
        #expect(await fprintd.knownEnrollment(of: "Reader") == nil)
        // Nor when it is unplugged, until both are there again and agree.
        standIn.script["GetDevices"] = [{ $0.answer(.tuple(.array(of: "o", [.objectPath("/device/1")]))) }]
        standIn.script["ListEnrolledFingers /device/1"] = [{ $0.fail("NoEnrolledPrints") }]
        clock.time.withLock { $0 = .seconds(7) }
        #expect(await fprintd.knownEnrollment(of: "Reader") == nil)
        clock.time.withLock { $0 = .seconds(8) }
        #expect(await fprintd.knownEnrollment(of: "Reader")?.fingers == standIn.fingers)
    }

    @Test(arguments: [("NoEnrolledPrints", Availability.notEnrolled), ("PermissionDenied", .permissionDenied)])
    @GLibThread func saysWhyAReaderCannotBeUsed(name: String, availability: Availability) async throws {
        let standIn = try await StandIn(on: bus)
        standIn.script["ListEnrolledFingers"] = [{ $0.fail(name) }]
        #expect(await fprintd().readers() == [Self.reader(availability, "Reader")])
    }

    @Test @GLibThread func claimsAnotherReaderOfTheNameThanTheOneThatIsTaken() async throws {
        let standIn = try await StandIn(on: bus, devices: [("/device/0", "Reader"), ("/device/1", "Reader")])
        standIn.script["Claim /device/0"] = [{ $0.fail("AlreadyInUse") }]
        let claim = try await fprintd().claim("Reader")
        await claim.release()
        #expect(await standIn.next("Release").path == "/device/1")
    }

    /// A reader that is busy or stuck is no change of the fingers on it.
    @Test(arguments: [("AlreadyInUse", .busy), (nil, .silent)] as [(String?, Availability)])
    @GLibThread func claimsNoOtherReaderOfTheNameWithOtherFingersOnIt(fault: String?, reason: Availability) async throws
    {
        let standIn = try await StandIn(on: bus, devices: [("/device/0", "Reader"), ("/device/1", "Reader")])
        standIn.script["Claim /device/0"] = Array(repeating: { call in fault.map(call.fail) }, count: 50)
        standIn.script["ListEnrolledFingers /device/1"] = Array(repeating: { $0.fail("NoEnrolledPrints") }, count: 50)
        await #expect(throws: VerifierError.unavailable(reason)) {
            _ = try await fprintd().claim("Reader", within: .seconds(3))
        }
    }

    @Test @GLibThread func sharesOneReadingForASecond() async throws {
        let standIn = try await StandIn(on: bus)
        let clock = SetClock()
        let fprintd = fprintd(clock: clock)
        async let first = fprintd.knownEnrollment(of: "Reader")
        async let second = fprintd.knownEnrollment(of: "Reader")
        let enrollment = Enrollment(reader: "Reader", fingers: ["right-index-finger"], heard: 0)
        #expect(await [first, second] == [enrollment, enrollment])

        standIn.fingers = []
        clock.time.withLock { $0 = .milliseconds(999) }
        #expect(await fprintd.knownEnrollment(of: "Reader") == enrollment)
        clock.time.withLock { $0 = .seconds(1) }
        #expect(await fprintd.knownEnrollment(of: "Reader") == Enrollment(reader: "Reader", fingers: [], heard: 0))
        #expect(standIn.count("ListEnrolledFingers") == 2)
    }

    @Test(arguments: ["enroll-completed", "enroll-stage-passed"])
    @GLibThread func readsAgainAtOnceWhenSomebodyEnrolls(status: String) async throws {
        let standIn = try await StandIn(on: bus)
        let fprintd = fprintd(clock: SetClock())
        _ = await fprintd.knownEnrollment(of: "Reader")
        standIn.fingers.append("left-thumb")
        try await standIn.emit("EnrollStatus", .string(status), .bool(true))
        // What is asked of the same bus is answered after the signal.
        _ = try await fprintd.bus.connection(within: .seconds(5)).owner(of: "org.example", within: .seconds(5))
        let fingers = await fprintd.knownEnrollment(of: "Reader")?.fingers
        #expect(fingers == ["left-thumb", "right-index-finger"])
    }

    @Test @GLibThread func readsAgainAtOnceWhenAnotherFprintdHasCome() async throws {
        let old = try await StandIn(on: bus)
        let fprintd = fprintd(clock: SetClock())
        _ = await fprintd.knownEnrollment(of: "Reader")
        let new = try await StandIn(on: bus)
        new.fingers = []
        _ = try await fprintd.bus.connection(within: .seconds(5)).owner(of: "org.example", within: .seconds(5))
        #expect(await fprintd.knownEnrollment(of: "Reader")?.fingers == [])
        withExtendedLifetime(old) {}
    }

    @Test(arguments: [true, false])
    @GLibThread func takesNoReaderForAnotherOfItsName(differ: Bool) async throws {
        let standIn = try await StandIn(on: bus, devices: [("/device/0", "Reader"), ("/device/1", "Reader")])
        if differ { standIn.script["ListEnrolledFingers /device/1"] = [{ $0.fail("NoEnrolledPrints") }] }
        let fprintd = fprintd(clock: SetClock())
        #expect((await fprintd.knownEnrollment(of: "Reader") == nil) == differ)
        // Nor after one of them was claimed.
        let claim = try await fprintd.claim("Reader")
        _ = try await claim.enrollment()
        #expect((await fprintd.knownEnrollment(of: "Reader") == nil) == differ)
    }

    @Test(arguments: [true, false]) @GLibThread func keepsNoFprintdThatIsIdle(known: Bool) async throws {
        let standIn = try await StandIn(on: bus)
        let fprintd = fprintd()
        if known { _ = await fprintd.knownEnrollment(of: "Reader") } else { _ = await fprintd.readers() }
        let call = await standIn.next("ListEnrolledFingers")
        #expect(await standIn.departure(of: call.sender))
    }

    @Test @GLibThread func remembersWhatWasEnrolledWhileFprintdIsAway() async throws {
        let standIn = try await StandIn(on: bus)
        let clock = SetClock()
        let fprintd = fprintd(clock: clock)
        let enrollment = await fprintd.knownEnrollment(of: "Reader")
        #expect(enrollment != nil)
        standIn.connection.close()
        clock.time.withLock { $0 = .seconds(2) }
        #expect(await fprintd.knownEnrollment(of: "Reader") == enrollment)
        #expect(await fprintd.knownEnrollment(of: "Other") == nil)
    }

    @Test @GLibThread func tellsWhenFprintdComesAndGoes() async throws {
        let fprintd = fprintd()
        let absent = await fprintd.readers()
        #expect(absent == [Self.reader(.unavailable)])
        let changes = [fprintd.events(), fprintd.events()]
        let told = changes.map { changes in Task { await changes.next() } }
        // What is asked after they have begun to listen is answered after.
        _ = await fprintd.readers()
        let standIn = try await StandIn(on: bus)
        for told in told { _ = await told.value }
        withExtendedLifetime(standIn) {}
    }
}

/// A clock that stands still until it is set.
final class SetClock: Clock {
    let time = Locked<Duration>(.zero)
    var now: Timestamp { Timestamp(seconds: 0) }
    var sinceBoot: Duration { time.withLock { $0 } }
    var bootID: String { "" }
}
