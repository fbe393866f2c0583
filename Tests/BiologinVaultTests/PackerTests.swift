import Testing

@testable import BiologinVault

@Suite struct PackerTests {
    enum Field: Equatable {
        case byte(UInt8), number(UInt64), flag(Bool), bytes([UInt8]), text(String), optional(String?), raw([UInt8])

        static func random(using chance: inout some RandomNumberGenerator) -> Field {
            let bytes = (0..<Int.random(in: 0...40, using: &chance)).map { _ in
                UInt8.random(in: 0...255, using: &chance)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            return switch Int.random(in: 0...6, using: &chance) {
            case 0: .byte(.random(in: 0...255, using: &chance))
            case 1: .number(.random(in: 0...(.max), using: &chance))
            case 2: .flag(.random(using: &chance))
            case 3: .bytes(bytes)
            case 4: .text(text)
            case 5: .optional(Bool.random(using: &chance) ? text : nil)
            default: .raw(bytes)
            }
        }

        func add(to packer: inout Packer) {
            switch self {
            case .byte(let byte): packer.add(byte)
            case .number(let number): packer.add(number)
            case .flag(let flag): packer.add(flag)
            case .bytes(let bytes): packer.add(bytes)
            case .text(let text): packer.add(text)
            case .optional(let text): packer.add(optional: text)
            case .raw(let bytes): packer.add(raw: bytes)
            }
        }

        /// A field of the same kind.
        func read(from unpacker: inout Unpacker) throws(VaultError) -> Field {
            switch self {
            case .byte: .byte(try unpacker.byte())
            case .number: .number(try unpacker.number())
            case .flag: .flag(try unpacker.flag())
            case .bytes: .bytes(try unpacker.bytes(limit: 40))
            case .text: .text(try unpacker.text(limit: 120))
            case .optional: .optional(try unpacker.optionalText(limit: 120))
            case .raw(let bytes): .raw(try unpacker.raw(bytes.count))
            }
        }
    }

    static func packed(_ fields: [Field]) -> [UInt8] {
        var packer = Packer()
        for field in fields { field.add(to: &packer) }
        return packer.bytes
    }

    static func unpacked(_ bytes: [UInt8], like fields: [Field]) throws(VaultError) -> [Field] {
        var unpacker = Unpacker(bytes.span.bytes)
        var read: [Field] = []
        for field in fields { read.append(try field.read(from: &unpacker)) }
        try unpacker.end()
        return read
    }

    @Test(arguments: UInt64(0)..<100) func givesBackWhatWasPackedAndNothingElse(seed: UInt64) throws {
        var chance = Chance(state: seed)
        let fields = (0..<Int.random(in: 1...8, using: &chance)).map { _ in Field.random(using: &chance) }
        let bytes = Self.packed(fields)
        #expect(try Self.unpacked(bytes, like: fields) == fields)
        #expect(throws: VaultError.damaged) { try Self.unpacked(bytes + [0], like: fields) }
        for size in bytes.indices {
            #expect(throws: VaultError.damaged) { try Self.unpacked(Array(bytes[..<size]), like: fields) }
        }
    }

    /// Whatever the bytes, reading either refuses them or packing the result gives them again.
    @Test(arguments: UInt64(0)..<200) func knowsOneWayToPackAlone(seed: UInt64) {
        var chance = Chance(state: seed)
        let fields = (0..<4).map { _ in Field.random(using: &chance) }
        var bytes = Self.packed(fields)
        if !bytes.isEmpty { bytes[.random(in: bytes.indices, using: &chance)] = .random(in: 0...3, using: &chance) }
        guard let read = try? Self.unpacked(bytes, like: fields) else { return }
        #expect(Self.packed(read) == bytes)
    }

    @Test func keepsBoundariesBetweenFields() {
        #expect(Self.packed([.text("ab"), .text("c")]) != Self.packed([.text("a"), .text("bc")]))
    }

    @Test func writesTheHighestByteFirst() {
        #expect(Self.packed([.number(0x0102_0304_0506_0708), .bytes([9])]) == [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 1, 9])
    }

    @Test(arguments: [
        (Field.flag(true), [UInt8(2)]), (.optional(nil), [2]), (.text(""), [0, 0, 0, 1, 0xff]),
        (.text(""), [0, 0, 0, 2, 0xc0, 0x80]), (.bytes([]), [0, 0, 0, 41] + [UInt8](repeating: 0, count: 41)),
        (.bytes([]), [0xff, 0xff, 0xff, 0xff]),
    ])
    func refusesWhatIsNeverPacked(_ field: Field, _ bytes: [UInt8]) {
        #expect(throws: VaultError.damaged) { try Self.unpacked(bytes, like: [field]) }
    }

    /// SplitMix64: the same for the same seed.
    struct Chance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
