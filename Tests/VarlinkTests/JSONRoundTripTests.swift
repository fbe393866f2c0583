import Testing

@testable import Varlink

/// A value of any kind, to write, read and compare.
private indirect enum Value: Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case string([Unicode.Scalar])
    case array([Value])
    case object([String: Value])

    static func random(depth: Int, _ chance: inout Seeded) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &chance) {
        case 0: return .null
        case 1: return .bool(.random(using: &chance))
        case 2: return .int(Int.random(in: .min ... .max, using: &chance) >> Int.random(in: 0..<64, using: &chance))
        case 3: return .string(randomText(&chance))
        case 4:
            return .array((0..<Int.random(in: 0..<5, using: &chance)).map { _ in random(depth: depth - 1, &chance) })
        default:
            var fields: [String: Value] = [:]
            for name in ["a", "bc", "Field_3"] where Bool.random(using: &chance) {
                fields[name] = random(depth: depth - 1, &chance)
            }
            return .object(fields)
        }
    }

    private static func randomText(_ chance: inout Seeded) -> [Unicode.Scalar] {
        (0..<Int.random(in: 0..<20, using: &chance)).map { _ in
            let limits: [UInt32] = [0x20, 0x80, 0x800, 0x10000, 0x110000]
            let limit = limits.randomElement(using: &chance)!
            return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &chance)) ?? "\""
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .int(let value): writer.int(value)
        case .string(let scalars):
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            writer.string(String(text))
        case .array(let elements):
            writer.array { writer in
                for element in elements { element.write(to: &writer) }
            }
        case .object(let fields):
            writer.object { writer in
                for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                    switch name {
                    case "a": writer.name("a")
                    case "bc": writer.name("bc")
                    default: writer.name("Field_3")
                    }
                    value.write(to: &writer)
                }
            }
        }
    }

    init(from reader: inout JSONReader) throws(ParameterError) {
        switch reader.peek() {
        case "n":
            _ = reader.readNull()
            self = .null
        case "t", "f": self = .bool(try reader.readBool())
        case "\"": self = .string(Array(try reader.readString().unicodeScalars))
        case "[":
            var elements: [Value] = []
            try reader.readArray { element throws(ParameterError) in elements.append(try Value(from: &element)) }
            self = .array(elements)
        case "{":
            var fields: [String: Value] = [:]
            try reader.readObject { name, value throws(ParameterError) in fields[name] = try Value(from: &value) }
            self = .object(fields)
        default: self = .int(try reader.readInt())
        }
    }
}

@Suite struct JSONRoundTripTests {
    @Test(arguments: 0..<50 as Range<UInt64>) func readsWhatItWrote(seed: UInt64) throws {
        var chance = Seeded(state: seed)
        for _ in 0..<20 {
            let value = Value.object(["a": .random(depth: 6, &chance)])
            let text = JSONWriter.text { value.write(to: &$0) }
            let bytes = text.array
            var reader = try JSONReader(validating: bytes.span)
            #expect(try Value(from: &reader) == value, "\(text.text)")
        }
    }

    /// What is read of a damaged text does not matter; that nothing is read beyond it, and nothing traps, does.
    @Test(arguments: 0..<20 as Range<UInt64>) func survivesDamage(seed: UInt64) throws {
        var chance = Seeded(state: seed)
        let value = Value.object(["a": .random(depth: 5, &chance), "bc": .string(["\u{1}", "é", "😀"])])
        let bytes = JSONWriter.text { value.write(to: &$0) }.array
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1..<4, using: &chance) {
                damaged[Int.random(in: 0..<damaged.count, using: &chance)] =
                    Bool.random(using: &chance)
                    ? bytes.randomElement(using: &chance)! : .random(in: 0...255, using: &chance)
            }
            guard isValid(damaged) else { continue }
            var reader = JSONReader(validated: damaged.span)
            _ = try? Value(from: &reader)
        }
    }
}
