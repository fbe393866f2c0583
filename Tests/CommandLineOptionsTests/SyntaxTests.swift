import Testing

@testable import CommandLineOptions

// GLib knows one name of the program for all usage texts.
@Suite(.serialized) struct SyntaxTests {
    private let json = Option("json", help: "answer in JSON")
    private let socket = Option("socket", "PATH", help: "where the daemon listens")
    private let timeout = Option("timeout", "SECONDS", help: "how long to wait")

    private func syntax(operands: String? = nil) -> Syntax {
        Syntax("tool login", operands: operands, summary: "logs in", options: [json, socket, timeout])
    }

    @Test(arguments: [["--socket", "/run/a b"], ["--socket=/run/a b"], ["--socket", "x", "--socket", "/run/a b"]])
    func readsAValue(_ arguments: [String]) throws {
        let given = try syntax().parse(arguments)
        #expect(given[socket] == "/run/a b")
        #expect(!given.has(json))
        #expect(given[timeout] == nil)
    }

    @Test func readsAFlagAndAnEmptyValue() throws {
        let given = try syntax().parse(["--json", "--socket", ""])
        #expect(given.has(json))
        #expect(given[socket] == "")
    }

    @Test(arguments: ["Ж日本語", "--json", "-x"]) func takesAnyTextAsAValue(_ text: String) throws {
        #expect(try syntax().parse(["--socket=\(text)"])[socket] == text)
    }

    @Test(arguments: [["--help"], ["-h"], ["--json", "--help"]]) func showsHowToUseIt(_ arguments: [String]) {
        let exit = #expect(throws: CommandLineExit.self) { try syntax(operands: "FILE").parse(arguments) }
        guard case .help(let text) = exit else { return #expect(Bool(false), "no usage text") }
        for part in ["tool login", "FILE", "logs in", "--socket=PATH", "where the daemon listens", "--help"] {
            #expect(text.contains(part))
        }
    }

    @Test(arguments: [
        ["--jsom"], ["--socket"], ["surplus"], ["--", "surplus"], ["-z"],
    ])
    func refusesWhatItDoesNotKnow(_ arguments: [String]) {
        let exit = #expect(throws: CommandLineExit.self) { try syntax().parse(arguments) }
        guard case .usage(let text) = exit else { return #expect(Bool(false), "not refused") }
        #expect(text.first?.isLowercase == true)
    }

    @Test func leavesASubcommandsOptionsAlone() throws {
        let given = try syntax(operands: "COMMAND").parse(["--json", "info", "--socket", "x"], stopAtOperand: true)
        #expect(given.has(json))
        #expect(given.operands == ["info", "--socket", "x"])
    }

    @Test func takesWhatFollowsTwoDashesAsOperands() throws {
        #expect(try syntax(operands: "FILE").parse(["--json", "--", "--socket"]).operands == ["--socket"])
    }

    @Test func readsANumberInItsRange() throws {
        #expect(try syntax().parse(["--timeout", "30"]).number(timeout, in: 1...60) == 30)
        #expect(try syntax().parse([]).number(timeout, in: 1...60) == nil)
    }

    @Test(arguments: ["0", "61", "", "x", "1.5", "99999999999999999999"]) func refusesANumberOutOfRange(_ text: String)
    {
        #expect(throws: CommandLineExit.usage("--timeout: not a number from 1 to 60: \(text)")) {
            _ = try syntax().parse(["--timeout", text]).number(timeout, in: 1...60)
        }
    }
}
