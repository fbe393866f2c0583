import Foundation
import TestSupport
import Testing

/// How the daemon starts, ends, and starts again.
@Suite(.realParts, .timeLimit(.minutes(5))) struct LifeTests {
    @Test(arguments: [false, true]) func accountsSurviveARestart(killed: Bool) async throws {
        let bench = try await Bench()
        try await bench.open()
        let again = try await bench.restarted(killing: killed)
        #expect(try await again.login().key == Array("first key".utf8))
    }

    @Test func aSignalEndsItCleanlyAndTakesTheSocketAway() async throws {
        let bench = try await Bench(), client = try bench.client()
        try await bench.open()
        try client.send("Login", ["localizedReason": "log in"], more: true)
        while try await client.receive().progress != "waiting" {}
        let ending = await bench.daemon.stop()
        #expect(ending.status == 0)
        #expect(try await client.receive().error == "SystemCancel")
        #expect(!FileManager.default.fileExists(atPath: bench.daemon.socket))
        // The reader was released.
        try await bench.desktop.enroll("left-thumb", print: "B")
    }

    @Test func aSecondInstanceIsRefusedAndTheFirstGoesOn() async throws {
        let bench = try await Bench(enrolled: false)
        let second = try await Program.run(
            BuiltProgram.path("biologind"),
            [
                "--socket", bench.daemon.socket, "--state", bench.desktop.directory + "/other", "--system-bus",
                bench.desktop.systemBus,
            ],
            environment: bench.desktop.environment)
        #expect(second.status == 73)
        let third = try await Program.run(
            BuiltProgram.path("biologind"),
            [
                "--socket", bench.daemon.socket + "2", "--state", bench.desktop.directory + "/state", "--system-bus",
                bench.desktop.systemBus,
            ],
            environment: bench.desktop.environment)
        #expect(third.status == 73)
        #expect(try await bench.client().call("GetStatus").error == nil)
    }

    static let commandLines: [([String], Int32)] = [
        (["--nonsense"], 64), (["surplus"], 64), (["--socket"], 64), (["--enrollment", "/x"], 64),
        (["--system-bus", "nowhere"], 64),
        (["--verify-timeout", "0"], 64), (["--verify-timeout", "601"], 64), (["--verify-timeout", "soon"], 64),
        (["--socket", "/" + String(repeating: "x", count: 107)], 64),
        (["--socket", "/no/such/directory/socket"], 73), (["--state", "/proc/none"], 73), (["--help"], 0),
        (["--config", ""], 64), (["--config", "/no/such/file"], 78), (["--config", "/proc/version"], 78),
        (["--version"], 0),
    ]

    @Test(arguments: commandLines)
    func exitStatuses(_ arguments: [String], _ status: Int32) async throws {
        let place = TemporaryDirectory()
        let ending = try await Program.run(
            BuiltProgram.path("biologind"), arguments,
            environment: ["XDG_RUNTIME_DIR": place.path, "XDG_STATE_HOME": place.path, "HOME": place.path])
        #expect(ending.status == status)
        #expect(status == 0 ? ending.errors.isEmpty : ending.errors.hasPrefix("biologind: error: "))
        #expect(ending.errors.split(separator: "\n").count == (status == 0 ? 0 : 1))
    }

    @Test func aConfigurationFileWithAMistakeIsSaidSo() async throws {
        let place = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: place.path + "/biologin", withIntermediateDirectories: true)
        let path = place.path + "/biologin/biologind.conf"
        try Data("[store]\ncolection=own\n".utf8).write(to: URL(filePath: path))
        let ending = try await Program.run(
            BuiltProgram.path("biologind"), [],
            environment: ["XDG_RUNTIME_DIR": place.path, "XDG_CONFIG_HOME": place.path, "HOME": place.path])
        #expect(ending.status == 78)
        #expect(ending.errors == "biologind: error: \(path): unknown key colection in [store]\n")
    }

    @Test func filesAndSocketAreTheUsersAlone() async throws {
        let bench = try await Bench()
        try await bench.open()
        func mode(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(bench.daemon.socket) == 0o600)
        let state = bench.desktop.directory + "/state"
        #expect(try mode(state) == 0o700)
        for case let file as String in FileManager.default.enumerator(atPath: state) ?? .init() {
            let path = "\(state)/\(file)"
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            #expect(try mode(path) == (isDirectory.boolValue ? 0o700 : 0o600), "\(file)")
        }
    }
}
