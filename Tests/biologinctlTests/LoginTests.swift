import Glibc
import BiologinAPI
import TestSupport
import Testing

private let key = "{\"userInfo\":{\"uid\":\"ada\",\"userName\":\"Ada\"},\"loginKey\":\"AAr/Cg==\"}"
private let released = #"{"parameters":\#(key)}"#

struct LoginTests {
    @Test(arguments: [
        ("", "“Ada” is logged in\n"), ("--json", "{\"userInfo\":{\"uid\":\"ada\",\"userName\":\"Ada\"}}\n"),
        ("--output json", key + "\n"),
    ]) func writesTheKeyOnlyWhereItIsAskedFor(_ options: String, _ output: String) async throws {
        let ending = try await ControlProgram.run(
            "login " + options, on: CannedDaemon(.replies(Canned.steps + [released])))
        #expect(ending.text == output)
        #expect(ending.errors == Canned.told)
        #expect(ending.status == 0)
    }

    @Test func writesTheKeyToTheByte() async throws {
        let ending = try await ControlProgram.run("login --output key", on: CannedDaemon(.reply(released)))
        #expect(ending.output == [0, 10, 255, 10])
        #expect(ending.errors == "")
    }

    @Test(arguments: ["--output none", "--output key --json", "--output json --json", "--policy none"])
    func asksNobodyAboutWhatItCannotWrite(_ options: String) async throws {
        let ending = try await ControlProgram.run("login \(options) --socket /nonexistent")
        #expect(ending.status == 64)
    }

    @Test func doesNotWriteTheKeyToATerminalUnlessForced() async throws {
        let refused = CannedDaemon(.reply(released)), forced = CannedDaemon(.reply(released))
        let refusal = try await ControlProgram.startAtTerminal(
            "biologinctl login --output key --socket \(refused.path)"
        ).ending()
        #expect(refusal.status == 64)
        #expect(refusal.text.contains("hint:") && refusal.text.contains("--force"))
        let ending = try await ControlProgram.startAtTerminal(
            "biologinctl login --output key --force --socket \(forced.path)"
        ).ending()
        #expect(ending.status == 0)
        #expect(ending.output.contains(255))
    }

    @Test(arguments: LoginErrorName.allCases) func exitsAsTheErrorSays(_ name: LoginErrorName) async throws {
        let detail = name == .biometryNotAvailable ? #","availability":"busy""# : ""
        let error = Canned.error(name.rawValue, name.code, #","remedy":"do \u001b[1msomething""# + detail)
        let ending = try await ControlProgram.run("login", on: CannedDaemon(.reply(error)))
        #expect(ending.status == ExitStatusTests.table[name])
        #expect(ending.text == "")
        #expect(ending.errors == "biologinctl: error: it failed\nbiologinctl: hint: do \u{FFFD}[1msomething\n")
    }

    @Test(arguments: [SIGINT, SIGTERM]) func givesTheReaderBackWhenInterrupted(_ signal: Int32) async throws {
        let daemon = CannedDaemon(.silence(after: Canned.steps))
        let program = try ControlProgram.start("login", on: daemon)
        #expect(await program.errors.next(containing: "verified") != nil)
        program.signal(signal)
        await daemon.end()
        let ending = await program.ending()
        #expect(ending.status == 13)
        #expect(ending.errors.hasSuffix("biologinctl: error: canceled\n"))
    }

    @Test(arguments: [("", true), ("NO_COLOR=1", false), ("NO_COLOR=", true), ("TERM=dumb", false)])
    func colorsErrorsAtATerminal(_ variable: String, _ isColored: Bool) async throws {
        let ending = try await ControlProgram.startAtTerminal("export \(variable); biologinctl status").ending()
        #expect(ending.text.contains("\u{1B}[") == isColored)
        #expect(ending.status == 69)
    }

    @Test(arguments: ["/dev/full", "&-"]) func failsWhereItsAnswerCannotBeWritten(_ output: String) async throws {
        let daemon = CannedDaemon(.reply(released))
        let ending = try await Program.run(
            "/bin/sh", ["-c", "\(ControlProgram.path) login --output json --socket \(daemon.path) >\(output)"],
            environment: ControlProgram.environment)
        #expect(ending.status == 74)
        // Neither the answer nor anything else went to the daemon in its place.
        #expect(await daemon.nextCall()?.contains("Login") == true)
    }
}
