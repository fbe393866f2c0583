import Glibc

/// Why the service ends, with its exit status of sysexits.h.
struct Failure: Error {
    let status: Int32
    let message: String
    var hint: String?

    /// EX_CANTCREAT: a directory or a socket cannot be had.
    static func place(_ message: String, hint: String? = nil) -> Failure {
        Failure(status: 73, message: message, hint: hint)
    }

    /// The same, with the system's reason, from errno.
    static func place(failed path: String) -> Failure { .place("\(path): \(String(cString: strerror(errno)))") }

    static func usage(_ message: String) -> Failure {
        Failure(status: 64, message: message, hint: "run biologin-enrollmentd --help")
    }

    func report() -> Never {
        complain("error: \(message)")
        if let hint { complain("hint: \(hint)") }
        exit(status)
    }
}

@Sendable func complain(_ text: String) {
    let line = Array("biologin-enrollmentd: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
