@testable import BiologinVault

/// A device key that stands in no file.
struct MemoryProtector: Protector {
    let name = "memory"
    private let secret: [UInt8]
    private let publicBytes: [UInt8]

    init() throws {
        var secret = try SecretBytes(count: Sodium.keySize)
        publicBytes = Sodium.makePair(secret: &secret)
        self.secret = secret.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
    }

    func publicHalf() throws(VaultError) -> DevicePublicKey { DevicePublicKey(bytes: publicBytes) }
    func secretHalf() throws(VaultError) -> SecretBytes { try SecretBytes(copying: secret.span.bytes) }
    func prepare(create: Bool) throws(VaultError) {}
}
