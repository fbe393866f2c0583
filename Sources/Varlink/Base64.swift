/// Base64 of RFC 4648, section 4: with padding, its unused bits zero, no other character in between.
enum Base64 {
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    private static let padding = UInt8(ascii: "=")

    static func append(_ bytes: Span<UInt8>, to buffer: inout WipedBuffer) {
        func append(_ sextet: UInt32) { unsafe buffer.append(alphabet.utf8Start[Int(sextet & 63)]) }
        var index = 0
        while index < bytes.count {
            let length = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < length ? UInt32(bytes[index + offset]) : 0) }
            append(group >> 18)
            append(group >> 12)
            if length > 1 { append(group >> 6) } else { buffer.append(padding) }
            if length > 2 { append(group) } else { buffer.append(padding) }
            index += 3
        }
    }

    /// What `text` stands for, or nil if it is anything else than base64.
    static func decode(_ text: Span<UInt8>) -> WipedBytes? {
        guard text.count.isMultiple(of: 4) else { return nil }
        var buffer = WipedBuffer(capacity: text.count / 4 * 3)
        var index = 0
        while index < text.count {
            var group: UInt32 = 0
            var padded = 0
            for offset in 0..<4 {
                let character = text[index + offset]
                if character == padding, offset > 1, index + 4 == text.count {
                    padded += 1
                    group <<= 6
                } else {
                    guard padded == 0, let sextet = sextet(character) else { return nil }
                    group = group << 6 | sextet
                }
            }
            guard group & (1 << (8 * UInt32(padded)) - 1) == 0 else { return nil }
            for place in 0..<3 - padded { buffer.append(UInt8(truncatingIfNeeded: group >> (16 - 8 * UInt32(place)))) }
            index += 4
        }
        return WipedBytes(buffer)
    }

    private static func sextet(_ character: UInt8) -> UInt32? {
        switch Unicode.Scalar(character) {
        case "A"..."Z": UInt32(character) - 65
        case "a"..."z": UInt32(character) - 71
        case "0"..."9": UInt32(character) + 4
        case "+": 62
        case "/": 63
        default: nil
        }
    }
}
