/// Reads a JSON text of RFC 8259 in place, value by value.
///
/// A reader stands before one value; each `read` consumes it or throws `ParameterError` because it is of another kind.
/// After an error the reader is of no more use. Nothing of the text is copied but what a call returns.
public struct JSONReader: ~Escapable {
    let text: Span<UInt8>
    var position = 0

    /// A reader before the object that `text` is; throws if `validate` does.
    @_lifetime(copy text)
    public init(validating text: Span<UInt8>) throws(MalformedJSON) {
        try Self.validate(text)
        self.text = text
    }

    /// A reader before a value that `validate` has seen, alone or as a part of its text.
    @_lifetime(copy text)
    init(validated text: Span<UInt8>) { self.text = text }

    /// Calls `field` for each field in order; it reads the value, or throws `ParameterError(name)` for a name it does not
    /// know. Errors are given the path of the field they happened in. A name with a character outside ASCII is nobody's
    /// field and is refused here: to `String`, the Kelvin sign is a K.
    public mutating func readObject(
        _ field: (_ name: String, _ value: inout JSONReader) throws(ParameterError) -> Void
    ) throws(ParameterError) {
        guard take("{") else { throw .mismatch }
        guard !take("}") else { return }
        repeat {
            let name = string()
            _ = take(":")
            skipSpace()
            let start = position
            do throws(ParameterError) {
                guard name.utf8.allSatisfy({ $0 < 0x80 }) else { throw ParameterError(name) }
                try field(name, &self)
                // A field that was left alone was not understood.
                guard position > start else { throw ParameterError(name) }
            } catch {
                throw error.inside(name)
            }
        } while take(",")
        _ = take("}")
    }

    /// Calls `element` before each element, which it reads; errors are given the element's index.
    public mutating func readArray(
        _ element: (inout JSONReader) throws(ParameterError) -> Void
    ) throws(ParameterError) {
        guard take("[") else { throw .mismatch }
        guard !take("]") else { return }
        var index = 0
        repeat {
            do throws(ParameterError) { try element(&self) } catch { throw error.inside("[\(index)]") }
            index += 1
        } while take(",")
        _ = take("]")
    }

    /// A string, unescaped.
    public mutating func readString() throws(ParameterError) -> String {
        guard peek() == "\"" else { throw .mismatch }
        return string()
    }

    /// A number without fraction and exponent that fits.
    public mutating func readInt() throws(ParameterError) -> Int {
        guard case let first = peek(), first == "-" || "0"..."9" ~= first else { throw .mismatch }
        let negative = take("-")
        var value = 0
        while position < text.count, isDigit(text[position]) {
            let (shifted, tooLong) = value.multipliedReportingOverflow(by: 10)
            let digit = Int(text[position] - UInt8(ascii: "0"))
            let (sum, tooLarge) =
                negative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
            guard !tooLong, !tooLarge else { throw .mismatch }
            value = sum
            position += 1
        }
        switch position < text.count ? Unicode.Scalar(text[position]) : " " {
        case ".", "e", "E": throw .mismatch
        default: return value
        }
    }

    /// True or false.
    public mutating func readBool() throws(ParameterError) -> Bool {
        switch peek() {
        case "t": position += 4; return true
        case "f": position += 5; return false
        default: throw .mismatch
        }
    }

    /// True if a null stood here, which is consumed then.
    public mutating func readNull() -> Bool {
        guard peek() == "n" else { return false }
        position += 4
        return true
    }

    /// The bytes of a string in base64 (RFC 4648, section 4, with padding and without anything else). More than `limit`
    /// bytes throw an error that is `tooLarge`.
    public mutating func readBase64(limit: Int) throws(ParameterError) -> WipedBytes {
        guard peek() == "\"" else { throw .mismatch }
        var encoded = WipedBuffer()
        let raw = rawString()
        let decoded: WipedBytes?
        if raw.isEscaped {
            unescape(text.extracting(raw.range), into: &encoded)
            decoded = Base64.decode(encoded.bytes.octets)
        } else {
            decoded = Base64.decode(text.extracting(raw.range))
        }
        guard let decoded else { throw .mismatch }
        guard decoded.count <= limit else { throw ParameterError("", tooLarge: true) }
        return decoded
    }

    /// A copy of the value as it is written, of whatever kind.
    public mutating func readRaw() -> WipedBytes {
        skipSpace()
        let start = position
        skip()
        return WipedBytes(copying: text.extracting(start..<position).raw)
    }

    /// Passes over one value of whatever kind.
    public mutating func skip() {
        var depth = 0
        repeat {
            switch peek() {
            case "\"": _ = rawString()
            case "{", "[": depth += 1; position += 1
            case "}", "]": depth -= 1; position += 1
            case ",", ":": position += 1
            default: skipScalar()
            }
        } while depth > 0
    }
}
