import BiologinAPI
import BiologinLinux
import CommandLineOptions
import Glibc

/// What the command line and the environment ask of the daemon.
struct Invocation {
    /// Seconds.
    private static let timeouts = 1...600

    private static let socketOption = Option("socket", "PATH", help: "listen there, in a directory that exists")
    private static let stateOption = Option("state", "DIR", help: "keep profiles and the device key there")
    private static let systemBusOption = Option(
        "system-bus", "ADDRESS", help: "simulate: use fprintd on this bus, with keys of their own")
    private static let configOption = Option("config", "FILE", help: "the configuration file")
    private static let timeoutOption = Option(
        "verify-timeout", "SECONDS", help: "how long a verification waits for a touch, \(timeouts); 30 if not given")
    private static let enrollmentOption = Option(
        "enrollment", "PATH", help: "of a simulation: biologin-enrollmentd listens there")
    private static let versionOption = Option("version", help: "print the version")

    private static let syntax = Syntax(
        "biologind", summary: "keep login keys, and release them after a biometric verification",
        options: [
            socketOption, stateOption, systemBusOption, configOption, enrollmentOption, timeoutOption, versionOption,
        ])

    /// Nil: the usual place, whose directory is made.
    let socket: String?
    /// The state directory, of a simulation its own.
    let state: String
    /// Nil: the system bus.
    let simulatedBus: String?
    /// The configuration file; nil: one of the usual ones, if there is one.
    let config: String?
    let verifyTimeout: Duration
    /// Where the enrollment helper listens; nil in a simulation that names none.
    let enrollment: String?
    let printsVersion: Bool

    var isSimulated: Bool { simulatedBus != nil }

    /// Throws `help`, or `usage` for an option or a value that is no good.
    init(_ arguments: [String]) throws(CommandLineExit) {
        let given = try Self.syntax.parse(arguments)
        let withValue = [
            Self.socketOption, Self.stateOption, Self.systemBusOption, Self.configOption, Self.enrollmentOption,
        ]
        for option in withValue where given[option] == "" { throw .usage("an option's value is empty") }
        socket = given[Self.socketOption]
        simulatedBus = given[Self.systemBusOption]
        if let simulatedBus, !Bus.isAddress(simulatedBus) {
            throw .usage("--system-bus: not a D-Bus address: \(simulatedBus)")
        }
        config = given[Self.configOption]
        verifyTimeout = .seconds(try given.number(Self.timeoutOption, in: Self.timeouts) ?? 30)
        // Outside a simulation its place is fixed: whoever named another could bring a helper that sees no change.
        guard simulatedBus != nil || given[Self.enrollmentOption] == nil else {
            throw .usage("--enrollment is for simulations: name a bus with --system-bus")
        }
        enrollment = simulatedBus == nil ? EnrollmentHelper.usualSocket : given[Self.enrollmentOption]
        printsVersion = given.has(Self.versionOption)
        guard let directory = given[Self.stateOption] ?? Self.usualState else {
            throw .usage("--state is needed, since none of STATE_DIRECTORY, XDG_STATE_HOME and HOME is set")
        }
        state = simulatedBus == nil ? directory : directory + "/simulated"
    }

    /// What systemd made, or else as the XDG Base Directory Specification has it: a path that is not absolute is ignored.
    private static var usualState: String? {
        if let directory = environment("STATE_DIRECTORY") { return directory }
        if let base = environment("XDG_STATE_HOME") { return base + "/biologin" }
        return environment("HOME").map { $0 + "/.local/state/biologin" }
    }

    /// The user's own configuration file comes before the system's.
    static var usualConfigs: [String] {
        let base = environment("XDG_CONFIG_HOME") ?? environment("HOME").map { $0 + "/.config" }
        return [base, "/etc"].compactMap { $0.map { $0 + "/biologin/biologind.conf" } }
    }

    static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name).map({ unsafe String(cString: $0) }), value.hasPrefix("/") else {
            return nil
        }
        return value
    }
}
