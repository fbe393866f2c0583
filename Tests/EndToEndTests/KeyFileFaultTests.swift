import Foundation
import TestSupport
import Testing

/// Files of one account, and keys, that are damaged, foreign or not the user's alone: an error for whoever needs them,
/// nothing overwritten.
@Suite(.realParts, .timeLimit(.minutes(5))) struct KeyFileFaultTests {
    enum Fault: CaseIterable, Sendable { case cut, anothers, newer, owner, link, pipe }

    private static var login: [String: Any] { ["account": Bench.account("bob"), "localizedReason": "log in"] }

    @Test(arguments: Fault.allCases) func aDamagedAccountIsLeftAloneAndItsNeighborsWork(fault: Fault) async throws {
        let bench = try await Bench(), folder = bench.desktop.directory + "/state/simulated/accounts"
        try await bench.open()
        let first = try names(in: folder)
        try await bench.open("bob")
        let file = try #require(try names(in: folder).subtracting(first).first), path = "\(folder)/\(file)"
        let whole = try #require(FileManager.default.contents(atPath: path))
        let other = try #require(FileManager.default.contents(atPath: "\(folder)/\(first.first!)"))
        let again = try await bench.restarted { try spoil(path, fault, other) }
        let client = try again.client(), left = look(at: path)
        let refusal = try await client.call("Login", Self.login)
        #expect(refusal.error == "KeyDamaged" && refusal.code == -6007, "\(refusal.object)")
        #expect(refusal.parameters["remedy"] is String)
        #expect(try await client.call("IsEnabled", ["account": Bench.account("bob")]).error == "KeyDamaged")
        #expect(try await again.login().key == Array("first key".utf8))
        #expect(look(at: path) == left, "nothing was overwritten")
        let repaired = try await again.restarted {
            try FileManager.default.removeItem(atPath: path)
            try put(whole, at: path)
        }
        #expect(try await repaired.login("bob").key == Array("first key".utf8))
    }

    @Test(arguments: [true, false]) func aDamagedAccountCanBeOpenedAnewOrClosed(opened: Bool) async throws {
        let bench = try await Bench(), folder = bench.desktop.directory + "/state/simulated/accounts"
        try await bench.open("bob")
        let path = try "\(folder)/\(#require(names(in: folder).first))"
        let again = try await bench.restarted { try spoil(path, .cut, Data()) }
        if opened {
            try await again.open("bob", key: Array("second key".utf8))
            #expect(try await again.restarted().login("bob").key == Array("second key".utf8))
        } else {
            let reply = try await again.client().call("Close", ["account": Bench.account("bob")])
            #expect(reply.error == nil, "\(reply.object)")
        }
        #expect(try await again.items() == (opened ? 1 : 0))
    }

    @Test(arguments: [Fault.cut, .newer, .owner, .link, .pipe, nil])
    func withoutItsDeviceKeyNobodyIsAskedAndNoOtherIsMade(fault: Fault?) async throws {
        let bench = try await Bench(), path = bench.desktop.directory + "/state/simulated/device-key"
        try await bench.open()
        let whole = try #require(FileManager.default.contents(atPath: path))
        let again = try await bench.restarted {
            if let fault { try spoil(path, fault, Data()) } else { try FileManager.default.removeItem(atPath: path) }
        }
        let client = try again.client(), left = look(at: path)
        for (method, parameters) in [("Login", Bench.loggingIn), ("Open", Bench.opening(key: [1]))] {
            let refusal = try await client.call(method, parameters)
            #expect(refusal.error == "DeviceKeyUnavailable" && refusal.code == -6008, "\(method): \(refusal.object)")
            #expect(refusal.parameters["remedy"] is String)
        }
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)
        #expect(look(at: path) == left, "nothing was overwritten")
        let repaired = try await again.restarted {
            try? FileManager.default.removeItem(atPath: path)
            try put(whole, at: path)
        }
        #expect(try await repaired.login().key == Array("first key".utf8))
    }

    @Test func aDeviceKeyOfAnotherComputerReleasesNothingAndItsOwnCanBePutBack() async throws {
        let (bench, other) = (try await Bench(), try await Bench(enrolled: false))
        try await bench.open()
        let path = bench.desktop.directory + "/state/simulated/device-key"
        let whole = try #require(FileManager.default.contents(atPath: path))
        let foreign = FileManager.default.contents(atPath: other.desktop.directory + "/state/simulated/device-key")
        let again = try await bench.restarted { try put(#require(foreign), at: path) }
        let refusal = try await again.login()
        #expect(refusal.error == "DeviceKeyUnavailable" && refusal.key == nil, "\(refusal.object)")
        #expect(FileManager.default.contents(atPath: path) == foreign, "nothing was overwritten")
        let repaired = try await again.restarted { try put(whole, at: path) }
        #expect(try await repaired.login().key == Array("first key".utf8))
    }

    @Test(arguments: [Fault.owner, .link, .pipe, .newer]) func aCounterThatIsNotTheUsersIsNoCounter(fault: Fault)
        async throws
    {
        let bench = try await Bench(), path = bench.desktop.directory + "/state/simulated/attempts"
        try await bench.open()
        let wrong = try await bench.waiting("Login", Bench.loggingIn)
        for _ in 0..<3 { try await bench.desktop.touch("B") }
        #expect(try await wrong.receiveLast().error == "AuthenticationFailed")
        let again = try await bench.restarted { try spoil(path, fault, Data()) }
        let left = look(at: path), refusal = try await again.client().call("Login", Bench.loggingIn)
        #expect(refusal.error == "Internal", "\(refusal.object)")
        #expect((refusal.parameters["message"] as? String)?.contains("attempts") == true)
        #expect(look(at: path) == left, "nothing was overwritten")
    }

    @Test func filesOfAnotherStateDirectoryAreNotTakenForItsOwn() async throws {
        let (one, two) = (try await Bench(), try await Bench())
        try await one.open()
        try await two.open(key: [2])
        let (from, to) = (one.desktop.directory + "/state/simulated", two.desktop.directory + "/state/simulated")
        let again = try await two.restarted {
            for name in ["generation", "store", "collection"] {
                let bytes = try #require(FileManager.default.contents(atPath: "\(from)/\(name)"))
                try put(bytes, at: "\(to)/\(name)")
            }
        }
        let refusal = try await again.client().call("Login", Bench.loggingIn)
        #expect(refusal.error == "Internal", "\(refusal.object)")
        #expect(try await again.client().call("IsEnabled").parameters["enabled"] as? Bool == true)
    }

    @Test func failuresWhoseCountCouldNotBeWrittenCountOnceItCan() async throws {
        let bench = try await Bench(smallDisk: true), disk = try #require(bench.disk)
        try await bench.open()
        for count in 1...5 {
            let login = try await bench.waiting("Login", Bench.loggingIn)
            try disk.fill()
            try await bench.desktop.touch("B")
            let refusal = try await login.receiveLast()
            #expect(refusal.error == "Internal", "\(count): \(refusal.object)")
            #expect(try await bench.client().call("Login", Bench.loggingIn).error != nil)
            try disk.makeRoom()
        }
        #expect(try await bench.client().call("Login", Bench.loggingIn).error == "BiometryLockout")
        let again = try await bench.restarted(killing: true)
        #expect(try await again.client().call("Login", Bench.loggingIn).error == "BiometryLockout")
    }

    /// Some of the first files fit.
    @Test(arguments: 1...3) func aFirstStartThatRunsOutOfRoomHalfwayIsMadeUpFor(pages: Int) async throws {
        let desktop = try await Desktop()
        try await desktop.enroll()
        let disk = try await SmallDisk(at: desktop.directory + "/state")
        try disk.fill()
        let filler = disk.url("filler").path
        let size = try #require(FileManager.default.attributesOfItem(atPath: filler)[.size] as? Int)
        truncate(filler, size - pages * 4096)
        let failure = await #expect(throws: Desktop.Failure.self) { try await Daemon(on: desktop, disk: disk) }
        #expect(failure?.description.contains("No space left on device") == true, "\(failure?.description ?? "")")
        try disk.makeRoom()
        let daemon = try await Daemon(on: desktop, disk: disk), client = try RawClient(daemon.socket)
        try client.send("Open", Bench.opening(), more: true)
        try await desktop.touch()
        #expect(try await client.receiveLast().error == nil)
    }

    @Test func aSessionBusThatEndsInMidOpenLeavesTheAccountAsItWas() async throws {
        let bench = try await Bench()
        try await bench.open()
        let open = try await bench.waiting("Open", Bench.opening(key: [2]))
        try await bench.desktop.kill(.sessionBus)
        try await bench.desktop.touch()
        let refusal = try await open.receiveLast()
        #expect(refusal.error == "KeyringUnavailable", "\(refusal.object)")
        try await bench.desktop.start(.sessionBus)
        try await bench.desktop.start(.keyring)
        #expect(try await bench.login().key == Array("first key".utf8))
        #expect(try await bench.items() == 1)
    }

    // MARK: Support

    private func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    private func put(_ bytes: Data, at path: String) throws {
        try bytes.write(to: URL(filePath: path))
        chmod(path, 0o600)
    }

    /// What is there, without opening it: kind, owner, mode, file and time.
    private func look(at path: String) -> [UInt64] {
        var status = stat()
        guard lstat(path, &status) == 0 else { return [] }
        return [
            UInt64(status.st_mode), UInt64(status.st_uid), UInt64(status.st_ino), UInt64(status.st_size),
            UInt64(status.st_mtim.tv_sec), UInt64(status.st_mtim.tv_nsec),
        ]
    }

    private func spoil(_ path: String, _ fault: Fault, _ other: Data) throws {
        let whole = try #require(FileManager.default.contents(atPath: path))
        switch fault {
        case .cut: try put(whole.prefix(whole.count / 2), at: path)
        case .anothers: try put(other, at: path)
        case .newer: try put(Data([whole[0] + 1]) + whole.dropFirst(), at: path)
        case .owner: chown(path, 65534, 65534)
        case .link:
            rename(path, path + ".elsewhere")
            symlink(path + ".elsewhere", path)
        case .pipe:
            unlink(path)
            mkfifo(path, 0o600)
        }
    }
}
