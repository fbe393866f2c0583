/// Writes fields so that they can be told apart again: two different lists of fields never give the same bytes.
/// Not for secrets, whose copies it would leave behind as it grows.
package struct Packer: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ byte: UInt8) { bytes.append(byte) }

    /// 4 bytes, the highest first: what stands before a field of that length.
    mutating func add(length: Int) { append(UInt32(length)) }

    /// 8 bytes, the highest first.
    package mutating func add(_ number: UInt64) { append(number) }

    /// One byte: 0 or 1.
    package mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// 4 bytes of length, the highest first, and the bytes.
    package mutating func add(_ field: [UInt8]) {
        add(length: field.count)
        bytes += field
    }

    /// Bytes whose number the reader knows.
    package mutating func add(raw bytes: [UInt8]) { self.bytes += bytes }

    /// A field of UTF-8.
    package mutating func add(_ text: String) { add(Array(text.utf8)) }

    /// Whether there is a text, and the text.
    package mutating func add(optional text: String?) {
        add(text != nil)
        if let text { add(text) }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

/// Reads what `Packer` wrote, and nothing else: whatever it never writes throws `damaged`.
package struct Unpacker: ~Escapable {
    private var rest: RawSpan

    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan) { rest = bytes }

    package mutating func byte() throws(VaultError) -> UInt8 {
        let taken = try take(1)
        return taken[0]
    }

    package mutating func number() throws(VaultError) -> UInt64 {
        let taken = try take(8)
        return taken.bigEndianNumber
    }

    package mutating func flag() throws(VaultError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .damaged
        }
    }

    /// A field of at most `limit` bytes, in place.
    @_lifetime(copy self)
    package mutating func span(limit: Int) throws(VaultError) -> RawSpan {
        let length = try take(4).bigEndianNumber
        guard length <= UInt64(limit) else { throw .damaged }
        return try take(Int(length))
    }

    /// A field of at most `limit` bytes.
    package mutating func bytes(limit: Int) throws(VaultError) -> [UInt8] {
        let field = try span(limit: limit)
        return Array(copying: field)
    }

    /// A field of at most `limit` bytes of valid UTF-8.
    package mutating func text(limit: Int) throws(VaultError) -> String {
        guard let text = String(validating: try bytes(limit: limit), as: UTF8.self) else { throw .damaged }
        return text
    }

    package mutating func optionalText(limit: Int) throws(VaultError) -> String? {
        try flag() ? try text(limit: limit) : nil
    }

    /// Bytes of a known number.
    package mutating func raw(_ count: Int) throws(VaultError) -> [UInt8] {
        let taken = try take(count)
        return Array(copying: taken)
    }

    /// Nothing may be left.
    package func end() throws(VaultError) {
        guard rest.isEmpty else { throw .damaged }
    }

    @_lifetime(copy self)
    private mutating func take(_ count: Int) throws(VaultError) -> RawSpan {
        guard count <= rest.byteCount else { throw .damaged }
        let taken = rest.extracting(first: count)
        rest = rest.extracting(droppingFirst: count)
        return taken
    }
}

extension RawSpan {
    fileprivate subscript(_ index: Int) -> UInt8 { unsafeLoad(fromByteOffset: index, as: UInt8.self) }

    fileprivate var bigEndianNumber: UInt64 { (0..<byteCount).reduce(0) { $0 << 8 | UInt64(self[$1]) } }
}
