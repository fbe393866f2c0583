import TestSupport
import Testing

/// A command, the daemon's reply to it, and what it writes.
struct Transcript: Sendable, CustomTestStringConvertible {
    let command: String
    let parameters: String
    let output: String
    var status: Int32 = 0
    var testDescription: String { command }
}

struct AnswerTests {
    static let transcripts = [
        Transcript(
            command: "status",
            parameters: """
                {"version":"0.1","simulated":true,"deviceKey":"file","memoryLocked":false,\
                "secretService":"gnome-keyring","keyringLocked":true,"lockedOutForSeconds":30,"accounts":2}
                """,
            output: """
                biologind   0.1, simulated: nobody is verified for real
                device key  file: a copy of the whole home directory has it, too
                memory      not locked: secrets may reach the swap
                keyring     gnome-keyring (locked)
                lock-out    30 s left
                accounts    2

                """),
        Transcript(
            command: "support",
            parameters: """
                {"supported":true,"verifiers":[{"name":"fprintd","device":"Reader","availability":"ready",\
                "enrolled":["left-thumb","right-thumb"],"changeDetection":"names"}]}
                """,
            output: """
                supported  yes
                fprintd    Reader; ready; left thumb, right thumb

                """),
        Transcript(
            command: "support",
            parameters: """
                {"supported":false,"verifiers":[{"name":"fprintd","availability":"noDevice","enrolled":[],\
                "changeDetection":"none"}]}
                """,
            output: "supported  no\nfprintd    no reader\n", status: 15),
        Transcript(command: "enabled", parameters: #"{"enabled":true}"#, output: "yes\n"),
        Transcript(
            command: "enabled", parameters: #"{"enabled":false,"code":-5001,"reason":"not open"}"#,
            output: "no: not open\n", status: 10),
        Transcript(
            command: "enabled", parameters: #"{"enabled":false,"code":-5002,"reason":"changed"}"#,
            output: "no: changed\n", status: 11),
        Transcript(
            command: "info", parameters: #"{"userInfo":{"uid":"ada","userName":"Ada\u202e","countryCode":"44"}}"#,
            output: "uid      ada\nname     Ada\u{FFFD}\ncountry  44\n"),
        Transcript(command: "info", parameters: "{}", output: "not open\n", status: 10),
        Transcript(command: "close", parameters: "{}", output: "biometric login is off\n"),
        Transcript(command: "list", parameters: #"{"accounts":[]}"#, output: "no accounts\n"),
        Transcript(
            command: "list --application com.example.mail", parameters: #"{"accounts":[\#(Canned.account)]}"#,
            output: """
                APPLICATION       UID  NAME  STATE    CHANGES  OPENED                LAST LOGIN
                com.example.mail  ada  Ada   enabled  names    2025-01-02T03:04:05Z  never

                """),
        Transcript(
            command: "list --application com.example.mail --uid bob", parameters: #"{"accounts":[\#(Canned.account)]}"#,
            output: "no accounts\n"),
    ]

    @Test(arguments: transcripts) func answersInWords(_ transcript: Transcript) async throws {
        let ending = try await ControlProgram.run(
            transcript.command, on: CannedDaemon(Canned.reply(transcript.parameters)))
        #expect(ending.text == transcript.output)
        #expect(ending.errors == "")
        #expect(ending.status == transcript.status)
    }

    @Test(arguments: transcripts.filter { !$0.command.contains("--uid") })
    func answersInJSONAsTheDaemonDid(_ transcript: Transcript) async throws {
        let ending = try await ControlProgram.run(
            transcript.command + " --json", on: CannedDaemon(Canned.reply(transcript.parameters)))
        let parameters = transcript.parameters.replacing(#"\u202e"#, with: "\u{202E}")
        #expect(ending.text == parameters + "\n")
        #expect(ending.status == transcript.status)
    }

    @Test func changesOfTheCardOnlyWhatWasGiven() async throws {
        let daemon = CannedDaemon(
            Canned.reply(#"{"userInfo":{"uid":"ada","userName":"Ada","nickName":"A","countryCode":"44"}}"#),
            Canned.reply("{}"))
        let ending = try await ControlProgram.run("update --country-code DE", ["--nick-name", ""], on: daemon)
        #expect(ending.text == "the card of “ada” is changed\n")
        _ = await daemon.nextCall()
        #expect(
            await daemon.nextCall() == """
                {"method":"org.biologin.Login.UpdateUserInfo",\
                "parameters":{"userInfo":{"uid":"ada","userName":"Ada","countryCode":"DE"}}}
                """)
    }

    @Test func writesALineForEachChange() async throws {
        let events = [
            #""event":"initial""#, #""event":"loggedIn","account":\#(Canned.account)"#, #""event":"support""#,
        ]
        .map { #"{"parameters":{\#($0)},"continues":true}"# }
        let words = try await ControlProgram.run("monitor", on: CannedDaemon(.departure(after: events)))
        #expect(words.text == "watching\nlogged in     com.example.mail ada\nsupport changed\n")
        #expect(words.status == 69)
        let lines = try await ControlProgram.run("monitor --json", on: CannedDaemon(.departure(after: events)))
        #expect(lines.text.split(separator: "\n").count == 3)
    }
}
