import Foundation
import TestSupport
import Testing

/// The real daemon and the real fprintd, and what breaks between them: the reason, soon; the account as it was; and the next
/// try works without a restart of the daemon.
@Suite(.realParts, .timeLimit(.minutes(5))) struct ReaderFaultTests {
    private static let login = ["localizedReason": "log in"]

    /// Generous: for a slow computer, and still less than two deadlines of 5 s.
    private static let soon: Duration = .seconds(9)

    private func openBench(
        _ reader: Desktop.Reader = .host, options: [String] = []
    ) async throws -> Bench {
        let bench = try await Bench(reader: reader, options: { _ in options })
        try await bench.open()
        return bench
    }

    /// A login that waits for a touch.
    private func waiting(_ bench: Bench) async throws -> RawClient {
        let client = try bench.client()
        try client.send("Login", Self.login, more: true)
        while case let message = try await client.receive(), message.progress != "waiting" {
            try #require(message.continues, "\(message.object)")
        }
        return client
    }

    private func expectRefusal(_ message: Message, _ availability: String?) {
        #expect(message.error == "BiometryNotAvailable" && message.code == -6, "\(message.object)")
        #expect(message.parameters["availability"] as? String == availability, "\(message.object)")
        #expect(message.parameters["remedy"] is String)
    }

    /// No change, no failed attempt; a read is answered, and a login works.
    private func expectAccountAsItWas(_ bench: Bench, canLogIn: Bool = true) async throws {
        let answer = try await bench.client().call("IsEnabled").parameters
        #expect(answer["enabled"] as? Bool == true, "\(answer)")
        #expect(!FileManager.default.fileExists(atPath: bench.desktop.directory + "/state/simulated/attempts"))
        guard canLogIn else { return }
        let reply = try await bench.login()
        #expect(reply.key == Array("first key".utf8), "\(reply.object)")
    }

    @Test(arguments: [["kill", "fprintd"], ["restart", "fprintd"], ["kill", "system-bus"]])
    func whatEndsInMidVerificationEndsTheCall(fault: [String]) async throws {
        let bench = try await openBench(), running = try await waiting(bench)
        try await bench.desktop.command(fault)
        expectRefusal(try await running.receive(), "unavailable")
        try await expectAccountAsItWas(bench, canLogIn: false)
        // The desktop's own connections end with its bus.
        if fault.last == "system-bus" { return }
        if fault.first == "kill" {
            expectRefusal(try await bench.client().call("Login", Self.login), "unavailable")
            expectRefusal(try await bench.client().call("Open", Bench.opening("bob")), "unavailable")
            try await bench.desktop.start(.fprintd)
        }
        try await expectAccountAsItWas(bench)
    }

    /// polkit holds up fprintd, which waits for it and answers nobody meanwhile.
    @Test(arguments: [Desktop.Part.fprintd, .polkit, .systemBus])
    func whatHangsIsGivenUpBeforeTheSensorLights(part: Desktop.Part) async throws {
        let bench = try await openBench(), client = try bench.client(), other = try bench.client()
        try await bench.desktop.freeze(part)
        for (method, parameters) in [("Login", Self.login), ("Open", Bench.opening("bob"))] {
            let began = ContinuousClock.now
            try client.send(method, parameters)
            let refusal = Task { (try await client.receive(), ContinuousClock.now) }
            let read = try await other.call("IsEnabled").parameters["enabled"] as? Bool
            let readAt = ContinuousClock.now
            let (refused, refusedAt) = try await refusal.value
            #expect(read == true && readAt < refusedAt, "nothing else waits")
            #expect(refused.error == "TimedOut" && refused.code == -6002, "\(method): \(refused.object)")
            #expect(refusedAt - began < Self.soon)
        }
        try await bench.desktop.thaw(part)
        try await expectAccountAsItWas(bench)
    }

    @Test func fprintdThatHangsWhileItWaitsForATouchIsLeft() async throws {
        let bench = try await openBench(options: ["--verify-timeout", "2"]), running = try await waiting(bench)
        try await bench.desktop.freeze(.fprintd)
        let began = ContinuousClock.now
        #expect(try await running.receive().error == "TimedOut")
        #expect(ContinuousClock.now - began < Self.soon)
        try await bench.desktop.thaw(.fprintd)
        try await expectAccountAsItWas(bench)
    }

    @Test func aReaderThatComesGoesAndComesBackIsNoticedEachTime() async throws {
        let bench = try await Bench(reader: .none, enrolled: false), desktop = bench.desktop
        let client = try bench.client()
        expectRefusal(try await client.call("Open", Bench.opening()), "noDevice")
        try await desktop.command("restart", "fprintd", "host")
        try await desktop.enroll()
        #expect(try await client.call("GetSupport").parameters["supported"] as? Bool == true)
        try await bench.open()

        let running = try await waiting(bench)
        try await desktop.command("raw", "UNPLUG")
        expectRefusal(try await running.receive(), "noDevice")
        expectRefusal(try await client.call("Login", Self.login), "noDevice")
        #expect(try await client.call("GetSupport").parameters["supported"] as? Bool == false)
        try await expectAccountAsItWas(bench, canLogIn: false)

        try await desktop.restart(.fprintd)
        try await expectAccountAsItWas(bench)
    }

    @Test func aReaderThatAnotherProgramHasIsBusyUntilItIsGivenBack() async throws {
        let bench = try await openBench(), client = try bench.client()
        try await bench.desktop.command("claim")
        let began = ContinuousClock.now
        let refused = try await client.call("Login", Self.login)
        #expect(refused.error == "Busy" && refused.code == -6001, "\(refused.object)")
        #expect(ContinuousClock.now - began < Self.soon)
        // fprintd tells nobody who it is.
        #expect(refused.parameters["holder"] == nil)
        #expect(refused.parameters["message"] as? String == "another program uses the reader")
        try await expectAccountAsItWas(bench, canLogIn: false)

        try client.send("Login", Self.login)
        try await bench.desktop.command("release")
        try await bench.desktop.touch()
        #expect(try await client.receive().key == Array("first key".utf8))
        try await expectAccountAsItWas(bench)
    }

    @Test func whatPolkitRefusesIsSaidSo() async throws {
        let bench = try await openBench(), client = try bench.client()
        try await bench.desktop.command("restart", "polkit", "refusing")
        expectRefusal(try await client.call("Login", Self.login), "permissionDenied")
        expectRefusal(try await client.call("Open", Bench.opening("bob")), "permissionDenied")
        let verifiers = try await client.call("GetSupport").parameters["verifiers"] as? [[String: Any]]
        #expect(verifiers?.first?["availability"] as? String == "permissionDenied")
        try await expectAccountAsItWas(bench, canLogIn: false)
        try await bench.desktop.restart(.polkit)
        try await expectAccountAsItWas(bench)
    }

    /// Two days of attempts: each is ended by the first failure, and none is counted.
    @Test(arguments: [("0", "unavailable"), ("5", "noDevice"), ("257", "unavailable")])
    func aDriverThatFailsEndsTheCall(error: String, availability: String) async throws {
        let bench = try await openBench()
        for _ in 0..<6 {
            let running = try await waiting(bench)
            try await bench.desktop.command("error", error)
            expectRefusal(try await running.receive(), availability)
        }
        try await expectAccountAsItWas(bench)
    }

    /// fprintd lists its fingers until one was not found there, and then deletes them: that, and nothing sooner, is a change.
    @Test func aReaderThatLostItsPrintsIsToldFromWhereNobodyIsEnrolled() async throws {
        let bench = try await openBench(.storage)
        try await bench.desktop.restart(.fprintd)
        let running = try await waiting(bench)
        #expect(try await bench.client().call("IsEnabled").parameters["enabled"] as? Bool == true)
        #expect(try await bench.desktop.touch() == "verify-no-match")
        let refused = try await running.receive()
        #expect(refused.code == -5002 && refused.parameters["change"] as? String == "allRemoved", "\(refused.object)")
    }

    @Test func aDriverThatIgnoresCancelingKeepsTheReaderAndNothingElse() async throws {
        let bench = try await openBench()
        var running: RawClient? = try await waiting(bench)
        try await bench.desktop.command("raw", "SET_CANCELLATION_ENABLED", "0")
        running = nil
        let refused = try await bench.client().call("Login", Self.login)
        #expect(["Busy", "TimedOut"].contains(refused.error), "\(refused.object)")
        try await expectAccountAsItWas(bench, canLogIn: false)
        // A touch ends it at last.
        try await bench.desktop.command("raw", "SCAN", "A")
        try await expectAccountAsItWas(bench)
        withExtendedLifetime(running) {}
    }
}
