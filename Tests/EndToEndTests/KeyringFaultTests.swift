import Foundation
import TestSupport
import Testing

/// The real daemon and a keyring that breaks: the reason, soon; the account as it was; and the next try works without a
/// restart of the daemon.
@Suite(.realParts, .timeLimit(.minutes(5))) struct KeyringFaultTests {
    private static let login = ["localizedReason": "log in"], second = Array("second key".utf8)

    /// Generous: for a slow computer, and still less than two deadlines of 5 s.
    private static let soon: Duration = .seconds(9)

    /// A call that ends with an error, while reads are answered.
    private func expect(
        _ error: String, of call: (RawClient) async throws -> Message, on bench: Bench, from client: RawClient? = nil
    ) async throws {
        let began = ContinuousClock.now, other = try bench.client()
        async let read = other.call("IsEnabled")
        let refusal = try await call(try client ?? bench.client())
        #expect(refusal.error == error, "\(refusal.object)")
        #expect(refusal.parameters["remedy"] is String)
        #expect(ContinuousClock.now - began < Self.soon)
        #expect(try await read.parameters["enabled"] as? Bool == true)
    }

    private func expectFirstKey(_ bench: Bench) async throws {
        let reply = try await bench.login()
        #expect(reply.key == Array("first key".utf8), "\(reply.object)")
    }

    @Test(arguments: [("kill", "KeyringUnavailable"), ("freeze", "TimedOut")])
    func whatEndsOrHangsInMidOpenLeavesTheAccountAsItWas(fault: String, error: String) async throws {
        let bench = try await Bench()
        try await bench.open()
        let login = try await bench.waiting("Login", Self.login)
        try await bench.desktop.command(fault, "keyring")
        // Its record was read before.
        try await bench.desktop.touch()
        let released = try await login.receiveLast()
        #expect(released.key == Array("first key".utf8), "\(released.object)")
        try await expect(error, of: { try await $0.call("Login", Self.login) }, on: bench)

        try await bench.desktop.command(fault == "kill" ? ["start", "keyring"] : ["thaw", "keyring"])
        let open = try await bench.waiting("Open", Bench.opening(key: Self.second))
        try await bench.desktop.command(fault, "keyring")
        try await bench.desktop.touch()
        try await expect(error, of: { try await $0.receiveLast() }, on: bench, from: open)
        try await bench.desktop.command(fault == "kill" ? ["start", "keyring"] : ["thaw", "keyring"])
        try await expectFirstKey(bench)
        // What was added all the same is removed.
        while try await bench.items() != 1 {}
        try await expectFirstKey(bench)
    }

    @Test func aCloseWhileItHangsIsFinishedLater() async throws {
        let bench = try await Bench()
        try await bench.open()
        try await bench.open("bob", key: Self.second)
        try await bench.desktop.freeze(.keyring)
        let closed = try await bench.client().call("Close", ["account": Bench.account()])
        #expect(closed.error == nil, "\(closed.object)")
        let answer = try await bench.client().call("IsEnabled", ["account": Bench.account()])
        #expect(answer.parameters["code"] as? Int == -5001)
        try await bench.desktop.thaw(.keyring)
        #expect(try await bench.login("bob").key == Self.second)
        while try await bench.items() != 1 {}
    }

    @Test func anotherProviderIsNotTakenForTheOneThatHasTheKeys() async throws {
        let bench = try await Bench(), client = try bench.client()
        try await bench.open()
        try await bench.desktop.end(.keyring)
        let other = try await standIn(on: bench.desktop)
        try await expect("KeyringChanged", of: { try await $0.call("Login", Self.login) }, on: bench)
        try await expect("KeyringChanged", of: { try await $0.call("Open", Bench.opening("bob")) }, on: bench)
        #expect(try await client.call("GetUserInfo").parameters["userInfo"] != nil)
        other.signal(SIGKILL)
        _ = await other.ending()
        try await bench.desktop.start(.keyring)
        try await expectFirstKey(bench)
    }

    @Test(arguments: ["mangle", "empty", "forget"])
    func whatDoesNotKeepAKeyAsItIsGetsNone(behavior: String) async throws {
        let bench = try await Bench(keyring: .none)
        let provider = try await standIn(behavior, on: bench.desktop)
        let reply = try await bench.touched("Open", Bench.opening())
        #expect(reply.error == "KeyringCorrupts" && reply.code == -6006, "\(reply.object)")
        #expect(reply.parameters["remedy"] is String)
        let answer = try await bench.client().call("IsEnabled", ["account": Bench.account()]).parameters
        #expect(answer["code"] as? Int == -5001)
        withExtendedLifetime(provider) {}
    }

    @Test(arguments: [
        ("mangle", "KeyDamaged"), ("empty", "KeyringCorrupts"), ("withhold", "KeyringUnavailable"),
        ("mute", "TimedOut"),
    ])
    func whatGivesAKeyBackAmissIsNotBelieved(behavior: String, error: String) async throws {
        let bench = try await Bench(keyring: .none)
        let provider = try await standIn("later", behavior, on: bench.desktop)
        try await bench.open()
        provider.signal(SIGUSR2)
        #expect(await provider.output.next() == "changed")
        try await expect(error, of: { try await $0.call("Login", Self.login) }, on: bench)
        // As after a restart of the keyring that mended it.
        provider.signal(SIGUSR2)
        #expect(await provider.output.next() == "changed")
        try await expectFirstKey(bench)
    }

    @Test func aFullDiskOfTheKeyringLeavesTheAccountAsItWas() async throws {
        let bench = try await Bench(), desktop = bench.desktop
        try await desktop.end(.keyring)
        let disk = try await SmallDisk(at: desktop.environment["XDG_DATA_HOME"]! + "/keyrings")
        let onDisk = ["start", "keyring", "unlocked", "\(disk.processID)"]
        try await desktop.command(onDisk)
        try await bench.open()
        try disk.fill()
        let refusal = try await bench.touched("Open", Bench.opening(key: Self.second))
        #expect(refusal.error == "KeyringUnavailable", "\(refusal.object)")
        #expect((refusal.parameters["remedy"] as? String)?.contains("disk") == true)
        try await expectFirstKey(bench)
        try disk.makeRoom()
        try await desktop.command(onDisk)
        try await expectFirstKey(bench)
        try await bench.open(key: Self.second)
        #expect(try await bench.login().key == Self.second)
        try await desktop.command(onDisk)
        #expect(try await bench.login().key == Self.second)
        #expect(try await bench.items() == 1)
    }

    // MARK: Prompts

    @Test(arguments: [(Desktop.Prompter.answer, String?.none), (.cancel, "KeyringLocked")])
    func aLockedDefaultCollectionIsUnlockedByItsPrompt(prompter: Desktop.Prompter, error: String?) async throws {
        let bench = try await Bench(collection: .default), client = try bench.client()
        try await bench.open()
        try await bench.desktop.lockKeyring()
        try await bench.desktop.startPrompter(prompter)
        try client.send("Login", Self.login, more: true)
        var states: [String] = []
        var message = try await client.receive()
        while message.continues {
            states.append(message.progress ?? "?")
            if states.last == "waiting" { try await bench.desktop.touch() }
            message = try await client.receive()
        }
        #expect(message.error == error, "\(message.object)")
        #expect(states == ["loading", "unlocking"] + (error == nil ? ["waiting", "processing"] : []))
        try await bench.desktop.unlockKeyring()
        try await expectFirstKey(bench)
    }

    @Test func aPromptThatNobodyAnswersKeepsNobodyElse() async throws {
        let bench = try await Bench(collection: .default), other = try bench.client()
        try await bench.open()
        try await bench.desktop.lockKeyring()
        try await bench.desktop.startPrompter(.hang)
        var waiting: RawClient? = try bench.client()
        try waiting?.send("Login", Self.login, more: true)
        while try await waiting?.receive().progress != "unlocking" {}
        #expect(try await other.call("IsEnabled").parameters["enabled"] as? Bool == true)
        #expect(try await other.call("GetUserInfo").parameters["userInfo"] != nil)
        #expect(try await other.call("GetStatus").parameters["keyringLocked"] as? Bool == true)
        waiting = nil
        // Unlocked some other way.
        try await bench.desktop.unlockKeyring()
        try await expectFirstKey(bench)
    }

    // MARK: Support

    private func standIn(_ behavior: String..., on desktop: Desktop) async throws -> Program {
        let path = BuiltProgram.root + "/Tests/BiologinLinuxTests/StandIns/secret-service"
        let program = try Program(path, behavior, environment: desktop.environment)
        try #require(await program.output.next() == "ready")
        return program
    }
}
