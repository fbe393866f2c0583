import Testing

@testable import Varlink

@Suite struct JSONReaderTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("42", 42), ("-7", -7), ("9223372036854775807", Int.max),
        ("-9223372036854775808", Int.min),
    ]) func readsANumber(_ text: String, _ number: Int) throws {
        #expect(try readField(text) { value throws(ParameterError) in try value.readInt() } == number)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "99999999999999999999999", "1.0", "1.5", "1e3", "0e0", "\"1\"",
        "true", "null", "[]", "{}",
    ]) func refusesANumberThatDoesNotFit(_ text: String) {
        #expect(throws: ParameterError.at("field")) {
            try readField(text) { value throws(ParameterError) in try value.readInt() }
        }
    }

    @Test(arguments: [
        (#""""#, ""), (#""plain""#, "plain"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (#""\u00E9é\ud83d\ude00""#, "éé😀"),
        (#""\u0000""#, "\0"), (#""e\u0301""#, "e\u{301}"), (#" "spaced" "#, "spaced"),
    ]) func readsAString(_ text: String, _ string: String) throws {
        let read = try readField(text) { value throws(ParameterError) in try value.readString() }
        #expect(Array(read.utf8) == Array(string.utf8))
    }

    @Test(arguments: ["1", "true", "null", "[]", "{}"]) func refusesWhatIsNoString(_ text: String) {
        #expect(throws: ParameterError.at("field")) {
            try readField(text) { value throws(ParameterError) in try value.readString() }
        }
    }

    @Test func readsBooleansAndNull() throws {
        var read: [Bool?] = []
        try readField("[true, false ,null]") { value throws(ParameterError) in
            try value.readArray { element throws(ParameterError) in
                read.append(element.readNull() ? nil : try element.readBool())
            }
        }
        #expect(read == [true, false, nil])
    }

    @Test(arguments: [
        "1", "-1.5e3", "null", "true", #""a\"}""#, "[]", "{}", #"[1,[2,"]"],{"a":"}"}]"#, #"{"a":{"b":[1]},"c":null}"#,
    ]) func skipsAValueAndCopiesItAsItIs(_ text: String) throws {
        var raw: String?
        var next = 0
        try read(#"{"a": \#(text) ,"b":\#(text),"next":5}"#) { reader throws(ParameterError) in
            try reader.readObject { name, value throws(ParameterError) in
                switch name {
                case "a": value.skip()
                case "b": raw = value.readRaw().text
                default: next = try value.readInt()
                }
            }
        }
        #expect(raw == text)
        #expect(next == 5)
    }

    @Test(arguments: [
        (#"{"outer":{"unknown":1}}"#, "outer.unknown"), (#"{"outer":{}}"#, "outer.inner"),
        (#"{"outer":{"inner":1}}"#, "outer.inner"),
        (#"{"outer":{"inner":["a",1]}}"#, "outer.inner[1]"), (#"{"outer":{"outer":1}}"#, "outer.outer"),
        (#"{"unknown":{}}"#, "unknown"),
        (#"{"outer":[]}"#, "outer"), ("{}", "outer"), (#"{"ignored":1,"outer":{"inner":[]}}"#, "ignored"),
        (#"{"outeé":1}"#, "outeé"),
    ]) func namesTheFieldThatIsWrong(_ text: String, _ path: String) throws {
        let error = try #require(throws: ParameterError.self) {
            try read(text) { reader throws(ParameterError) in
                var isThere = false
                try reader.readObject { name, value throws(ParameterError) in
                    if name == "ignored" { return }
                    guard name == "outer" else { throw ParameterError(name) }
                    isThere = true
                    var inner: [String]?
                    try value.readObject { name, value throws(ParameterError) in
                        guard name == "inner" else { throw ParameterError(name) }
                        inner = []
                        try value.readArray { element throws(ParameterError) in inner?.append(try element.readString())
                        }
                    }
                    guard inner != nil else { throw ParameterError("inner") }
                }
                guard isThere else { throw ParameterError("outer") }
            }
        }
        #expect(error.name == path)
    }

    @Test func doesNotTakeTheKelvinSignForAK() {
        #expect("\u{212A}ey" == "Key")
        #expect(throws: ParameterError.at("\u{212A}ey")) {
            try read("{\"\u{212A}ey\":1}") { reader throws(ParameterError) in
                try reader.readObject { name, value throws(ParameterError) in
                    guard name == "Key" else { return }
                    _ = try value.readInt()
                }
            }
        }
    }
}

extension ParameterError {
    static func at(_ path: String) -> ParameterError { mismatch.inside(path) }
}
