import BiologinAPI
import Glibc

/// A user of this computer, by number and name.
struct UserName: Equatable, Sendable {
    /// Bytes that the entry of one user may need.
    private static let entryLimit = 1 << 20

    let uid: UInt32
    let text: String

    /// Nil for a name that could lead to another directory than one of its own.
    init?(uid: UInt32, text: String) {
        guard !text.isEmpty, text != ".", text != "..", !text.utf8.contains(UInt8(ascii: "/")) else { return nil }
        (self.uid, self.text) = (uid, text)
    }

    /// Asks the user database. Throws `unknownUser` if there is no such user now.
    init(_ uid: UInt32) throws(EnrollmentFailure) {
        guard let text = Self.name(of: uid), let user = UserName(uid: uid, text: text) else { throw .unknownUser }
        self = user
    }

    private static func name(of uid: UInt32) -> String? {
        var size = 1024
        while size <= entryLimit {
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { buffer.deallocate() }
            let status = getpwuid_r(uid, &entry, buffer, size, &found)
            if status != ERANGE {
                return status == 0 && found != nil ? String(validatingCString: entry.pw_name) : nil
            }
            size *= 4
        }
        return nil
    }
}
