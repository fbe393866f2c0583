import Glibc

/// What keeps a key file from being used.
package enum KeyFileError: Error {
    case missing
    /// Says why, for the log.
    case refused(String)
    case noMemory

    /// With the system's reason, from errno.
    static func failed(_ what: String) -> Self { .refused("\(what): \(String(cString: strerror(errno)))") }

    /// For the log.
    package func reason(_ name: String) -> String {
        switch self {
        case .missing: "there is no \(name)"
        case .refused(let reason): reason
        case .noMemory: "no guarded memory is left"
        }
    }
}
