/// Base64 with `-` and `_`, without padding (RFC 4648, section 5): the only spelling of some bytes that every store of
/// secrets gives back as it was.
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (bits, count) = (UInt32(0), 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
        return text
    }

    /// Nil for whatever `encode` never returns.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (bits, count) = (UInt32(0), 0)
        for character in text {
            guard let sextet = sextet(character) else { return nil }
            (bits, count) = (bits << 6 | sextet, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard count < 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        return bytes
    }

    private static func sextet(_ character: UInt8) -> UInt32? {
        switch Unicode.Scalar(character) {
        case "A"..."Z": UInt32(character) - 65
        case "a"..."z": UInt32(character) - 71
        case "0"..."9": UInt32(character) + 4
        case "-": 62
        case "_": 63
        default: nil
        }
    }
}
