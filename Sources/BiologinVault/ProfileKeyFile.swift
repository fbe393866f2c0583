/// The profile key's file, always at hand: `profile-key`, after its first line 16 bytes that tell damage, and the 32 bytes
/// of the key.
struct ProfileKeyFile {
    private static let checkSize = 16

    private let file: KeyFile

    init(directory: String) {
        file = KeyFile(
            directory: directory, name: "profile-key", title: "biologin profile key 1",
            contentSize: Self.checkSize + Sodium.keySize)
    }

    /// Throws `profileKeyUnavailable`.
    func read() throws(VaultError) -> SecretBytes {
        do throws(KeyFileError) {
            let check = try file.read(0..<Self.checkSize)
            let key = try file.read(Self.checkSize..<Self.checkSize + Sodium.keySize)
            guard Sodium.equal(Self.check(of: key), check.withBytes { Array(copying: $0) }) else {
                throw KeyFileError.refused("\(file.name) is damaged")
            }
            return key
        } catch {
            throw .profileKeyUnavailable(error.reason(file.name))
        }
    }

    /// Makes a key where there is none, if `create` says so, and leaves one that is there alone, whatever its state.
    /// Throws `profileKeyUnavailable`.
    func prepare(create: Bool) throws(VaultError) {
        let key = try SecretBytes.random(count: Sodium.keySize)
        let content = try SecretBytes(Self.check(of: key), key)
        do throws(KeyFileError) {
            if create && !file.exists { try file.make(content) } else { try file.clearUp() }
        } catch {
            throw .profileKeyUnavailable(error.reason(file.name))
        }
    }

    private static func check(of key: borrowing SecretBytes) -> [UInt8] {
        Sodium.hash(Purpose.profileKeyCheck.input(), key: key, count: checkSize)
    }
}
