import Foundation
import TestSupport
import Testing

/// Many at once, and those who are slow, do not keep the others from being served.
@Suite(.realParts, .serialized, .timeLimit(.minutes(5))) struct LoadTests {
    @Test func ofFiftyAtOnceSeventeenAreServedInOrderAndTheOthersAreBusyAtOnce() async throws {
        let bench = try await Bench()
        try await bench.open()
        let clients = try (0..<50).map { _ in try bench.client() }
        for client in clients {
            try client.send("Login", Bench.loggingIn, more: true)
            // In the line, before the next one asks.
            #expect(try await client.receive().progress == "loading")
        }
        #expect(try await clients[0].receive().progress == "waiting")
        for client in clients[17...] {
            let refused = try await client.receive()
            #expect(refused.error == "Busy" && !refused.continues, "\(refused.object)")
            let holder = refused.parameters["holder"] as? [String: Any]
            #expect(holder?["pid"] as? Int == Int(getpid()))
        }
        for client in clients[1...16] { #expect(try await client.receive().progress == "queued") }

        let reader = try bench.client()
        for _ in 0..<200 { #expect(try await reader.call("IsEnabled").parameters["enabled"] as? Bool == true) }

        for (place, client) in clients[...16].enumerated() {
            if place > 0 { #expect(try await client.receive().progress == "waiting") }
            try await bench.desktop.touch("A")
            #expect(try await client.receive().progress == "processing")
            let reply = try await client.receive()
            #expect(reply.key == Array("first key".utf8) && !reply.continues, "place \(place): \(reply.object)")
        }
    }

    @Test func twoHundredThatStartAndLeaveReleaseAsOftenAsTheyClaim() async throws {
        let bench = try await Bench()
        try await bench.open()
        let monitor = try Program(
            "dbus-monitor", ["--address", bench.desktop.systemBus, "--profile", "destination=net.reactivated.Fprint"],
            environment: bench.desktop.environment)
        _ = await monitor.output.next(containing: "NameLost")
        for round in 0..<200 {
            let client = try bench.client()
            try client.send("Login", Bench.loggingIn, more: true)
            // They leave at once, while they wait in the line, or while the sensor waits.
            let left = ["loading", "loading", "waiting"][round % 3]
            if round % 3 > 0 { while try await client.receive().progress != left {} }
        }
        #expect(try await bench.login().key == Array("first key".utf8))
        // Nobody else could claim it otherwise; and it is a call to wait for.
        try await bench.desktop.enroll("left-thumb", print: "B")
        var counts: [String: Int] = [:]
        while let line = await monitor.output.next(), !line.hasSuffix("EnrollStart") {
            if let member = line.split(whereSeparator: \.isWhitespace).last { counts[String(member), default: 0] += 1 }
        }
        // The last claim is the one that enrolls.
        #expect(counts["Claim", default: 0] - 1 == counts["Release"])
        #expect(counts["VerifyStart", default: 0] >= 60)
    }

    @Test func aThousandIdleOnesAndThoseWhoAreSlowKeepNobodyFromALogin() async throws {
        let bench = try await Bench()
        try await bench.open()
        let idle = try (0..<1000).map { _ in try bench.client() }
        let dripping = try bench.client(), deaf = try bench.client(), slow = try bench.client()
        dripping.send(raw: Array(#"{"method""#.utf8))
        // Ends with the daemon at the latest, since nobody reads the answers.
        Thread.detachNewThread { for _ in 0..<2000 { try? deaf.send("List") } }
        for _ in 0..<500 { try slow.send("GetUserInfo") }

        #expect(try await bench.login().key == Array("first key".utf8))
        dripping.send(raw: Array(#":"org.biologin.Login.GetStatus"}"#.utf8) + [0])
        #expect(try await dripping.receive().parameters["accounts"] as? Int == 1)
        for _ in 0..<500 { #expect(try await slow.receive().parameters["userInfo"] != nil) }
        for client in [idle[0], idle[999]] { #expect(try await client.call("GetStatus").error == nil) }
    }
}
