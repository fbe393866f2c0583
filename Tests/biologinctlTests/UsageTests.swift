import BiologinAPI
import TestSupport
import Testing

struct UsageTests {
    static let commands = [
        "support", "status", "enabled", "info", "open", "update", "login", "close", "list", "monitor",
    ]

    @Test func listsItsCommands() async throws {
        let ending = try await ControlProgram.run("--help")
        for command in Self.commands { #expect(ending.text.contains("\n  \(command) ")) }
        #expect(ending.status == 0)
    }

    @Test func saysItsVersion() async throws {
        let ending = try await ControlProgram.run("--version")
        #expect(ending.text == "biologinctl \(Version.current)\n")
        #expect(ending.status == 0 && ending.errors == "")
    }

    @Test(arguments: commands) func explainsACommand(_ command: String) async throws {
        let ending = try await ControlProgram.run("\(command) --help")
        for part in ["biologinctl \(command) ", "--application=", "--uid=", "--socket=", "--json", "--help"] {
            #expect(ending.text.contains(part))
        }
        #expect(ending.status == 0 && ending.errors == "")
    }

    @Test(arguments: [
        "", "unheard", "--unheard", "--json status", "status surplus", "status --unheard", "status --uid ada", "update",
        "open --uid ada", "open --application com.example.mail", "open --application a.b --uid c --policy none",
        "open --application a.b --uid c --key-file /nonexistent",
    ]) func refusesWhatItDoesNotKnow(_ words: String) async throws {
        let ending = try await ControlProgram.run(words)
        #expect(ending.status == 64)
        #expect(ending.text == "")
        #expect(ending.errors.hasPrefix("biologinctl: error: "))
    }

    @Test func saysHowToStartTheDaemon() async throws {
        let ending = try await ControlProgram.run("status")
        #expect(ending.status == 69)
        #expect(
            ending.errors == """
                biologinctl: error: biologind is not running
                biologinctl: hint: run systemctl --user start biologin.socket

                """)
    }
}
