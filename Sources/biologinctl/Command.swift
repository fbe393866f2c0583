internal import BiologinAPI
internal import CommandLineOptions

/// A subcommand.
struct Command: Sendable {
    let name: String
    /// One phrase.
    let summary: String
    /// Beside those that every subcommand has.
    var options: [Option] = []
    /// What else there is to know.
    var details: String?
    let run: @Sendable (Request) async throws -> Void

    static let all: [Command] = [
        .support, .status, .enabled, .info, .open, .update, .login, .close, .list, .monitor,
    ]

    /// Runs the subcommand that the arguments name.
    static func run(_ arguments: some Sequence<String>) async throws {
        do {
            let (command, rest) = try find(arguments)
            let syntax = Syntax(
                "biologinctl \(command.name)", summary: command.summary, details: command.details,
                options: command.options + Request.options)
            do { try await command.run(Request(try syntax.parse(rest))) } catch CommandLineExit.usage(let message) {
                throw Failure.usage(message, of: "biologinctl \(command.name)")
            }
        } catch CommandLineExit.help(let text) {
            try Talk.answer([String(text.dropLast())])
        }
    }

    private static func find(_ arguments: some Sequence<String>) throws -> (Command, ArraySlice<String>) {
        let width = all.map(\.name.count).max() ?? 0
        let commands = all.map { command in
            "  " + command.name + String(repeating: " ", count: width - command.name.count + 2) + command.summary
        }
        let syntax = Syntax(
            "biologinctl", operands: "COMMAND …", summary: "biometric login for desktop applications",
            details: (["Commands:"] + commands + ["", exitStatuses]).joined(separator: "\n"), options: [version])
        let given = try syntax.parse(arguments, stopAtOperand: true)
        guard !given.has(version) else { throw CommandLineExit.help("biologinctl \(Version.current)\n") }
        let operands = given.operands
        guard let name = operands.first else { throw Failure.usage("no command given") }
        guard let command = all.first(where: { $0.name == name }) else {
            throw Failure.usage("unknown command: \(name)")
        }
        return (command, operands.dropFirst())
    }

    private static let version = Option("version", help: "print the version")

    private static let exitStatuses = """
        Exit status:
          0 done; 10 not open; 11 fingers changed, open again; 12 not recognized; 13 canceled; 14 locked out;
          15 no reader or finger; 16 keyring; 17 busy, or nobody touched the reader; 18 login server; 64 usage;
          69 no daemon; 70 fault; 74 standard output; 77 not permitted
        """
}
