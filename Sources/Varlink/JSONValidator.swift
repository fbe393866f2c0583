/// A text that is no JSON object.
public struct MalformedJSON: Error, Equatable, Sendable {
    /// Where it was noticed, in bytes from the start.
    public let offset: Int
}

extension JSONReader {
    /// How deep objects and arrays may be nested, the outermost one included.
    public static var maximumDepth: Int { 32 }

    /// Throws unless `text` is one object by RFC 8259, in UTF-8, without duplicate names and lone surrogates (RFC 7493),
    /// and nested no deeper than `maximumDepth`.
    public static func validate(_ text: Span<UInt8>) throws(MalformedJSON) {
        do { _ = try UTF8Span(validating: text) } catch { throw MalformedJSON(offset: error.byteOffsets.lowerBound) }
        var validator = JSONValidator(text)
        try validator.document()
    }
}

/// Goes once through a text, without keeping anything but the names of the objects it is in.
private struct JSONValidator: ~Escapable {
    private let text: Span<UInt8>
    private var position = 0
    private var depth = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    private var malformed: MalformedJSON { MalformedJSON(offset: position) }

    /// The byte that stands here; NUL, which is valid nowhere, at the end.
    private var current: Unicode.Scalar { position < text.count ? Unicode.Scalar(text[position]) : "\0" }

    mutating func document() throws(MalformedJSON) {
        skipSpace()
        guard current == "{" else { throw malformed }
        try value()
        guard position == text.count else { throw malformed }
    }

    /// One value and the space after it.
    private mutating func value() throws(MalformedJSON) {
        switch current {
        case "{": try object()
        case "[": try array()
        case "\"": _ = try string()
        case "t": try word("true")
        case "f": try word("false")
        case "n": try word("null")
        default: try number()
        }
        skipSpace()
    }

    private mutating func object() throws(MalformedJSON) {
        try enter()
        defer { depth -= 1 }
        guard !take("}") else { return }
        var names = JSONNames()
        repeat {
            let name = try string()
            guard names.insert(name, of: text) else { throw malformed }
            skipSpace()
            guard take(":") else { throw malformed }
            try value()
        } while take(",")
        guard current == "}" else { throw malformed }
        position += 1
    }

    private mutating func array() throws(MalformedJSON) {
        try enter()
        defer { depth -= 1 }
        guard !take("]") else { return }
        repeat { try value() } while take(",")
        guard current == "]" else { throw malformed }
        position += 1
    }

    private mutating func enter() throws(MalformedJSON) {
        depth += 1
        guard depth <= JSONReader.maximumDepth else { throw malformed }
        position += 1
        skipSpace()
    }

    /// The range of a string's inside.
    private mutating func string() throws(MalformedJSON) -> Range<Int> {
        guard current == "\"" else { throw malformed }
        position += 1
        let start = position
        while position < text.count {
            switch Unicode.Scalar(text[position]) {
            case "\"":
                position += 1
                return start..<position - 1
            case "\\": try escape()
            case "\0"..<" ": throw malformed
            default: position += 1
            }
        }
        throw malformed
    }

    private mutating func escape() throws(MalformedJSON) {
        position += 1
        switch current {
        case "\"", "\\", "/", "b", "f", "n", "r", "t": position += 1
        case "u":
            let unit = try codeUnit()
            guard unit & 0xFC00 != 0xDC00 else { throw malformed }
            guard unit & 0xFC00 == 0xD800 else { return }
            guard current == "\\" else { throw malformed }
            position += 1
            guard current == "u", try codeUnit() & 0xFC00 == 0xDC00 else { throw malformed }
        default: throw malformed
        }
    }

    /// A `u` and its four digits.
    private mutating func codeUnit() throws(MalformedJSON) -> UInt32 {
        guard text.count - position > 4 else { throw malformed }
        var unit: UInt32 = 0
        for index in position + 1...position + 4 {
            guard let digit = hexadecimalDigit(text[index]) else { throw malformed }
            unit = unit << 4 | digit
        }
        position += 5
        return unit
    }

    private mutating func number() throws(MalformedJSON) {
        if current == "-" { position += 1 }
        if current == "0" { position += 1 } else { try digits() }
        if current == "." {
            position += 1
            try digits()
        }
        guard current == "e" || current == "E" else { return }
        position += 1
        if current == "+" || current == "-" { position += 1 }
        try digits()
    }

    private mutating func digits() throws(MalformedJSON) {
        let start = position
        while "0"..."9" ~= current { position += 1 }
        guard position > start else { throw malformed }
    }

    private mutating func word(_ word: StaticString) throws(MalformedJSON) {
        for byte in word.description.utf8 {
            guard current == Unicode.Scalar(byte) else { throw malformed }
            position += 1
        }
    }

    private mutating func skipSpace() {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Whether that token stood here; it and the space after it are consumed then.
    private mutating func take(_ token: Unicode.Scalar) -> Bool {
        guard current == token else { return false }
        position += 1
        skipSpace()
        return true
    }
}
