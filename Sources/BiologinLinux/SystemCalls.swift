internal import Glibc

/// Runs a system call again for as long as a signal interrupts it; the result is -1 with errno, or what it returns.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// What errno says just now.
var systemErrorText: String { String(cString: strerror(errno)) }
