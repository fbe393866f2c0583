/// Writes JSON into memory that is wiped; commas are its business, balance is the closures'.
public struct JSONWriter: ~Copyable {
    private var buffer: WipedBuffer

    /// A writer of one value.
    public init() { buffer = WipedBuffer(capacity: 256) }

    /// What `write` writes.
    public static func text(_ write: (inout JSONWriter) -> Void) -> WipedBytes {
        var writer = JSONWriter()
        write(&writer)
        return writer.finish()
    }

    /// What was written, without a copy.
    public consuming func finish() -> WipedBytes { WipedBytes(buffer.take()) }

    /// What was written, and a last byte.
    consuming func finish(with last: UInt8) -> WipedBytes {
        buffer.append(last)
        return finish()
    }

    /// How many bytes were written.
    var count: Int { buffer.count }

    /// An object, of which `fields` writes names and values in turn.
    public mutating func object(_ fields: (inout JSONWriter) -> Void) {
        separate()
        buffer.append("{")
        fields(&self)
        buffer.append("}")
    }

    /// An array, of which `elements` writes the values.
    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        separate()
        buffer.append("[")
        elements(&self)
        buffer.append("]")
    }

    /// The name of the field whose value is written next; plain ASCII without `"` and `\`, as varlink's names are.
    public mutating func name(_ name: StaticString) {
        separate()
        buffer.append("\"")
        buffer.append(name)
        buffer.append("\":")
    }

    /// A string, escaped as it must be.
    public mutating func string(_ text: String) {
        separate()
        buffer.append("\"")
        append(text.utf8Span.span)
        buffer.append("\"")
    }

    /// A number.
    public mutating func int(_ value: Int) {
        separate()
        for byte in String(value).utf8 { buffer.append(byte) }
    }

    /// True or false.
    public mutating func bool(_ value: Bool) {
        separate()
        buffer.append(value ? "true" : "false")
    }

    /// Null.
    public mutating func null() {
        separate()
        buffer.append("null")
    }

    /// A string that holds the bytes in base64 (RFC 4648, section 4).
    public mutating func base64(_ bytes: RawSpan) {
        separate()
        buffer.append("\"")
        Base64.append(bytes.octets, to: &buffer)
        buffer.append("\"")
    }

    /// A value that is JSON already.
    public mutating func raw(_ json: RawSpan) {
        separate()
        buffer.append(json)
    }

    /// A comma, unless this is the first in its array or object, or follows its name: the last byte tells.
    private mutating func separate() {
        guard let last = buffer.last else { return }
        switch Unicode.Scalar(last) {
        case "{", "[", ":": break
        default: buffer.append(",")
        }
    }

    /// The inside of a string: runs of what stands for itself, and escapes in between.
    private mutating func append(_ text: Span<UInt8>) {
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            buffer.append(text.extracting(start..<index).raw)
            appendEscaped(byte)
            start = index + 1
        }
        buffer.append(text.extracting(start..<text.count).raw)
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch Unicode.Scalar(byte) {
        case "\"": buffer.append("\\\"")
        case "\\": buffer.append("\\\\")
        case "\n": buffer.append("\\n")
        default:
            buffer.append(byte < 0x10 ? "\\u000" : "\\u001")
            let digit = byte & 15
            buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
