// Between the values: what a reader does with text that it knows to be valid.
extension JSONReader {
    mutating func skipSpace() {
        while position < text.count, text[position] <= UInt8(ascii: " ") { position += 1 }
    }

    /// The first character of what comes next, as every token but a string is in ASCII; NUL at the end.
    mutating func peek() -> Unicode.Scalar {
        skipSpace()
        return position < text.count ? Unicode.Scalar(text[position]) : "\0"
    }

    mutating func take(_ token: Unicode.Scalar) -> Bool {
        guard peek() == token else { return false }
        position += 1
        return true
    }

    /// Passes over a number, true, false or null.
    mutating func skipScalar() {
        while position < text.count {
            switch Unicode.Scalar(text[position]) {
            case "0"..."9", "a"..."z", "+", "-", ".", "E": position += 1
            default: return
            }
        }
    }

    /// The inside of the string that comes next, as it is written.
    mutating func rawString() -> (range: Range<Int>, isEscaped: Bool) {
        _ = take("\"")
        let start = position
        var end = start
        var isEscaped = false
        while case let byte = text[end], byte != UInt8(ascii: "\"") {
            let isEscape = byte == UInt8(ascii: "\\")
            if isEscape { isEscaped = true }
            end += isEscape ? 2 : 1
        }
        position = end + 1
        return (start..<end, isEscaped)
    }

    mutating func string() -> String {
        let raw = rawString()
        let inside = text.extracting(raw.range)
        guard raw.isEscaped else { return unsafe String(copying: UTF8Span(unchecked: inside)) }
        var plain = WipedBuffer(capacity: inside.count)
        unescape(inside, into: &plain)
        return unsafe String(copying: UTF8Span(unchecked: plain.bytes.octets))
    }

    /// Appends the characters that the inside of a string stands for, in UTF-8.
    func unescape(_ inside: Span<UInt8>, into plain: inout WipedBuffer) {
        var index = 0
        while index < inside.count {
            guard inside[index] == UInt8(ascii: "\\") else {
                plain.append(inside[index])
                index += 1
                continue
            }
            index += 2
            switch Unicode.Scalar(inside[index - 1]) {
            case "b": plain.append(0x08)
            case "t": plain.append(0x09)
            case "n": plain.append(0x0A)
            case "f": plain.append(0x0C)
            case "r": plain.append(0x0D)
            case "u":
                let scalar = escapedScalar(inside, &index)
                for byte in UTF8.encode(scalar)! { plain.append(byte) }
            case let itself: plain.append(UInt8(ascii: itself))
            }
        }
    }

    /// The scalar whose four digits, or pair of four, begin at `index`.
    private func escapedScalar(_ inside: Span<UInt8>, _ index: inout Int) -> Unicode.Scalar {
        let first = hexadecimal(inside.extracting(index..<index + 4))
        index += 4
        guard first & 0xFC00 == 0xD800 else { return Unicode.Scalar(first)! }
        let second = hexadecimal(inside.extracting(index + 2..<index + 6))
        index += 6
        return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)!
    }
}

func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch Unicode.Scalar(byte) {
    case "0"..."9": UInt32(byte - UInt8(ascii: "0"))
    case "a"..."f": UInt32(byte - UInt8(ascii: "a") + 10)
    case "A"..."F": UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}

/// The value of four digits that were checked before.
func hexadecimal(_ digits: Span<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    for index in digits.indices { value = value << 4 | hexadecimalDigit(digits[index])! }
    return value
}
