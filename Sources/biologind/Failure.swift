import Glibc

/// Why the daemon ends, with its exit status of sysexits.h.
struct Failure: Error {
    let status: Int32
    let message: String
    var hint: String?

    /// EX_CANTCREAT: a directory or a socket cannot be had.
    static func place(_ message: String, hint: String? = nil) -> Failure {
        Failure(status: 73, message: message, hint: hint)
    }

    /// EX_SOFTWARE: what is kept cannot be used.
    static func state(_ message: String, hint: String? = nil) -> Failure {
        Failure(status: 70, message: message, hint: hint)
    }

    static func usage(_ message: String) -> Failure {
        Failure(status: 64, message: message, hint: "run biologind --help")
    }

    func report() -> Never {
        complain("error: \(message)")
        if let hint { complain("hint: \(hint)") }
        exit(status)
    }
}

func complain(_ text: String) {
    let line = Array("biologind: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
