/// A sealed profile, version 1: one byte of version, then 24 bytes of nonce, the encrypted profile, and 16 bytes of tag.
/// Bound to the version, the domain and the account.
struct SealedProfile {
    static let version: UInt8 = 1

    private let bound: [UInt8]

    init(domain: String, account: AccountTag) {
        var packer = Packer()
        packer.add(Self.version)
        packer.add(domain)
        packer.add(account.description)
        bound = packer.bytes
    }

    /// Throws `limitExceeded`.
    func seal(_ plain: [UInt8], key: borrowing SecretBytes) throws(VaultError) -> [UInt8] {
        guard plain.count <= Limits.profile else { throw .limitExceeded("profile") }
        return [Self.version] + Sodium.encrypt(plain.span.bytes, key: key, bound: bound)
    }

    /// Throws `unknownVersion` or `damaged`.
    func open(_ sealed: [UInt8], key: borrowing SecretBytes) throws(VaultError) -> [UInt8] {
        guard let version = sealed.first, sealed.count <= 1 + Limits.profile + Sodium.boxOverhead else {
            throw .damaged
        }
        guard version == Self.version else { throw .unknownVersion }
        return try Sodium.decrypt(Array(sealed.dropFirst()), key: key, bound: bound).withBytes { Array(copying: $0) }
    }
}
