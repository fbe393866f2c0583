internal import Glibc

/// Owns a file descriptor.
struct Descriptor: ~Copyable {
    let raw: Int32

    init(owning raw: Int32) { self.raw = raw }
    deinit { close(raw) }
}

/// Runs a system call again for as long as a signal interrupts it; the result is -1 with errno, or what it returns.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// What errno says just now.
var systemErrorText: String { String(cString: strerror(errno)) }
