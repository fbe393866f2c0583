import BiologinCore
import BiologinVault
import TestSupport
import Testing

@testable import BiologinLinux

extension Desktop {
    /// What a program on this desktop takes for the session bus.
    var sessionBus: String { environment["DBUS_SESSION_BUS_ADDRESS"]! }

    /// A store as a daemon that starts now has it.
    func store(domain: String = "test", promptLimit: Duration = .seconds(60)) -> SecretServiceStore {
        SecretServiceStore(bus: Bus(address: sessionBus), domain: domain, promptLimit: promptLimit)
    }

    /// A Secret Service that misbehaves; there until the last reference to it goes.
    func standIn(_ behavior: String...) async throws -> Program {
        try await Desktop.standIn(behavior, on: sessionBus)
    }

    static func standIn(_ behavior: [String] = [], on address: String) async throws -> Program {
        let path = BuiltProgram.root + "/Tests/BiologinLinuxTests/StandIns/secret-service"
        var environment = Program.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        let program = try Program(path, behavior, environment: environment)
        #expect(await program.output.next() == "ready")
        return program
    }

    /// An item with the attributes of an account's records, in the default collection, as any program can put one there.
    @GLibThread func plant(_ secret: [UInt8], for account: AccountTag) async throws {
        let deadline = Deadline(in: .seconds(5))
        let provider = try await SecretProvider.find(on: Bus(address: sessionBus), by: deadline)
        _ = try await provider.create(
            secret, attributes: RecordItem.attributes(domain: "test", account: account),
            in: try #require(await provider.collection(alias: "default", by: deadline)), within: .seconds(5),
            by: deadline)
    }

    /// The command-line client of libsecret, for a look from outside.
    func secretTool(_ arguments: String..., input: String = "") async throws -> String {
        let ending = try await Program.run(
            "/usr/bin/secret-tool", arguments, environment: environment, input: Array(input.utf8))
        return ending.text + ending.errors
    }
}

extension AccountTag {
    static let ann = AccountTag(String(repeating: "a1", count: 16))!
    static let bob = AccountTag(String(repeating: "b2", count: 16))!
}
