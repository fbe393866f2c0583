import TestSupport

/// The built biologinctl, in an environment without a daemon of its own.
enum ControlProgram {
    static let path = BuiltProgram.path("biologinctl")
    static let environment = ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": "/nonexistent", "TERM": "xterm"]

    /// Runs `words`, parted by spaces, against a daemon.
    static func run(
        _ words: String, _ more: [String] = [], on daemon: CannedDaemon? = nil, input: [UInt8] = []
    ) async throws -> Program.Ending {
        try await Program.run(path, arguments(words, daemon) + more, environment: environment, input: input)
    }

    /// Starts it, to be sent signals.
    static func start(_ words: String, on daemon: CannedDaemon) throws -> Program {
        try Program(path, arguments(words, daemon), environment: environment)
    }

    /// Starts a shell command at a terminal; `biologinctl` is the program.
    static func startAtTerminal(_ command: String) throws -> Program {
        let shell = "biologinctl() { \(path) \"$@\"; }; \(command)"
        return try Program(
            "/usr/bin/script", ["-qec", shell, "/dev/null"],
            environment: environment.merging(["SHELL": "/bin/sh"]) { $1 })
    }

    private static func arguments(_ words: String, _ daemon: CannedDaemon?) -> [String] {
        words.split(separator: " ").map(String.init) + (daemon.map { ["--socket", $0.path] } ?? [])
    }
}

enum Canned {
    static func reply(_ parameters: String) -> CannedDaemon.Answer { .reply(#"{"parameters":\#(parameters)}"#) }

    static func progress(_ fields: String) -> String { #"{"parameters":{"progress":{\#(fields)}},"continues":true}"# }

    static func error(_ name: String, _ code: Int, _ more: String = "") -> String {
        #"{"error":"org.biologin.Login.\#(name)","parameters":{"code":\#(code),"message":"it failed"\#(more)}}"#
    }

    static let account = """
        {"id":{"application":"com.example.mail","uid":"ada"},"state":"enabled",\
        "userInfo":{"uid":"ada","userName":"Ada"},"policy":"deviceOwnerAuthentication","changeDetection":"names",\
        "openedBy":{"pid":7,"strength":"unknown"},"openedAt":"2025-01-02T03:04:05Z"}
        """
    static let steps = [
        progress(#""state":"loading""#), progress(#""state":"queued""#), progress(#""state":"unlocking""#),
        progress(#""state":"waiting","finger":"right-index-finger","attemptsLeft":3"#),
        progress(#""state":"retry","hint":"press\u001b longer""#), progress(#""state":"waiting","attemptsLeft":1"#),
        progress(#""state":"processing""#),
    ]
    static let told = """
        biologinctl: waiting for another verification to end
        biologinctl: waiting for the keyring to be unlocked
        biologinctl: touch the fingerprint reader (right index finger), 3 tries left
        biologinctl: try again: press\u{FFFD} longer
        biologinctl: touch the fingerprint reader, last try
        biologinctl: verified

        """
}
