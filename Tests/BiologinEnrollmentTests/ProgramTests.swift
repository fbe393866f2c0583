import BiologinAPI
import Foundation
import TestSupport
import Testing
import Varlink

/// The built service, from outside.
@Suite(.timeLimit(.minutes(5))) struct ProgramTests {
    @Test func answersWithADigestThatSurvivesARestart() async throws {
        let prints = try Prints(), directory = TemporaryDirectory()
        let first = try await EnrollmentProgram(templates: prints.templates, in: directory.path)
        let digest = try await Digest(from: first.socket)
        #expect(digest.bytes.count == EnrollmentDigest.byteCount)
        #expect(digest.templates == 1)
        #expect(digest.version == EnrollmentDigest.currentVersion)
        await first.kill()
        let second = try await EnrollmentProgram(templates: prints.templates, in: directory.path)
        #expect(try await Digest(from: second.socket) == digest)
        try prints.write("another", to: "\(prints.user)/driver/0/7")
        #expect(try await Digest(from: second.socket).bytes != digest.bytes)
    }

    @Test(.realParts) func answersEverybodyAboutHimselfAlone() async throws {
        let prints = try Prints(), directory = TemporaryDirectory()
        chmod(directory.path, 0o755)
        let service = try await EnrollmentProgram(templates: prints.templates, in: directory.path)
        let own = try await Digest(from: service.socket), nobody = try await Self.asNobody(service.socket)
        #expect(nobody.contains(#""templates":0"#))
        try prints.write("one", to: "nobody/driver/0/7")
        let nobodyEnrolled = try await Self.asNobody(service.socket)
        #expect(nobodyEnrolled.contains(#""templates":1"#))
        #expect(nobodyEnrolled != nobody)
        #expect(try await Digest(from: service.socket) == own)
    }

    @Test func noParameterNamesAUser() async throws {
        let prints = try Prints(), directory = TemporaryDirectory()
        let service = try await EnrollmentProgram(templates: prints.templates, in: directory.path)
        let client = try await Client.connect(to: service.socket)
        let error = await #expect(throws: ClientError.self) {
            try await client.call("org.biologin.Enrollment.GetDigest") { json in
                json.object { json in
                    json.name("user")
                    json.string("root")
                }
            }
        }
        guard case .error("org.varlink.service.InvalidParameter", _) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        client.close()
    }

    @Test func saysWhyThereIsNoDigestToCallerAndLog() async throws {
        let prints = try Prints(), directory = TemporaryDirectory()
        mkfifo(prints.path("\(prints.user)/driver/0/8"), 0o600)
        let service = try await EnrollmentProgram(templates: prints.templates, in: directory.path)
        let client = try await Client.connect(to: service.socket)
        let error = await #expect(throws: ClientError.self) {
            try await client.call("org.biologin.Enrollment.GetDigest")
        }
        guard case .error("org.biologin.Enrollment.TemplatesUnreadable", _) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(
            await service.program.errors.next()
                == "biologin-enrollmentd: error: templates cannot be read: 8: no regular file")
        client.close()
    }

    @Test func oneUserCannotKeepTheOthersOut() async throws {
        let prints = try Prints(), directory = TemporaryDirectory()
        let service = try await EnrollmentProgram(templates: prints.templates, in: directory.path)
        var clients: [Client] = []
        for _ in 0..<16 {
            let client = try await Client.connect(to: service.socket)
            _ = try await client.call("org.biologin.Enrollment.GetDigest")
            clients.append(client)
        }
        let surplus = try await Client.connect(to: service.socket)
        await #expect(throws: ClientError.self) { try await surplus.call("org.biologin.Enrollment.GetDigest") }
        for client in clients { client.close() }
    }

    @Test func startedByItsSocketItLeavesWhenNobodyIsConnected() async throws {
        let prints = try Prints(), directory = TemporaryDirectory(), path = directory.path + "/socket"
        let service = try Program(
            "/usr/bin/systemd-socket-activate",
            [
                "--listen", path, BuiltProgram.path("biologin-enrollmentd"), "--templates", prints.templates,
                "--state=\(prints.state)",
            ])
        #expect(await service.errors.next(containing: "Listening on") != nil)
        #expect(try await Digest(from: path).templates == 1)
        #expect(await service.ending().status == 0)
    }

    static let commandLines: [([String], Int32)] = [
        (["--nonsense"], 64), (["surplus"], 64), (["--socket"], 64), (["--socket="], 64), (["--templates"], 64),
        (["--socket", "/" + String(repeating: "x", count: 108)], 64), ([], 64), (["--help=now"], 64),
        (["--socket", "/no/such/directory/socket"], 73), (["--socket", "/proc/none"], 73),
        (["--state", "/proc/none"], 73), (["--help"], 0), (["--version"], 0),
    ]

    @Test(arguments: commandLines) func exitStatuses(_ arguments: [String], _ status: Int32) async throws {
        let place = TemporaryDirectory()
        let ending = try await Program.run(
            BuiltProgram.path("biologin-enrollmentd"), ["--state", place.path] + arguments)
        #expect(ending.status == status)
        #expect(status == 0 ? ending.errors.isEmpty : ending.errors.hasPrefix("biologin-enrollmentd: error: "))
    }

    @Test func aSecondInstanceIsRefusedAndWhatIsNoSocketLeftAlone() async throws {
        let prints = try Prints(), directory = TemporaryDirectory()
        let first = try await EnrollmentProgram(templates: prints.templates, in: directory.path)
        let second = try await Program.run(
            BuiltProgram.path("biologin-enrollmentd"), ["--state", prints.state, "--socket", first.socket])
        #expect(second.status == 73)
        #expect(try await Digest(from: first.socket).templates == 1)
        let file = directory.path + "/file"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        let third = try await Program.run(
            BuiltProgram.path("biologin-enrollmentd"), ["--state", prints.state, "--socket", file])
        #expect(third.status == 73)
        #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
    }

    @Test(.otherClients) func isDescribedToOtherClients() async throws {
        let prints = try Prints(), directory = TemporaryDirectory()
        let service = try await EnrollmentProgram(templates: prints.templates, in: directory.path)
        let python = try #require(Program.environment["BIOLOGIN_PYTHON"], "unset; `make test` sets it")
        let address = "unix:\(service.socket)"
        let described = try await Program.run(
            python, ["-m", "varlink.cli", "help", "\(address)/org.biologin.Enrollment"])
        #expect(described.text == EnrollmentInterface.description + "\n")
        let called = try await Program.run(
            python, ["-m", "varlink.cli", "call", "\(address)/org.biologin.Enrollment.GetDigest", "{}"])
        #expect(called.status == 0)
        #expect(called.text.contains("\"templates\": 1"))
    }

    /// What the user nobody is told.
    private static func asNobody(_ socket: String) async throws -> String {
        let script = """
            import socket, sys
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(sys.argv[1])
                connection.sendall(b'{"method":"org.biologin.Enrollment.GetDigest"}\\0')
                print(connection.recv(4096).decode())
            """
        return try await Program.run(
            "/usr/bin/setpriv",
            [
                "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "/usr/bin/python3", "-c", script, socket,
            ]
        ).text
    }
}

/// A reply of the service.
struct Digest: Equatable {
    let bytes: [UInt8]
    let templates: Int
    let version: Int

    init(from socket: String) async throws {
        let client = try await Client.connect(to: socket)
        defer { client.close() }
        let reply = try await client.call("org.biologin.Enrollment.GetDigest")
        let digest = try reply.read { json throws(ParameterError) in try EnrollmentDigest(from: &json) }
        bytes = digest.digest.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
        (templates, version) = (digest.templates, digest.version)
    }
}
