/// One user of one application; both are compared byte for byte.
package struct AccountID: Sendable, CustomStringConvertible {
    package static let applicationLimit = 255
    /// Bytes of UTF-8.
    package static let uidLimit = 256

    /// A reverse-DNS name: ASCII letters, digits, `-`, `_`, and at least one dot.
    package let application: String
    package let uid: String

    /// Throws `invalidParameter` or `limitExceeded`.
    package init(application: String, uid: String) throws(LoginError) {
        try Self.check(application: application)
        guard !uid.isEmpty else { throw .invalidParameter("uid") }
        guard uid.utf8.count <= Self.uidLimit else { throw .limitExceeded("uid: \(Self.uidLimit) bytes") }
        self.application = application
        self.uid = uid
    }

    package static func check(application: String) throws(LoginError) {
        guard application.utf8.count <= applicationLimit else {
            throw .limitExceeded("application: \(applicationLimit) characters")
        }
        let dot = UInt8(ascii: "."), marks = [UInt8(ascii: "-"), UInt8(ascii: "_"), dot]
        let allowed = application.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: marks.contains(byte)
            }
        }
        guard allowed, application.utf8.contains(dot) else { throw .invalidParameter("application") }
    }

    /// Only the application: who its user is does not belong in a log.
    package var description: String { application }
}

// `String` compares by canonical equivalence, which would make two accounts of a login server one.
extension AccountID: Hashable {
    package static func == (left: AccountID, right: AccountID) -> Bool {
        left.application == right.application && left.uid.utf8.elementsEqual(right.uid.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in uid.utf8 { hasher.combine(byte) }
    }
}

/// The card: what people are shown of an account, stored as given.
package struct UserInfo: Equatable, Sendable {
    /// Unicode scalars.
    package static let nameLimit = 256
    /// Bytes of UTF-8.
    package static let iconLimit = 64 * 1024
    package static let countryCodeLimit = 8

    package let userName: String?
    package let nickName: String?
    /// An address that starts with `https:`, `file:` or `data:`.
    package let icon: String?
    /// A calling code or an ISO 3166 code.
    package let countryCode: String?

    /// Throws `invalidParameter` or `limitExceeded`.
    package init(userName: String?, nickName: String?, icon: String?, countryCode: String?) throws(LoginError) {
        for (field, name) in [("userName", userName), ("nickName", nickName)] {
            guard (name?.unicodeScalars.count ?? 0) <= Self.nameLimit else {
                throw .limitExceeded("\(field): \(Self.nameLimit) characters")
            }
        }
        guard (icon?.utf8.count ?? 0) <= Self.iconLimit else { throw .limitExceeded("icon: 64 KiB") }
        guard icon.map(Self.isPictureAddress) ?? true else { throw .invalidParameter("userInfo.icon") }
        guard (countryCode?.utf8.count ?? 0) <= Self.countryCodeLimit else {
            throw .limitExceeded("countryCode: \(Self.countryCodeLimit) characters")
        }
        (self.userName, self.nickName, self.icon, self.countryCode) = (userName, nickName, icon, countryCode)
    }

    private static func isPictureAddress(_ address: String) -> Bool {
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
        let scheme = address.prefix { $0 != ":" }.lowercased()
        return ["https", "file", "data"].contains(scheme) && address.utf8.count > scheme.utf8.count
    }

    /// What the card adds to the 8 MiB that all cards may take together: bytes of UTF-8, six for one that JSON escapes, so
    /// that a list of all is a reply of bounded size.
    package var size: Int {
        [userName, nickName, icon, countryCode].reduce(0) { size, text in
            size + (text?.utf8.reduce(0) { $0 + ($1 < 0x20 || $1 == 0x22 || $1 == 0x5C ? 6 : 1) } ?? 0)
        }
    }
}

/// How the user may prove to be the owner of this computer; the raw value is the one that is sealed.
package enum Policy: UInt8, Sendable {
    case biometrics = 1
    /// By biometrics, or else by the login password.
    case deviceOwner = 2

    /// Whether all that `self` lets in is let in by `other` too.
    package func isWithin(_ other: Policy) -> Bool { rawValue <= other.rawValue }
}

/// Who asked: shown to people, never evidence.
package struct Caller: Equatable, Sendable {
    package enum Strength: UInt8, Sendable { case unknown, path, unit, sandbox }

    package let pid: Int32
    package let executable: String?
    package let unit: String?
    package let sandbox: String?
    package let strength: Strength

    package init(pid: Int32, executable: String?, unit: String?, sandbox: String?, strength: Strength) {
        (self.pid, self.executable, self.unit, self.sandbox, self.strength) = (pid, executable, unit, sandbox, strength)
    }
}

/// A moment in UTC, in seconds since 1970.
package struct Timestamp: Equatable, Sendable {
    package let seconds: Int64
    package init(seconds: Int64) { self.seconds = seconds }
}
