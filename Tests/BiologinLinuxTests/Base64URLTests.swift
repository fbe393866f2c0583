import Testing

@testable import BiologinLinux

struct Base64URLTests {
    /// RFC 4648, section 10, without padding.
    @Test(arguments: [
        "": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE", "foobar": "Zm9vYmFy",
    ])
    func writesTheExamplesOfTheStandard(bytes: String, text: String) {
        #expect(Base64URL.encode(Array(bytes.utf8)) == Array(text.utf8))
        #expect(Base64URL.decode(Array(text.utf8)) == Array(bytes.utf8))
    }

    @Test func givesBackEveryByteValueAtEveryPlace() {
        for start in 0..<3 {
            let bytes = [UInt8](repeating: 7, count: start) + (0...255)
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text) == bytes)
            #expect(!text.contains { "+/=\n".utf8.contains($0) })
        }
    }

    @Test(arguments: ["Z", "Zg=", "Zg==", "Zh", "Zm9", "Zm+v", "Zm/v", "Zg\n", " Zg", "Zm9vY", "Zé"])
    func refusesWhatItNeverWrites(text: String) {
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }
}
