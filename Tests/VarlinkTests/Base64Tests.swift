import Testing

@testable import Varlink

@Suite struct Base64Tests {
    /// RFC 4648, section 10, and two of every byte.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("\u{7F}~>?", "f34+Pw=="),
    ]) func isThatOfTheStandard(_ plain: String, _ encoded: String) throws {
        let bytes = Array(plain.utf8)
        #expect(JSONWriter.text { $0.base64(bytes.span.raw) }.text == "\"\(encoded)\"")
        #expect(try decode("\"\(encoded)\"").array == bytes)
    }

    @Test(arguments: [1, 2, 3, 255, 256, 16384, 16385]) func keepsEveryByte(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try decode(JSONWriter.text { $0.base64(bytes.span.raw) }.text).array == bytes)
    }

    @Test func takesAnEscapedOne() throws {
        #expect(try decode(#""f34\u002b\/w=\u003d""#).array == [0x7F, 0x7E, 0x3E, 0xFF])
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zh==", "Zm9=", "Zm8=Zm8=", "Zg==Zg==", "Zm 9", "Zm9v\\n", "Zm9v ",
        "Zm-_",
        "Zm9\\u00e9", "Zm\\u0000v", "Zé8=",
    ]) func refuses(_ encoded: String) {
        #expect(throws: ParameterError.at("field")) { try decode("\"\(encoded)\"") }
    }

    @Test func tellsTooMuchFromWrong() throws {
        let error = try #require(throws: ParameterError.self) { try decode(#""Zm9vYg==""#, limit: 3) }
        #expect(error.tooLarge)
        #expect(error.name == "field")
        #expect(try decode(#""Zm9v""#, limit: 3).count == 3)
    }

    private func decode(_ value: String, limit: Int = 1 << 20) throws -> WipedBytes {
        try readField(value) { value throws(ParameterError) in try value.readBase64(limit: limit) }
    }
}
