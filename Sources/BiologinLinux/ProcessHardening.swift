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
        raiseDescriptorLimit()
        guard linux_set_not_dumpable() == 0 else { return "memory dumps: \(systemErrorText)" }
        return nil
    }

    /// For a thousand clients and more; as far as the hard limit goes.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < descriptors else {
            return
        }
        limit.rlim_cur = min(descriptors, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static let descriptors: rlim_t = 8192
}
