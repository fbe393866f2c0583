/// The names of one object, to notice one that comes twice, however it is escaped.
struct JSONNames {
    /// Up to here names are compared one by one; an object that has more is hostile, or large enough not to mind a set.
    private static let few = 16

    private var ranges: [Range<Int>] = []
    private var all: Set<[UInt8]> = []

    /// False if the name, the inside of a string at that place in `text`, is there already.
    mutating func insert(_ name: Range<Int>, of text: Span<UInt8>) -> Bool {
        if ranges.count < Self.few {
            for range in ranges where Self.same(range, name, of: text) { return false }
            ranges.append(name)
            return true
        }
        if all.isEmpty {
            for range in ranges { all.insert(Self.bytes(range, of: text)) }
        }
        return all.insert(Self.bytes(name, of: text)).inserted
    }

    private static func same(_ one: Range<Int>, _ other: Range<Int>, of text: Span<UInt8>) -> Bool {
        if isEscaped(one, of: text) || isEscaped(other, of: text) {
            return bytes(one, of: text) == bytes(other, of: text)
        }
        guard one.count == other.count else { return false }
        for index in 0..<one.count where text[one.lowerBound + index] != text[other.lowerBound + index] { return false }
        return true
    }

    private static func isEscaped(_ range: Range<Int>, of text: Span<UInt8>) -> Bool {
        for index in range where text[index] == UInt8(ascii: "\\") { return true }
        return false
    }

    private static func bytes(_ range: Range<Int>, of text: Span<UInt8>) -> [UInt8] {
        var plain = WipedBuffer(capacity: range.count)
        JSONReader(validated: text).unescape(text.extracting(range), into: &plain)
        let octets = plain.bytes.octets
        return octets.indices.map { octets[$0] }
    }
}
