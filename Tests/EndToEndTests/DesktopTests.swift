import Foundation
import TestSupport
import Testing

/// The private desktop that the other tests run on.
@Suite(.realParts, .timeLimit(.minutes(5)))
struct DesktopTests {
    @Test(arguments: [Desktop.Reader.storage, .host])
    func enrollsAndDeletesFingers(reader: Desktop.Reader) async throws {
        let desktop = try await Desktop(reader: reader)
        #expect(try await desktop.fingers() == [])
        try await desktop.enroll("right-index-finger", print: "A")
        try await desktop.enroll("left-thumb", print: "B")
        #expect(try await Set(desktop.fingers()) == ["right-index-finger", "left-thumb"])
        try await desktop.delete("left-thumb")
        #expect(try await desktop.fingers() == ["right-index-finger"])
        try await desktop.delete()
        #expect(try await desktop.fingers() == [])
    }

    @Test(arguments: [Desktop.Reader.storage, .host])
    func tellsWhatTheReaderMadeOfATouch(reader: Desktop.Reader) async throws {
        let desktop = try await Desktop(reader: reader)
        try await desktop.enroll("right-index-finger", print: "A")
        #expect(try await verify(on: desktop) { try await $0.retry(1) } == "verify-swipe-too-short")
        #expect(try await verify(on: desktop) { try await $0.touch("A") } == "verify-match")
        #expect(try await verify(on: desktop) { try await $0.touch("B") } == "verify-no-match")
    }

    @Test func hasNoReaderWhereNoneIsAskedFor() async throws {
        let desktop = try await Desktop(reader: .none)
        await #expect(throws: Desktop.Failure.self) { try await desktop.fingers() }
    }

    @Test func locksAndUnlocksTheKeyring() async throws {
        let desktop = try await Desktop()
        #expect(try await !desktop.keyringIsLocked())
        try await desktop.lockKeyring()
        #expect(try await desktop.keyringIsLocked())
        try await desktop.unlockKeyring()
        #expect(try await !desktop.keyringIsLocked())
        try await desktop.restartKeyringLocked()
        #expect(try await desktop.keyringIsLocked())
    }

    @Test func keepsSecretsOverARestartOfTheKeyring() async throws {
        let desktop = try await Desktop()
        let secretTool = { (arguments: [String], input: String) in
            try await Program.run(
                "secret-tool", arguments, environment: desktop.environment, input: Array(input.utf8))
        }
        #expect(try await secretTool(["store", "--label=test", "name", "value"], "secret").status == 0)
        try await desktop.kill(.keyring)
        try await desktop.start(.keyring)
        #expect(try await secretTool(["lookup", "name", "value"], "").text == "secret")
    }

    @Test(arguments: [(Desktop.Prompter.answer, false), (.cancel, true)])
    func answersThePromptOfTheKeyring(prompter: Desktop.Prompter, remainsLocked: Bool) async throws {
        let desktop = try await Desktop()
        let secretTool = { (arguments: [String]) in
            try await Program.run(
                "secret-tool", arguments, environment: desktop.environment, input: Array("secret".utf8))
        }
        #expect(try await secretTool(["store", "--label=test", "name", "value"]).status == 0)
        try await desktop.lockKeyring()
        try await desktop.startPrompter(prompter)
        _ = try await secretTool(["search", "--unlock", "name", "value"])
        #expect(try await desktop.keyringIsLocked() == remainsLocked)
    }

    @Test func freezesAndThawsAPart() async throws {
        let desktop = try await Desktop()
        let fprintd = try await desktop.processID(of: .fprintd)
        try await desktop.freeze(.fprintd)
        #expect(state(of: fprintd) == "T")
        try await desktop.thaw(.fprintd)
        #expect(state(of: fprintd) != "T")
        #expect(try await desktop.fingers() == [])
    }

    @Test func startsADaemonThatAnswers() async throws {
        let desktop = try await Desktop()
        let daemon = try await Daemon(on: desktop)
        let control = try await Program.run(
            BuiltProgram.path("biologinctl"), ["status", "--socket", daemon.socket], environment: desktop.environment)
        #expect(control.status == 0, "\(control.errors)")
        #expect(await daemon.stop().status == 0)
    }

    @Test func saysWhyADaemonDoesNotStart() async throws {
        let desktop = try await Desktop()
        let failure = await #expect(throws: Desktop.Failure.self) {
            try await Daemon(on: desktop, options: ["--nonsense"])
        }
        #expect(failure?.description.contains("nonsense") == true)
    }

    @Test func leavesNoProcessAndNoFile() async throws {
        var desktop: Desktop? = try await Desktop()
        let directory = try #require(desktop?.directory)
        let parts = try await processes(of: try #require(desktop))
        #expect(parts.count == 5)
        desktop = nil
        #expect(parts.allSatisfy { state(of: $0) == nil })
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test func leavesNoProcessWhenItsSupervisorIsKilled() async throws {
        let desktop = try await Desktop()
        let parts = try await processes(of: desktop)
        desktop.killSupervisor()
        await #expect(throws: Desktop.Failure.self) { try await desktop.fingers() }
        try await waitUntilGone(parts)
    }

    /// A verification by fprintd's own client, and the result of what is done meanwhile.
    private func verify(
        on desktop: Desktop, _ act: (Desktop) async throws -> String
    ) async throws -> String {
        let client = try Program(
            "fprintd-verify",
            environment: desktop.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": desktop.systemBus]) { $1 })
        let result = try await act(desktop)
        client.signal(SIGKILL)
        _ = await client.ending()
        return result
    }

    private func processes(of desktop: Desktop) async throws -> [pid_t] {
        var processes: [pid_t] = []
        for part in [Desktop.Part.sessionBus, .systemBus, .keyring, .polkit, .fprintd] {
            processes.append(try await desktop.processID(of: part))
        }
        return processes
    }

    /// Ends with the last of them.
    private func waitUntilGone(_ processes: [pid_t]) async throws {
        let wait = """
            import os, select, sys
            for process in map(int, sys.argv[1:]):
                try: select.select([os.pidfd_open(process)], [], [])
                except ProcessLookupError: pass
            """
        let waited = try await Program.run("python3", ["-c", wait] + processes.map(String.init))
        #expect(waited.status == 0, "\(waited.errors)")
    }

    /// The kernel's letter for what the process does, or nil where there is none.
    private func state(of process: pid_t) -> String? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
        return status.split(separator: " ").dropFirst(2).first.map(String.init)
    }
}
