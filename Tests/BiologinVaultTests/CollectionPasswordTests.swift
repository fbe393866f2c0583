import BiologinVault
import Glibc
import Testing

struct CollectionPasswordTests {
    private let directory = TemporaryDirectory()
    private var password: CollectionPassword { CollectionPassword(directory: directory.path) }

    private func text() throws -> String {
        try password.read().withBytes { bytes in bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    private func refusal() -> VaultError? {
        refused { () throws(VaultError) in _ = try password.read() }
    }

    @Test func isMadeOnceAndAnotherOneEachTime() throws {
        #expect(!password.exists)
        try password.makeIfMissing()
        let first = try text()
        #expect(first.utf8.count == 43)
        #expect(first.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        try password.makeIfMissing()
        #expect(try text() == first && password.exists)
        #expect(directory.names == ["collection-password"])
        unlink(directory / "collection-password")
        try password.makeIfMissing()
        #expect(try text() != first)
    }

    @Test func saysWhyItCannotBeHad() throws {
        #expect(refusal() == .collectionPasswordUnavailable("there is no collection-password"))
        try password.makeIfMissing()
        chmod(directory / "collection-password", 0o640)
        #expect(
            refusal() == .collectionPasswordUnavailable("collection-password is open to others; its mode must be 0600"))
    }

    @Test func noticesAChangedByteAndLeavesItAlone() throws {
        try password.makeIfMissing()
        let bytes = directory.read("collection-password")
        for index in bytes.indices.suffix(48) {
            var changed = bytes
            changed[index] ^= 1
            directory.write(changed, to: "collection-password")
            #expect(refusal() == .collectionPasswordUnavailable("collection-password is damaged"))
            try password.makeIfMissing()
            #expect(directory.read("collection-password") == changed)
        }
    }
}
