import Foundation
import TestSupport
import Testing

/// The real daemon, the real fprintd, and a stand-in for logind.
@Suite(.realParts, .timeLimit(.minutes(5))) struct SeatTests {
    private static let login = ["localizedReason": "log in"]

    private func bench(_ reader: Desktop.Reader = .storage) async throws -> Bench {
        let bench = try await Bench(reader: reader)
        try await bench.desktop.start(.logind)
        try await bench.open()
        return bench
    }

    /// A login that waits for a touch.
    private func waiting(_ bench: Bench) async throws -> RawClient {
        let client = try bench.client()
        try client.send("Login", Self.login, more: true)
        while try await client.receive().progress != "waiting" {}
        return client
    }

    /// Returns when the daemon has heard of it, and holds an inhibitor again.
    private func wake(_ bench: Bench) async throws {
        try await bench.desktop.command("logind", "wake")
        #expect(try await bench.desktop.command("logind", "inhibited") == "yes")
    }

    @Test(arguments: [Desktop.Reader.storage, .host])
    func suspendInMidVerificationLeavesTheReaderUsable(reader: Desktop.Reader) async throws {
        let bench = try await bench(reader), desktop = bench.desktop
        for _ in 0..<2 {
            let running = try await waiting(bench), queued = try bench.client(), reading = try bench.client()
            try queued.send("Open", Bench.opening("bob"), more: true)
            while try await queued.receive().progress != "queued" {}
            #expect(try await desktop.command("logind", "sleep") == "dark")
            for client in [running, queued] {
                let refused = try await client.receive()
                #expect(refused.error == "SystemCancel" && refused.code == -4)
            }
            #expect(try await reading.call("Login", Self.login).error == "SystemCancel")
            #expect(try await reading.call("IsEnabled").parameters["enabled"] as? Bool == true)

            try await wake(bench)
            let reply = try await bench.login()
            #expect(reply.key == Array("first key".utf8), "\(reply.object)")
        }
        // Nothing of it was a failed attempt.
        let wrong = try bench.client()
        try wrong.send("Login", Self.login, more: true)
        var left: [Int?] = []
        while case let message = try await wrong.receive(), message.continues {
            guard message.progress == "waiting" else { continue }
            left.append((message.parameters["progress"] as? [String: Any])?["attemptsLeft"] as? Int)
            try await desktop.touch("B")
        }
        #expect(left == [3, 2, 1])
    }

    @Test func noKeyIsInMemoryWhenTheComputerSleeps() async throws {
        let bench = try await bench(), client = try bench.client()
        guard let memory = ProcessMemory(of: bench.daemon.program.processID) else { return }
        // From their middle: the allocator overwrites the start of what is freed.
        func needles(_ key: [UInt8]) -> [[UInt8]] {
            [key, Array(Data(key).base64EncodedString().utf8)].map { Array($0[1500..<1524]) }
        }
        // Letters: no slash in their base64, which JSON may escape.
        let keys = (0..<2).map { _ in (0..<3000).map { _ in UInt8.random(in: 0x61...0x7A) } }
        try await bench.open(key: keys[0])
        #expect(try await bench.login().key == keys[0])
        try client.send("Open", Bench.opening("bob", key: keys[1]), more: true)
        while try await client.receive().progress != "waiting" {}
        #expect(await memory.count(of: needles(keys[1])) == 2)
        #expect(try await bench.desktop.command("logind", "sleep") == "dark")
        #expect(await memory.count(of: keys.flatMap(needles)) == 0)
        #expect(try await client.receive().error == "SystemCancel")
    }

    /// The machine waits for no driver.
    @Test func sleepsInTimeWhereFprintdHangs() async throws {
        let bench = try await bench(), client = try await waiting(bench)
        try await bench.desktop.freeze(.fprintd)
        #expect(try await bench.desktop.command("logind", "sleep", "blindly") == "let go")
        #expect(try await client.receive().error == "SystemCancel")
        try await bench.desktop.thaw(.fprintd)
        // It has dealt with what came before.
        _ = try await bench.desktop.fingers()
        try await wake(bench)
        let reply = try await bench.login()
        #expect(reply.key == Array("first key".utf8), "\(reply.object)")
    }

    @Test(arguments: [
        (["lock"], ["unlock"], "notLocal"), (["active", "no"], ["active", "yes"], "notLocal"),
        (["lid", "closed"], ["lid", "open"], "inaccessible"),
    ])
    func nobodyIsAskedWhoIsNotThere(leave: [String], comeBack: [String], availability: String) async throws {
        let bench = try await bench(), desktop = bench.desktop, client = try bench.client()
        let watcher = try bench.client(), running = try await waiting(bench)
        try watcher.send("Monitor", more: true)
        _ = try await watcher.receive()
        try await desktop.command(["logind"] + leave)
        #expect(try await running.receive().error == "SystemCancel")
        #expect(try await watcher.receive().parameters["event"] as? String == "support")

        for (method, parameters) in [("Login", Self.login), ("Open", Bench.opening("bob"))] {
            let refused = try await client.call(method, parameters)
            #expect(refused.error == "BiometryNotAvailable" && refused.code == -6)
            #expect(refused.parameters["availability"] as? String == availability)
            #expect(refused.parameters["remedy"] is String)
        }
        let support = try await client.call("GetSupport").parameters
        #expect(support["supported"] as? Bool == false)
        #expect((support["verifiers"] as? [[String: Any]])?.first?["availability"] as? String == availability)
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)
        #expect(try await client.call("GetUserInfo").parameters["userInfo"] != nil)

        try await desktop.command(["logind"] + comeBack)
        let reply = try await bench.login()
        #expect(reply.key == Array("first key".utf8), "\(reply.object)")
    }

    /// Before the first call is served it is known where the user sits.
    @Test func aDaemonStartedInALockedSessionAsksNobody() async throws {
        let bench = try await bench()
        try await bench.desktop.command("logind", "lock")
        let again = try await bench.restarted(), client = try again.client()
        #expect(try await client.call("Login", Self.login).parameters["availability"] as? String == "notLocal")
        try await bench.desktop.kill(.logind)
        let reply = try await again.login()
        #expect(reply.key == Array("first key".utf8), "\(reply.object)")
    }
}
