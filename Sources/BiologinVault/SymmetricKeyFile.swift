/// A random key in a file of its own: after its first line, 16 bytes that tell damage, and the 32 bytes of the key.
package struct SymmetricKeyFile: Sendable {
    private static let checkSize = 16

    private let file: KeyFile
    private let purpose: Purpose

    private init(directory: String, name: String, title: String, checkedFor purpose: Purpose) {
        file = KeyFile(
            directory: directory, name: name, title: title, contentSize: Self.checkSize + Sodium.keySize)
        self.purpose = purpose
    }

    /// `profile-key`: the one that a vault needs always at hand.
    static func profileKey(in directory: String) -> SymmetricKeyFile {
        SymmetricKeyFile(
            directory: directory, name: "profile-key", title: "biologin profile key 1", checkedFor: .profileKeyCheck)
    }

    /// `digest-key`: the one that digests of templates are made with.
    package static func digestKey(in directory: String) -> SymmetricKeyFile {
        SymmetricKeyFile(
            directory: directory, name: "digest-key", title: "biologin digest key 1", checkedFor: .digestKeyCheck)
    }

    /// `collection-password`: what the password of the keyring's collection is made of.
    static func collectionPassword(in directory: String) -> SymmetricKeyFile {
        SymmetricKeyFile(
            directory: directory, name: "collection-password", title: "biologin collection password 1",
            checkedFor: .collectionPasswordCheck)
    }

    package var name: String { file.name }

    /// Whether something of that name is there, or may be.
    var exists: Bool { file.exists }

    /// Throws `missing`, or `refused` where it is damaged, or anybody else could have read or written it.
    package func read() throws(KeyFileError) -> SecretBytes {
        let check = try file.read(0..<Self.checkSize)
        let key = try file.read(Self.checkSize..<Self.checkSize + Sodium.keySize)
        guard Sodium.equal(self.check(of: key), check.withBytes { Array(copying: $0) }) else {
            throw .refused("\(file.name) is damaged")
        }
        return key
    }

    /// Makes a key where there is none, if `create` says so, and leaves one that is there alone, whatever its state. On
    /// disk when it returns.
    package func prepare(create: Bool) throws(KeyFileError) {
        guard create && !file.exists else { return try file.clearUp() }
        try file.make(try content())
    }

    private func content() throws(KeyFileError) -> SecretBytes {
        do throws(VaultError) {
            let key = try SecretBytes.random(count: Sodium.keySize)
            return try SecretBytes(check(of: key), key)
        } catch {
            throw .noMemory
        }
    }

    private func check(of key: borrowing SecretBytes) -> [UInt8] {
        Sodium.hash(purpose.input(), key: key, count: Self.checkSize)
    }
}
