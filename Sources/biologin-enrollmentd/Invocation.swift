/// What the command line asks of the service.
struct Invocation {
    static let usage = """
        Usage:
          biologin-enrollmentd [OPTION…] - digest the templates that fprintd keeps for whoever asks

        Options:
          -h, --help          show this text
          --socket=PATH       listen there; otherwise on the socket that systemd hands over
          --templates=DIR     where fprintd keeps templates, otherwise /var/lib/fprint
          --state=DIR         where the key is kept, otherwise /var/lib/biologin-enrollment
          --version           print the version

        """

    enum Action { case serve, help, version }

    private(set) var action = Action.serve
    /// Nil: the socket that systemd hands over.
    private(set) var socket: String?
    private(set) var templates = "/var/lib/fprint"
    private(set) var state = "/var/lib/biologin-enrollment"

    /// Options are `--name VALUE` or `--name=VALUE`.
    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch argument {
            case "--help", "-h": action = .help
            case "--version": action = .version
            default:
                guard let place = Self.places[parts[0]] else { throw .usage("unexpected argument: \(argument)") }
                guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                    throw .usage("\(parts[0]): its value is missing")
                }
                place(&self, value)
            }
        }
    }

    private static let places: [String: @Sendable (inout Invocation, String) -> Void] = [
        "--socket": { $0.socket = $1 }, "--templates": { $0.templates = $1 }, "--state": { $0.state = $1 },
    ]
}
