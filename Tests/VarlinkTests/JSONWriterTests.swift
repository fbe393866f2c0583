import Testing

@testable import Varlink

@Suite struct JSONWriterTests {
    @Test func putsCommasBetween() {
        let text = JSONWriter.text { writer in
            writer.object { writer in
                writer.name("empty")
                writer.object { _ in }
                writer.name("list")
                writer.array { writer in
                    writer.int(-1)
                    writer.array { _ in }
                    writer.bool(true)
                    writer.null()
                    writer.string(",")
                    writer.string("[")
                }
                writer.name("raw")
                writer.raw(JSONWriter.text { $0.int(7) }.array.span.raw)
                writer.name("last")
                writer.string("")
            }
        }
        #expect(text.text == #"{"empty":{},"list":[-1,[],true,null,",","["],"raw":7,"last":""}"#)
    }

    @Test(arguments: 0..<0x20 as Range<UInt8>) func escapesControlCharacters(_ byte: UInt8) throws {
        let text = String(UnicodeScalar(byte))
        let written = JSONWriter.text { $0.string(text) }.text
        #expect(written.utf8.allSatisfy { $0 >= 0x20 })
        #expect(try readField(written) { value throws(ParameterError) in try value.readString() } == text)
    }

    @Test(arguments: [Int.min, -1, 0, 10, Int.max]) func writesAnyNumber(_ number: Int) {
        #expect(JSONWriter.text { $0.int(number) }.text == String(number))
    }
}
