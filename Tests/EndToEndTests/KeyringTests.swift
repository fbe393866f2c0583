import Foundation
import TestSupport
import Testing

@Suite(.realParts, .timeLimit(.minutes(5))) struct KeyringTests {
    @Test func aLockedLoginKeyringDoesNotMatter() async throws {
        let bench = try await Bench(), client = try bench.client()
        // Whoever showed a prompt would wait for ever.
        try await bench.desktop.startPrompter(.hang)
        try await bench.desktop.restartKeyringLocked()
        try await bench.open()
        #expect(try await bench.login().key == Array("first key".utf8))
        let status = try await client.call("GetStatus").parameters
        #expect(status["secretService"] as? String == "gnome-keyring, collection Biologin (simulated)")
        #expect(status["keyringLocked"] as? Bool == false)

        try await bench.desktop.restartKeyringLocked()
        #expect(try await bench.login().key == Array("first key".utf8))
        try await bench.desktop.restartKeyringLocked()
        #expect(try await client.call("Close").error == nil)
        #expect(try await bench.items() == 0)
        #expect(try await bench.desktop.keyringIsLocked())
    }

    @Test func recordsMoveWithTheConfiguration() async throws {
        var bench = try await Bench(collection: .default)
        try await bench.open()
        for collection in [Bench.Collection.own, .default, .own] {
            bench = try await bench.restarted(collection: collection)
            #expect(try await bench.login().key == Array("first key".utf8))
            let label = collection == .own ? "Biologin (simulated)" : "Login"
            let status = try await bench.client().call("GetStatus").parameters["secretService"] as? String
            #expect(status?.lowercased() == "gnome-keyring, collection \(label)".lowercased())
            #expect(try await bench.items() == 1)
        }
    }

    @Test func aLostPasswordIsSaidSoAndAClosedAccountMakesRoom() async throws {
        let bench = try await Bench(), client = try bench.client()
        try await bench.open()
        let password = bench.desktop.directory + "/state/simulated/collection-password"
        try FileManager.default.removeItem(atPath: password)
        try await bench.desktop.restartKeyringLocked()
        let refusal = try await client.call("Login", ["localizedReason": "log in"])
        #expect(refusal.error == "KeyringLocked")
        #expect((refusal.parameters["message"] as? String)?.contains("password") == true)
        #expect((refusal.parameters["remedy"] as? String)?.contains("collection-password") == true)
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)

        // As the remedy says.
        try await bench.desktop.deleteCollection("Biologin_5f_28simulated_29")
        #expect(try await client.call("Login", ["localizedReason": "log in"]).error == "KeyringChanged")
        #expect(try await client.call("Close").error == nil)
        try await bench.open(key: Array("second key".utf8))
        #expect(try await bench.login().key == Array("second key".utf8))
    }

    @Test func aLockedKeyringIsSaidSoTheCardIsShownAndNothingIsLost() async throws {
        let bench = try await Bench(collection: .default), client = try bench.client()
        try await bench.open()
        try await bench.desktop.lockKeyring()
        #expect(try await client.call("GetStatus").parameters["keyringLocked"] as? Bool == true)
        #expect(try await client.call("Login", ["localizedReason": "log in"]).error == "KeyringLocked")
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)
        #expect(try await client.call("GetUserInfo").parameters["userInfo"] != nil)
        try await bench.desktop.unlockKeyring()
        #expect(try await bench.login().key == Array("first key".utf8))
    }

    @Test func aKeyringThatGoesAndComesBackLosesNothing() async throws {
        let bench = try await Bench(), client = try bench.client()
        try await bench.open()
        try await bench.desktop.end(.keyring)
        #expect(try await client.call("Login", ["localizedReason": "log in"]).error == "KeyringUnavailable")
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)
        try await bench.desktop.start(.keyring)
        #expect(try await bench.login().key == Array("first key".utf8))
    }

    @Test func withoutASecretServiceAnOpenSaysSo() async throws {
        let bench = try await Bench(keyring: .none)
        #expect(try await bench.client().call("Open", Bench.opening()).error == "KeyringUnavailable")
        #expect(try await bench.client().call("GetStatus").parameters["secretService"] == nil)
        // Nor is the key anywhere else.
        let answer = try await bench.client().call("IsEnabled", ["account": Bench.account()]).parameters
        #expect(answer["code"] as? Int == -5001)
        let key = Array("first key".utf8), files = contents(of: bench.desktop.directory)
        #expect(files.contains { $0.contains("unix:path=") }, "the files that there are were read")
        for text in ["first key", Data(key).base64EncodedString(), "Ada Lovelace"] {
            #expect(!files.contains { $0.contains(text) })
        }
    }

    @Test func aCloseWhileLockedIsFinishedAfterTheUnlock() async throws {
        let bench = try await Bench(collection: .default), client = try bench.client()
        try await bench.open()
        try await bench.desktop.lockKeyring()
        #expect(try await client.call("Close").error == nil)
        #expect(try await client.call("IsEnabled").parameters["code"] as? Int == -5001)
        try await bench.desktop.unlockKeyring()
        while try await bench.items() > 0 { await Task.yield() }
    }

    @Test func nothingReadableIsAtRest() async throws {
        let bench = try await Bench()
        let key = Array("correct horse battery staple".utf8)
        let reply = try await bench.touched(
            "Open",
            Bench.opening("uid-of-ada", key: key, userInfo: ["userName": "Ada Lovelace", "nickName": "countess"]))
        try #require(reply.error == nil)
        _ = try await bench.login("uid-of-ada")
        let ending = await bench.daemon.stop()
        let secrets = ["correct horse", Data(key).base64EncodedString(), "Lovelace", "countess", "uid-of-ada"]
        var places = [ending.errors + ending.text] + contents(of: bench.desktop.directory)
        let found = try await Program.run(
            "/usr/bin/secret-tool", ["search", "--all", "--unlock", "xdg:schema", "org.biologin.Login"],
            environment: bench.desktop.environment)
        places.append(found.text + found.errors)
        #expect(found.text.contains("org.biologin.Login") || found.errors.contains("org.biologin.Login"))
        for place in places {
            for secret in secrets { #expect(!place.contains(secret)) }
        }
    }

    /// All files in it, as text.
    private func contents(of directory: String) -> [String] {
        (FileManager.default.enumerator(atPath: directory) ?? .init())
            .compactMap { FileManager.default.contents(atPath: "\(directory)/\($0)") }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
