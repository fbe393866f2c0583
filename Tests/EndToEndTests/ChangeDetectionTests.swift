import TestSupport
import Testing

/// What each strength notices, and what it leaves alone.
@Suite(.realParts, .timeLimit(.minutes(5))) struct ChangeDetectionTests {
    /// A bench whose daemon asks the system helper, once there is one.
    private func benchWithHelper() async throws -> (Bench, EnrollmentProgram) {
        let bench = try await Bench(reader: .host) { ["--enrollment", EnrollmentProgram.socket(on: $0)] }
        return (bench, try await EnrollmentProgram(on: bench.desktop))
    }

    private func strength(_ bench: Bench) async throws -> String? {
        let accounts = try await bench.client().call("List").parameters["accounts"] as? [[String: Any]]
        return accounts?.first?["changeDetection"] as? String
    }

    /// The same finger with other data: whoever sees names alone sees no difference.
    private func enrollAnew(_ bench: Bench) async throws {
        try await bench.desktop.delete("right-index-finger")
        try await bench.desktop.enroll(print: "B")
    }

    private func expectInvalidated(_ bench: Bench, _ change: String) async throws {
        let client = try bench.client()
        let answer = try await client.call("IsEnabled").parameters
        #expect(answer["enabled"] as? Bool == false && answer["code"] as? Int == -5002, "\(answer)")
        let refused = try await client.call("Login", ["localizedReason": "log in"])
        #expect(refused.error == "BiometricLoginInfoModified", "the sensor stays dark: \(refused.object)")
        #expect(refused.parameters["change"] as? String == change, "\(refused.object)")
        #expect(refused.parameters["loginKey"] == nil)
    }

    @Test(arguments: [false, true]) func contentNoticesTheSameFingerEnrolledAnew(whileItRan: Bool) async throws {
        let (bench, helper) = try await benchWithHelper()
        try await bench.open()
        #expect(try await strength(bench) == "content")
        #expect(try await bench.login().error == nil)
        if whileItRan { try await enrollAnew(bench) }
        let later = try await bench.restarted { if !whileItRan { try await enrollAnew(bench) } }
        try await expectInvalidated(later, "enrolledAnew")
        try await later.open(key: Array("second key".utf8), print: "B")
        #expect(try await later.touched("Login", Bench.loggingIn, print: "B").key == Array("second key".utf8))
        withExtendedLifetime(helper) {}
    }

    @Test func contentLeavesAnAccountAloneWhereAnotherUserEnrolls() async throws {
        let (bench, helper) = try await benchWithHelper()
        try await bench.open()
        try await bench.desktop.enroll("left-thumb", print: "C", user: "daemon")
        #expect(try await bench.login().key == Array("first key".utf8))
        try await bench.desktop.restart(.fprintd)
        #expect(try await bench.restarted().login().key == Array("first key".utf8))
        withExtendedLifetime(helper) {}
    }

    @Test func withoutItsHelperAnAccountOfContentReleasesNothingAndLosesNothing() async throws {
        let (bench, helper) = try await benchWithHelper()
        try await bench.open()
        await helper.kill()
        let refused = try await bench.login()
        #expect(refused.error == "EnrollmentUnknown" && refused.key == nil, "\(refused.object)")
        #expect(try await bench.client().call("IsEnabled").parameters["enabled"] as? Bool == true)
        #expect(try await strength(bench) == "content")
        let again = try await EnrollmentProgram(on: bench.desktop)
        #expect(try await bench.login().key == Array("first key".utf8))
        withExtendedLifetime(again) {}
    }

    @Test func theStrengthOfAnAccountRisesWithTheNextLogin() async throws {
        let bench = try await Bench(reader: .host) { ["--enrollment", EnrollmentProgram.socket(on: $0)] }
        try await bench.open()
        #expect(try await strength(bench) == "watched")
        let helper = try await EnrollmentProgram(on: bench.desktop)
        #expect(try await strength(bench) == "watched")
        #expect(try await bench.login().error == nil)
        while try await strength(bench) != "content" {}
        let later = try await bench.restarted()
        #expect(try await strength(later) == "content")
        #expect(try await later.login().key == Array("first key".utf8))
        withExtendedLifetime(helper) {}
    }

    @Test func watchedNoticesTheSameFingerEnrolledAnewAndMonitorSaysSo() async throws {
        let bench = try await Bench(reader: .host)
        try await bench.open()
        let monitor = try bench.client()
        try monitor.send("Monitor", more: true)
        #expect(try await monitor.receive().parameters["event"] as? String == "initial")
        try await bench.desktop.delete("right-index-finger")
        try await bench.desktop.enroll(print: "B")
        while try await monitor.receive().parameters["event"] as? String != "invalidated" {}
        let later = try await bench.restarted(killing: true)
        let code = try await later.client().call("IsEnabled").parameters["code"] as? Int
        #expect(code == -5002, "it was on disk before anybody was told")
    }

    @Test func watchedNoticesNothingWhileTheDaemonDoesNotRun() async throws {
        let bench = try await Bench(reader: .host)
        try await bench.open()
        let later = try await bench.restarted { try await enrollAnew(bench) }
        #expect(try await later.touched("Login", Bench.loggingIn, print: "B").error == nil)
    }

    @Test func allFingersRemovedIsAChange() async throws {
        let bench = try await Bench(reader: .host)
        try await bench.open()
        let later = try await bench.restarted { try await bench.desktop.delete() }
        let refused = try await later.client().call("Login", ["localizedReason": "log in"])
        #expect(refused.code == -5002 && refused.parameters["change"] as? String == "allRemoved", "\(refused.object)")
        #expect(try await strength(later) != nil, "it stays listed")
    }
}
