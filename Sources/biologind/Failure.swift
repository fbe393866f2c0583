import Glibc

/// Why the daemon does not start, in one line, with its exit status of sysexits.h.
struct Failure: Error {
    let status: Int32
    let message: String

    /// EX_USAGE: an option, or its value.
    static func usage(_ message: String) -> Failure { Failure(status: 64, message: message) }

    /// EX_SOFTWARE: what is kept cannot be used.
    static func state(_ message: String) -> Failure {
        Failure(status: 70, message: "\(message) (nothing was overwritten; put it back from a backup)")
    }

    /// EX_CANTCREAT: a directory or a socket cannot be had.
    static func place(_ message: String) -> Failure { Failure(status: 73, message: message) }

    /// EX_CONFIG: the configuration file.
    static func configuration(_ message: String) -> Failure { Failure(status: 78, message: message) }

    func report() -> Never {
        complain("error: \(message)")
        exit(status)
    }
}

func complain(_ text: String) {
    let line = Array("biologind: \(text)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
}
