/// The opaque id of an account: 16 bytes of a keyed hash, written as 32 lower-case hexadecimal digits. It tells nothing of
/// the account to whoever lacks the profile key.
package struct AccountTag: Hashable, Sendable, CustomStringConvertible {
    package static let byteCount = 16

    /// 32 lower-case hexadecimal digits.
    package let description: String

    init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount)
        description = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Nil unless `text` is 32 lower-case hexadecimal digits.
    package init?(_ text: String) {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 2 * Self.byteCount, text.utf8.allSatisfy(isDigit) else { return nil }
        description = text
    }
}
