@testable import Varlink

/// Reads a text from its UTF-8.
func read<R>(_ text: String, _ body: (inout JSONReader) throws(ParameterError) -> R) throws -> R {
    let bytes = Array(text.utf8)
    var reader = try JSONReader(validating: bytes.span)
    return try body(&reader)
}

/// Reads the one field of an object.
func readField<R>(_ value: String, _ body: (inout JSONReader) throws(ParameterError) -> R) throws -> R {
    try read(#"{"field":"# + value + "}") { reader throws(ParameterError) in
        var result: R?
        try reader.readObject { _, value throws(ParameterError) in result = try body(&value) }
        return result!
    }
}

func isValid(_ bytes: [UInt8]) -> Bool {
    do {
        try JSONReader.validate(bytes.span)
        return true
    } catch { return false }
}

func isValid(_ text: String) -> Bool { isValid(Array(text.utf8)) }

extension WipedBytes {
    var array: [UInt8] { withBytes { bytes in bytes.withUnsafeBytes(Array.init) } }
    var text: String { String(decoding: array, as: UTF8.self) }
}

/// Chance that can be had again: SplitMix64.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
