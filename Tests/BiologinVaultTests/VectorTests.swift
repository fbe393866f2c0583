import Testing

@testable import BiologinVault

/// What was written once opens for ever. `Vectors/make.py` says how it was made, without a line of this program.
@Suite struct VectorTests {
    static let fingers = Array("\u{1}Virtual reader\0left-index-finger\0right-thumb\0".utf8)
    static let latin = "2e441d8c8dfc921c49dab11d7847cf82"
    static let scripts = "4fd4dda61cc988f7268f7eab6e691855"

    struct Vector: CustomTestStringConvertible {
        let name, account: String
        let generation: UInt64
        let verifier: String
        let strength: UInt8
        let snapshot, loginKey, terms: [UInt8]
        var testDescription: String { name }
    }

    let directory = TemporaryDirectory()
    let vault: Vault

    init() throws {
        for name in ["device-key", "profile-key"] { directory.write(Self.bytes(name), to: name) }
        vault = try Vault.open(directory: directory.path, domain: Fixed.domain, create: false)
    }

    static func bytes(_ name: String) -> [UInt8] {
        BiologinVaultTests.bytes(
            of: #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Vectors/" + name)
    }

    @Test(arguments: [
        Vector(
            name: "one-byte.record", account: latin, generation: 1, verifier: "fprintd", strength: 1, snapshot: fingers,
            loginKey: [0], terms: []),
        Vector(
            name: "scripts.record", account: scripts, generation: 0x0102_0304_0506_0708, verifier: "fprintd",
            strength: 2,
            snapshot: Array("\u{1}読取機\0right-index-finger\0".utf8), loginKey: Array("ключ 鍵 مفتاح".utf8),
            terms: Array("имя 名前 اسم".utf8)),
        Vector(
            name: "largest.record", account: latin, generation: .max, verifier: String(repeating: "v", count: 64),
            strength: 3, snapshot: fingers, loginKey: (0..<16_384).map { UInt8((7 * $0 + 3) % 256) },
            terms: Array(repeating: UInt8(ascii: "t"), count: 16_384)),
    ])
    func recordOpens(_ vector: Vector) throws {
        let account = try #require(AccountTag(vector.account))
        let record = Self.bytes(vector.name)
        #expect(try vault.generation(of: record, account: account) == vector.generation)
        let unsealed = try vault.unseal(
            record,
            binding: Binding(
                account: account, generation: vector.generation, verifier: vector.verifier, strength: vector.strength),
            snapshot: vector.snapshot)
        #expect(unsealed.loginKey.exposed == vector.loginKey)
        #expect(unsealed.terms == vector.terms)
    }

    @Test func theLargestRecordIsAsLargeAsTheLimit() { #expect(Self.bytes("largest.record").count == Limits.record) }

    @Test(arguments: [("empty.profile", latin, ""), ("scripts.profile", scripts, "имя 名前 اسم")])
    func profileOpens(name: String, account: String, plain: String) throws {
        #expect(try vault.openProfile(Self.bytes(name), tag: try #require(AccountTag(account))) == Array(plain.utf8))
    }

    @Test(arguments: [("1001", latin), ("Ольга@例え.jp", scripts)])
    func accountKeepsItsTag(uid: String, tag: String) {
        #expect(vault.tag(application: "org.example.App", uid: uid).description == tag)
    }
}
