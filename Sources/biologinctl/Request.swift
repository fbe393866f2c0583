internal import BiologinAPI
internal import BiologinClient
internal import CommandLineOptions

/// What a subcommand was called with.
struct Request: Sendable {
    static let application = Option("application", "NAME", help: "the application, such as com.example.mail")
    static let uid = Option("uid", "UID", help: "the account; otherwise the one opened last")
    static let socket = Option("socket", "PATH", help: "the socket of biologind")
    static let json = Option("json", help: "answer in JSON, one line an answer, without secrets")
    static let options = [application, uid, socket, json]

    let arguments: Arguments
    let manager: BiometricLoginManager

    init(_ arguments: Arguments) throws(CommandLineExit) {
        let application = arguments[Self.application], uid = arguments[Self.uid]
        guard uid == nil || application != nil else { throw .usage("--uid needs --application") }
        self.arguments = arguments
        manager = BiometricLoginManager(application: application, uid: uid, socket: arguments[Self.socket])
    }

    /// Answers in JSON where that was asked for, otherwise in lines for people.
    func answer(_ value: some WireValue, orLines lines: @autoclosure () -> [String]) throws(Failure) {
        if arguments.has(Self.json) { try Talk.answer(json: value) } else { try Talk.answer(lines()) }
    }

    /// The value of an option that must be given.
    func required(_ option: Option, _ name: String) throws(CommandLineExit) -> String {
        guard let value = arguments[option] else { throw .usage("--\(name) is missing") }
        return value
    }

    /// The policy that an option names, by its name in the interface.
    func policy() throws(CommandLineExit) -> Policy? {
        guard let name = arguments[Self.policyOption] else { return nil }
        guard let policy = Policy(rawValue: name) else { throw .usage("--policy: there is no policy \(name)") }
        return policy
    }

    /// The option that says why the user is asked, and why where it is not given.
    static func reasonOption(otherwise usual: String) -> Option {
        Option("reason", "TEXT", help: "what the user is told it is for; otherwise \"\(usual)\"")
    }

    static let policyOption = Option(
        "policy", "POLICY", help: Policy.allCases.map(\.rawValue).joined(separator: " or "))
}
