/// What a hash is made for. Each purpose has words of its own at the head of the input, ended by a NUL, so that no hash
/// made for one can serve for another. A format that changes gets new words; these never change.
enum Purpose: String {
    // Out of the profile key, once at start:
    case accountTagKey = "biologin 1 account tag key"
    case snapshotTagKey = "biologin 1 snapshot tag key"
    case recordAuthenticationKey = "biologin 1 record authentication key"
    case profileEncryptionKey = "biologin 1 profile encryption key"
    /// Tells a profile key file that was damaged from a whole one.
    case profileKeyCheck = "biologin 1 profile key check"

    /// The same of a digest key file.
    case digestKeyCheck = "biologin 1 digest key check"

    /// The same of a collection password file.
    case collectionPasswordCheck = "biologin 1 collection password check"

    // Out of those:
    case accountTag = "biologin 1 account tag"
    case snapshotTag = "biologin 1 snapshot tag"
    case recordAuthentication = "biologin 1 record authentication"

    /// Out of a record's data key and the enrollment snapshot.
    case messageKey = "biologin 1 message key"

    /// Out of the device key's public half, without a key.
    case deviceKeyID = "biologin 1 device key id"

    func input(_ rest: [UInt8] = []) -> [UInt8] { Array(rawValue.utf8) + [0] + rest }
}

/// The keys that come out of the profile key. The profile key itself need not be kept.
struct ProfileKeys: ~Copyable, Sendable {
    let accountTag: SecretBytes
    let snapshotTag: SecretBytes
    let recordAuthentication: SecretBytes
    let profileEncryption: SecretBytes

    /// Throws `noMemory`.
    static func derived(from profileKey: borrowing SecretBytes) throws(VaultError) -> ProfileKeys {
        precondition(profileKey.count == Sodium.keySize)
        return ProfileKeys(
            accountTag: try Sodium.derive(Purpose.accountTagKey.input(), key: profileKey),
            snapshotTag: try Sodium.derive(Purpose.snapshotTagKey.input(), key: profileKey),
            recordAuthentication: try Sodium.derive(Purpose.recordAuthenticationKey.input(), key: profileKey),
            profileEncryption: try Sodium.derive(Purpose.profileEncryptionKey.input(), key: profileKey))
    }
}
