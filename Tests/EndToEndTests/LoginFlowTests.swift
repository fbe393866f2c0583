import Foundation
import TestSupport
import Testing

@Suite(.realParts, .timeLimit(.minutes(5))) struct LoginFlowTests {
    @Test(arguments: [Desktop.Reader.storage, .host])
    func openLoginChangeOpenAgainAndClose(_ reader: Desktop.Reader) async throws {
        let bench = try await Bench(reader: reader), client = try bench.client()
        #expect(
            try await client.call("IsEnabled", ["application": Bench.application]).parameters["code"] as? Int == -5001)
        let support = try await client.call("GetSupport").parameters
        #expect(support["supported"] as? Bool == true)

        try await bench.open()
        #expect(try await bench.login().key == Array("first key".utf8))
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)

        // The reader that identifies refuses a finger twice; the other one verifies whichever finger comes first.
        try await bench.desktop.enroll("left-thumb", print: reader == .storage ? "B" : "A")
        // A reading of the fingers may be a second old.
        while try await client.call("IsEnabled").parameters["code"] as? Int != -5002 {}
        let refused = try await client.call("Login", ["localizedReason": "log in"])
        #expect(refused.error == "BiometricLoginInfoModified" && refused.parameters["change"] as? String == "added")
        let card = try await client.call("GetUserInfo").parameters["userInfo"] as? [String: Any]
        #expect(card?["userName"] as? String == "Ada Lovelace")

        try await bench.open(key: Array("second key".utf8))
        #expect(try await bench.login().key == Array("second key".utf8))
        #expect(try await client.call("Close").error == nil)
        #expect(try await client.call("Login", ["localizedReason": "log in"]).code == -5001)
        #expect(try await client.call("Close").code == -5001)
    }

    @Test(arguments: [1, 16_384]) func aKeyComesOutAsItWasPutIn(_ size: Int) async throws {
        let bench = try await Bench()
        let key = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try await bench.open(key: key)
        let released = try await bench.login().key
        #expect(released?.elementsEqual(key) == true)
    }

    @Test func progressComesInOrderAndOneReplyEndsTheCall() async throws {
        let bench = try await Bench()
        try await bench.open()
        let client = try bench.client()
        try client.send("Login", ["localizedReason": "log in"], more: true)
        try client.send("GetStatus")
        let wrong = try await bench.desktop.touch("B"), right = try await bench.desktop.touch("A")
        #expect([wrong, right] == ["verify-no-match", "verify-match"])
        var states: [String] = []
        while case let message = try await client.receive(), message.continues {
            states.append(message.progress ?? "?")
        }
        #expect(states == ["loading", "waiting", "waiting", "processing"])
        // The last one was the reply with the key; what follows is the answer to the next call.
        #expect(try await client.receive().parameters["accounts"] as? Int == 1)
    }

    @Test func threeWrongFingersAreRefusedAndTheFifthInARowLocksOut() async throws {
        let bench = try await Bench()
        try await bench.open()
        func wrong(_ touches: Int) async throws -> Message {
            let client = try bench.client()
            try client.send("Login", ["localizedReason": "log in"])
            for _ in 0..<touches { try await bench.desktop.touch("B") }
            return try await client.receive()
        }
        #expect(try await wrong(3).error == "AuthenticationFailed")
        let locked = try await wrong(2)
        #expect(locked.error == "BiometryLockout")
        #expect((1...30).contains(locked.parameters["retryAfterSeconds"] as? Int ?? 0))
        let again = try await bench.restarted(killing: true)
        #expect(try await again.client().call("Login", ["localizedReason": "log in"]).error == "BiometryLockout")
    }

    @Test func aClientThatLeavesReleasesTheReader() async throws {
        let bench = try await Bench()
        try await bench.open()
        for _ in 0..<3 {
            let client = try bench.client()
            try client.send("Login", ["localizedReason": "log in"], more: true)
            while try await client.receive().progress != "waiting" {}
        }
        let reply = try await bench.login()
        #expect(reply.key == Array("first key".utf8), "\(reply.object)")
        // fprintd gives the device to another program: it was released.
        try await bench.desktop.enroll("left-thumb", print: "B")
    }

    @Test func aCloseEndsALoginThatWaits() async throws {
        let bench = try await Bench()
        try await bench.open()
        let client = try bench.client()
        try client.send("Login", ["localizedReason": "log in"], more: true)
        while try await client.receive().progress != "waiting" {}
        #expect(try await bench.client().call("Close").error == nil)
        #expect(try await client.receive().error == "AppCancel")
    }

    @Test func noFingerAndNoReaderAreToldApart() async throws {
        let bench = try await Bench(enrolled: false)
        #expect(try await bench.client().call("Open", Bench.opening()).error == "BiometryNotEnrolled")
        let none = try await Bench(reader: .none, enrolled: false)
        let refused = try await none.client().call("Open", Bench.opening())
        #expect(refused.error == "BiometryNotAvailable" && refused.parameters["availability"] as? String == "noDevice")
        #expect(try await none.client().call("GetSupport").parameters["supported"] as? Bool == false)
    }

    @Test func accountsOfTwoApplicationsInAnyScriptAreKeptApartOverARestart() async throws {
        let bench = try await Bench()
        let uids = ["ada", "エイダ", "آدا", "\u{E9}", "e\u{301}", "👩🏽‍💻"]
        for application in [Bench.application, "org.example.chat"] {
            for uid in uids {
                let key = Array("\(application)/\(uid)".utf8)
                let reply = try await bench.touched("Open", Bench.opening(uid, key: key, application: application))
                try #require(reply.error == nil, "\(reply.object)")
            }
        }
        let again = try await bench.restarted()
        let accounts = try await again.client().call("List").parameters["accounts"] as? [Any]
        #expect(accounts?.count == 2 * uids.count)
        for application in [Bench.application, "org.example.chat"] {
            for uid in uids {
                let reply = try await again.touched(
                    "Login", ["account": Bench.account(uid, application), "localizedReason": "log in"])
                #expect(reply.key == Array("\(application)/\(uid)".utf8))
            }
        }
        let last = try await again.client().call("GetUserInfo").parameters["userInfo"] as? [String: Any]
        #expect(last?["uid"] as? String == uids.last)
    }

    @Test func monitorTellsOfEveryEvent() async throws {
        let bench = try await Bench(), watcher = try bench.client()
        try watcher.send("Monitor", ["application": Bench.application], more: true)
        #expect(try await watcher.receive().parameters["event"] as? String == "initial")
        try await bench.open()
        _ = try await bench.login()
        let client = try bench.client()
        _ = try await client.call("UpdateUserInfo", ["userInfo": ["uid": "ada", "nickName": "A"]])
        try await bench.desktop.delete()
        while try await client.call("IsEnabled").parameters["code"] as? Int != -5002 {}
        _ = try await client.call("Close")
        var events: [String] = []
        while events.last != "closed" {
            let event = try await watcher.receive().parameters["event"] as? String ?? "?"
            if event != "support" { events.append(event) }
        }
        #expect(events == ["opened", "loggedIn", "updated", "invalidated", "closed"])
    }
}
