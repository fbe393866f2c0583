import CSodium

/// The password of the keyring's collection that holds the records, in the file `collection-password`: made once, and never
/// overwritten.
package struct CollectionPassword: Sendable {
    private let file: SymmetricKeyFile

    package init(directory: String) { file = .collectionPassword(in: directory) }

    /// Whether there is one, in whatever state.
    package var exists: Bool { file.exists }

    /// 43 characters of base64url. Throws `collectionPasswordUnavailable`.
    package func read() throws(VaultError) -> SecretBytes {
        let key: SecretBytes
        do { key = try file.read() } catch { throw .collectionPasswordUnavailable(error.reason(file.name)) }
        // With the NUL that libsodium writes behind the characters.
        var text = try SecretBytes(
            count: sodium_base64_encoded_len(key.count, sodium_base64_VARIANT_URLSAFE_NO_PADDING))
        let count = text.count
        key.withPointer { key in
            text.withMutablePointer { text in
                text.withMemoryRebound(to: CChar.self, capacity: count) {
                    _ = sodium_bin2base64($0, count, key, Sodium.keySize, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
                }
            }
        }
        return try text.withBytes { bytes throws(VaultError) in
            try SecretBytes(copying: bytes.extracting(first: count - 1))
        }
    }

    /// On disk when it returns. Throws `collectionPasswordUnavailable`.
    package func makeIfMissing() throws(VaultError) {
        do { try file.prepare(create: true) } catch { throw .collectionPasswordUnavailable(error.reason(file.name)) }
    }
}
