import Foundation
import TestSupport
import Testing

/// The state directory on a disk that is full, read-only or damaged: a clear error, nothing overwritten, the account as it
/// was.
@Suite(.realParts, .timeLimit(.minutes(5))) struct DiskFaultTests {
    private static let login = ["localizedReason": "log in"], second = Array("second key".utf8)

    /// A bench whose state directory is on a disk of its own.
    private func bench() async throws -> (Bench, SmallDisk) {
        let bench = try await Bench(smallDisk: true)
        return (bench, try #require(bench.disk))
    }

    @Test(arguments: ["full", "read-only"])
    func nobodyIsVerifiedAndNothingChangesWhereNothingCanBeWritten(fault: String) async throws {
        let disk: SmallDisk
        var bench: Bench
        (bench, disk) = try await self.bench()
        var client = try bench.client()
        try await bench.open()
        // Its time is written after its reply.
        while try await lastLogin(client) == nil { _ = try await bench.login() }
        _ = try await client.call("UpdateUserInfo", ["userInfo": ["uid": "ada", "userName": "Ada"]])
        if fault == "full" { try disk.fill() } else { try await disk.remount("ro") }
        let before = files(on: disk)

        for (method, parameters) in [
            ("Login", Self.login), ("Open", Bench.opening(key: Self.second)), ("Open", Bench.opening("bob")),
            ("Close", [:]),
            ("UpdateUserInfo", ["userInfo": ["uid": "ada", "userName": "Countess"]]),
        ] as [(String, [String: Any])] {
            try client.send(method, parameters, more: true)
            var states: [String] = []
            var message = try await client.receive()
            while message.continues {
                states.append(message.progress ?? "?")
                message = try await client.receive()
            }
            #expect(message.error == "Internal" && message.code == -6014, "\(method): \(message.object)")
            #expect((message.parameters["message"] as? String)?.contains("disk") == true)
            #expect(message.parameters["remedy"] is String)
            #expect(!states.contains("waiting"), "the sensor stays dark")
        }
        bench = try await bench.restarted()
        client = try bench.client()
        #expect(try await client.call("Login", Self.login).error == "Internal")
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)
        let card = try await client.call("GetUserInfo").parameters["userInfo"] as? [String: Any]
        #expect(card?["userName"] as? String == "Ada")
        #expect(files(on: disk) == before)

        if fault == "full" { try disk.makeRoom() } else { try await disk.remount("rw") }
        #expect(try await bench.login().key == Array("first key".utf8))
        try await bench.open(key: Self.second)
        #expect(
            try await client.call("UpdateUserInfo", ["userInfo": ["uid": "ada", "userName": "Countess"]]).error == nil)
        #expect(try await bench.restarted().login().key == Self.second)
        #expect(try await bench.items() == 1)
        let again = try await bench.restarted()
        #expect(try await again.client().call("Close").error == nil)
        #expect(try await bench.items() == 0)
    }

    @Test(arguments: ["full", "read-only"]) func aDiskThatFailsInMidOpenLeavesTheAccountAsItWas(fault: String)
        async throws
    {
        let (bench, disk) = try await bench()
        try await bench.open()
        let open = try await bench.waiting("Open", Bench.opening(key: Self.second))
        if fault == "full" { try disk.fill() } else { try await disk.remount("ro") }
        try await bench.desktop.touch()
        let refusal = try await open.receiveLast()
        #expect(refusal.error == "Internal", "\(refusal.object)")
        let login = try await bench.client().call("Login", Self.login)
        #expect(login.error == "Internal", "\(login.object)")
        if fault == "full" { try disk.makeRoom() } else { try await disk.remount("rw") }
        #expect(try await bench.login().key == Array("first key".utf8))
        #expect(try await bench.items() == 1)
    }

    @Test func aChangeThatCouldNotBeWrittenIsNotForgotten() async throws {
        let (bench, disk) = try await bench(), client = try bench.client()
        try await bench.open()
        try disk.fill()
        try await bench.desktop.enroll("left-thumb", print: "B")
        // A reading of the fingers may be a second old.
        while try await client.call("IsEnabled").parameters["code"] as? Int != -5002 {}
        #expect(try await client.call("Login", Self.login).error == "BiometricLoginInfoModified")
        try disk.makeRoom()
        #expect(try await client.call("IsEnabled").parameters["code"] as? Int == -5002)
        try await bench.desktop.delete("left-thumb")
        let again = try await bench.restarted(killing: true)
        #expect(try await again.client().call("IsEnabled").parameters["code"] as? Int == -5002)
    }

    @Test(arguments: [
        ("attempts", "truncate"), ("attempts", "foreign"), ("attempts", "mode"), ("store", "truncate"),
        ("enrollments", "foreign"), ("collection", "truncate"), ("collection", "mode"), ("generation", "older"),
        ("generation", "remove"),
    ])
    func aFileThatCannotBeReadKeepsOnlyVerificationsAway(file: String, fault: String) async throws {
        let bench = try await Bench(), state = bench.desktop.directory + "/state/simulated", path = "\(state)/\(file)"
        // Until one is heard: the daemon may answer before it listens.
        while file == "enrollments", !FileManager.default.fileExists(atPath: path) {
            try await bench.desktop.enroll("left-thumb", print: "C")
            try await bench.desktop.delete("left-thumb")
        }
        try await bench.open()
        let wrong = try await bench.waiting("Login", Self.login)
        for _ in 0..<3 { try await bench.desktop.touch("B") }
        #expect(try await wrong.receiveLast().error == "AuthenticationFailed")
        let whole = try #require(FileManager.default.contents(atPath: path))
        var left: Data?
        let again = try await bench.restarted {
            try spoil(path, fault, whole, other: state + "/accounts/" + account(in: state))
            left = FileManager.default.contents(atPath: path)
        }
        let client = try again.client()
        for (method, parameters) in [("Login", Self.login), ("Open", Bench.opening("bob"))] as [(String, [String: Any])]
        {
            let refusal = try await client.call(method, parameters)
            #expect(refusal.error == "Internal" && refusal.code == -6014, "\(refusal.object)")
            #expect((refusal.parameters["message"] as? String)?.contains("the file \(file) ") == true)
            #expect((refusal.parameters["remedy"] as? String)?.contains("backup") == true)
        }
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)
        #expect(try await client.call("GetUserInfo").parameters["userInfo"] != nil)
        #expect(FileManager.default.contents(atPath: path) == left, "nothing was overwritten")
        let repaired = try await again.restarted { [whole] in try put(whole, at: path) }
        #expect(try await repaired.login().key == Array("first key".utf8))
    }

    @Test(arguments: [("profile-key", "truncate"), ("profile-key", "mode"), ("profile-key", "remove"), (".", "mode")])
    func whatNothingCanBeReadWithoutKeepsTheDaemonFromStarting(file: String, fault: String) async throws {
        let bench = try await Bench()
        try await bench.open()
        let state = bench.desktop.directory + "/state/simulated", path = "\(state)/\(file)"
        _ = await bench.daemon.stop()
        let whole = FileManager.default.contents(atPath: path) ?? Data()
        try spoil(path, fault, whole, other: path)
        let left = FileManager.default.contents(atPath: path)
        let failure = await #expect(throws: Desktop.Failure.self) { try await bench.restarted() }
        let text = try #require(failure?.description)
        #expect(text.contains(file == "." ? "chmod 700" : file) && text.split(separator: "\n").count == 1, "\(text)")
        #expect(FileManager.default.contents(atPath: path) == left)
        if file == "." { chmod(path, 0o700) } else { try put(whole, at: path) }
        #expect(try await bench.restarted().login().key == Array("first key".utf8))
    }

    @Test func aFirstStartOnAFullDiskSaysSoAndTheNextOneWorks() async throws {
        let desktop = try await Desktop()
        try await desktop.enroll()
        let disk = try await SmallDisk(at: desktop.directory + "/state")
        try disk.fill()
        let failure = await #expect(throws: Desktop.Failure.self) { try await Daemon(on: desktop, disk: disk) }
        #expect(failure?.description.contains("No space left on device") == true, "\(failure?.description ?? "")")
        #expect(failure?.description.contains("backup") == false)
        try disk.makeRoom()
        let daemon = try await Daemon(on: desktop, disk: disk)
        let client = try RawClient(daemon.socket)
        try client.send("Open", Bench.opening(), more: true)
        try await desktop.touch()
        #expect(try await client.receiveLast().error == nil)
    }

    // MARK: Support

    private func lastLogin(_ client: RawClient) async throws -> String? {
        let accounts = try await client.call("List").parameters["accounts"] as? [[String: Any]]
        return accounts?.first?["lastLoginAt"] as? String
    }

    private func files(on disk: SmallDisk) -> [String: Data] {
        let root = disk.url("simulated").path
        var files: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            files[name] = FileManager.default.contents(atPath: "\(root)/\(name)") ?? Data()
        }
        return files
    }

    private func account(in state: String) throws -> String {
        try #require(try FileManager.default.contentsOfDirectory(atPath: state + "/accounts").first)
    }

    private func put(_ whole: Data, at path: String) throws {
        try whole.write(to: URL(filePath: path))
        chmod(path, 0o600)
    }

    private func spoil(_ path: String, _ fault: String, _ whole: Data, other: String) throws {
        switch fault {
        case "truncate": try whole.dropLast(whole.count / 2).write(to: URL(filePath: path))
        case "foreign": try #require(FileManager.default.contents(atPath: other)).write(to: URL(filePath: path))
        case "older": try (Data([0]) + whole.dropFirst()).write(to: URL(filePath: path))
        case "mode": try #require(chmod(path, 0o777) == 0)
        case "remove": try FileManager.default.removeItem(atPath: path)
        default: Issue.record("no such fault: \(fault)")
        }
        if fault != "mode", fault != "remove" { chmod(path, 0o600) }
    }
}
