internal import BiologinAPI
internal import BiologinClient
internal import CommandLineOptions
internal import Glibc

extension Command {
    private static let reason = Request.reasonOption(otherwise: defaultReason)
    private static let defaultReason = "to sign in"
    private static let output = Option(
        "output", "WHAT", help: "key: the key's bytes and nothing else; json: all, the key too")
    private static let force = Option("force", help: "write the key to a terminal, too")
    private static let fallback = Option("fallback", help: "go straight to the login password")

    /// What is written to standard output.
    private enum Output: String { case key, json }

    /// Logs in.
    static let login = Command(
        name: "login", summary: "log in with a touch",
        options: [output, force, Request.policyOption, reason, fallback],
        details: "The key is written only with --output."
    ) { request in
        let arguments = request.arguments
        let output = try output(arguments)
        let attempt = request.manager.loginByBiometric(
            policy: try request.policy(), localizedReason: arguments[reason] ?? defaultReason,
            fallback: arguments.has(fallback))
        let login = try await attempt.told()
        switch (output, login.proof) {
        case (.json?, _): try Talk.answer(json: login.reply(withSecret: true))
        case (.key?, .loginKey(let key)): try key.withBytes { bytes throws(Failure) in try Talk.write(bytes) }
        case (.key?, .session):
            throw Failure(.fault, "the login server gave a session, not the key", hint: "use --output json")
        case (nil, _):
            try request.answer(
                login.reply(withSecret: false),
                orLines: ["\(PlainText(login.userInfo.userName ?? login.userInfo.uid).quoted) is logged in"])
        }
    }

    private static func output(_ arguments: Arguments) throws -> Output? {
        guard let name = arguments[output] else { return nil }
        guard let output = Output(rawValue: name) else {
            throw CommandLineExit.usage("--output: neither key nor json: \(name)")
        }
        guard !arguments.has(Request.json) else {
            throw CommandLineExit.usage("--json never holds the key: --output cannot be given beside it")
        }
        guard output == .json || arguments.has(force) || isatty(STDOUT_FILENO) == 0 else {
            throw Failure(.usage, "the key is not written to a terminal", hint: "redirect it, or use --force")
        }
        return output
    }
}
