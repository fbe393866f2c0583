import Testing

@testable import BiologinVault

@Suite struct AccountTagTests {
    @Test func dependsOnEachPartAndOnWhereItEnds() throws {
        let tags = try [
            Fixed.vault().tag(application: "org.example.App", uid: "1001"),
            Fixed.vault().tag(application: "org.example.App1", uid: "001"),
            Fixed.vault().tag(application: "org.example.App", uid: "1002"),
            Fixed.vault(domain: "other").tag(application: "org.example.App", uid: "1001"),
            Vault(domain: Fixed.domain, profileKey: .random(count: 32), deviceKey: DeviceKey(FixedProtector()))
                .tag(application: "org.example.App", uid: "1001"),
        ]
        #expect(Set(tags).count == tags.count)
    }

    @Test func tellsUidsApartThatUnicodeCallsEqual() throws {
        let vault = try Fixed.vault()
        #expect(vault.tag(application: "a.b", uid: "\u{e9}") != vault.tag(application: "a.b", uid: "e\u{301}"))
    }

    @Test(arguments: [[UInt8](repeating: 0, count: 16), [UInt8](repeating: 0xff, count: 16), [UInt8](0..<16)])
    func isReadFromWhatItIsWrittenAs(_ bytes: [UInt8]) {
        let tag = AccountTag(bytes: bytes)
        #expect(AccountTag(tag.description) == tag)
    }

    @Test(arguments: [
        "", "00112233445566778899AABBCCDDEEFF", "00112233445566778899aabbccddeef", "00112233445566778899aabbccddeef/",
    ])
    func isNotReadFrom(_ text: String) { #expect(AccountTag(text) == nil) }
}
