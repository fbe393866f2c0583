import Testing

@testable import Varlink

@Suite struct JSONValidatorTests {
    static let document = """
        { "text" : "a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\uDE00é😀" ,\t"numbers":[0,-0,12,-1.5,1e9,1E-2,2.25e+3],
        "nested": {"a":[[],{}, [true ,false]],"b":null},"":"" }
        """

    @Test(arguments: [
        "{}", " \t\r\n{ } \n", #"{"a":1}"#, document, #"{"a":"\u0000\u001f"}"#, #"{"a":"\ud800\udc00"}"#,
        #"{"a":{"a":1},"b":{"a":2}}"#, #"{"a":[{"a":1},{"a":2}]}"#, #"{"é":1,"e\u0301":2}"#, #"{"a":1,"A":2}"#,
        #"{"a":"\#u{7f}\#u{ffff}\#u{10ffff}"}"#, #"{"a":123456789012345678901234567890}"#, #"{"a":1e999}"#,
    ]) func accepts(_ text: String) { #expect(isValid(text)) }

    @Test(arguments: [
        "", " ", "1", "null", "[]", "\"a\"", "{", "}", "{}{}", "{},", "{} x", "{,}", #"{"a"}"#, #"{"a":}"#,
        #"{"a":1,}"#,
        #"{"a":1 "b":2}"#, #"{,"a":1}"#, #"{"a":1,,"b":2}"#, "{a:1}", "{'a':1}", "{1:1}", #"{"a":[1,]}"#,
        #"{"a":[,1]}"#,
        #"{"a":[1 2]}"#, #"{"a":[1}"#, #"{"a":{]}"#, #"{"a":tru}"#, #"{"a":True}"#, #"{"a":nul}"#, #"{"a":nulll}"#,
        #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":01}"#, #"{"a":-}"#, #"{"a":-01}"#, #"{"a":+1}"#, #"{"a":.5}"#,
        #"{"a":1.}"#, #"{"a":1.e1}"#, #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":0x1}"#, #"{"a":1_0}"#, #"{"a":1/**/}"#,
        #"{"a":"\x41"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\U0041"}"#, #"{"a":"\"}"#, #"{"a":"\'"}"#,
        #"{"a":"\ud800"}"#, #"{"a":"\udc00"}"#, #"{"a":"\ud800\u0041"}"#, #"{"a":"\ud800x"}"#, #"{"a":"\ud800\ud800"}"#,
        "{\"a\":\"\t\"}", "{\"a\":\"\n\"}", "{\"a\":\"\u{1f}\"}", "{\u{a0}}", "\u{feff}{}", "{\"a\":1\u{b}}", "{\0}",
    ]) func refuses(_ text: String) { #expect(!isValid(text)) }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"a/b":1,"a\/b":2}"#, #"{"😀":1,"\ud83d\ude00":2}"#,
        #"{"":1,"":2}"#,
        #"{"x":{"a":1,"b":2,"a":3}}"#, #"{"x":[{"a":1,"a":3}]}"#,
    ]) func refusesANameThatComesTwice(_ text: String) { #expect(!isValid(text)) }

    @Test(arguments: [2, 16, 17, 18, 1000]) func noticesANameThatComesTwiceAmong(_ count: Int) {
        let names = (0..<count).map { "\"n\($0)\":0" }
        #expect(isValid("{\(names.joined(separator: ","))}"))
        for twice in [0, count / 2, count - 1] {
            #expect(!isValid("{\((names + [names[twice]]).joined(separator: ","))}"))
        }
    }

    @Test(arguments: [
        [0xFF], [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        [0xF0, 0x9F, 0x98],
    ]) func refusesWhatIsNotUTF8(_ bytes: [UInt8]) {
        #expect(!isValid(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)))
    }

    @Test func refusesATextCutAnywhere() {
        let bytes = Array(Self.document.utf8)
        #expect(isValid(bytes))
        for count in 0..<bytes.count { #expect(!isValid(Array(bytes[..<count])), "cut after \(count) bytes") }
    }

    @Test(arguments: ["[", #"{"a":"#]) func refusesMoreThan32Levels(_ opening: String) {
        let closing = opening == "[" ? "]" : "}"
        func nested(_ levels: Int) -> String {
            #"{"a":"# + String(repeating: opening, count: levels - 1) + "1"
                + String(repeating: closing, count: levels - 1)
                + "}"
        }
        #expect(isValid(nested(32)))
        #expect(!isValid(nested(33)))
        #expect(!isValid(String(repeating: #"{"a":"#, count: 200_000)))
    }

    @Test func saysWhereItStopped() {
        #expect(throws: MalformedJSON(offset: 5)) { try read(#"{"a":x}"#) { _ in } }
    }
}
