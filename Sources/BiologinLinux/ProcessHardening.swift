internal import CLinux
internal import Glibc

/// Keeps the memory of this process from core files, debuggers and children, and its files from other users.
package enum ProcessHardening {
    /// Before any secret is read; says what could not be done, if anything.
    package static func apply() -> String? {
        umask(0o077)
        signal(SIGPIPE, SIG_IGN)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else {
            return "core files: \(systemErrorText)"
        }
        guard linux_set_not_dumpable() == 0 else { return "memory dumps: \(systemErrorText)" }
        return nil
    }
}
