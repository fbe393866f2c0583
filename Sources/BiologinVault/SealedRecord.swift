/// A sealed record, version 1. Numbers have their highest byte first.
///
///      offset  bytes
///           0      1  version: 1
///           1      8  generation
///           9     16  device key id
///          25      1  strength of the change detection
///          26      1  scheme of the enrollment snapshot: its first byte
///          27     16  tag of the enrollment snapshot
///          43     80  data key, sealed to the device key (crypto_box_seal)
///         123    4+v  length and name of the verifier, UTF-8
///       127+v  4+b    length of the box, and the box:
///                       24  nonce
///                      b-40  encrypted: 4+k length and login key, 4+t length and terms
///                       16  Poly1305 tag
///         end     32  authentication of all before it, and of domain and account
///
/// The box is bound to version, domain, device key id, account, generation, verifier, strength and snapshot tag. The last
/// 32 bytes authenticate whatever version the first byte names: that much every version keeps.
struct SealedRecord {
    static let version: UInt8 = 1
    static let authenticatorSize = 32
    static let snapshotTagSize = 16
    static let sealedDataKeySize = Sodium.keySize + Sodium.sealOverhead
    static let boxLimit = Sodium.boxOverhead + 4 + Limits.loginKey.upperBound + 4 + Limits.terms
    static let sizeLimit = 123 + (4 + Limits.verifier) + (4 + boxLimit) + authenticatorSize

    var generation: UInt64
    var deviceKeyID: [UInt8]
    var strength: UInt8
    var scheme: UInt8
    var snapshotTag: [UInt8]
    var sealedDataKey: [UInt8]
    var verifier: String
    var box: [UInt8]

    init(
        binding: Binding, deviceKeyID: [UInt8], scheme: UInt8, snapshotTag: [UInt8], sealedDataKey: [UInt8],
        box: [UInt8]
    ) {
        (generation, verifier, strength) = (binding.generation, binding.verifier, binding.strength)
        (self.deviceKeyID, self.scheme, self.snapshotTag) = (deviceKeyID, scheme, snapshotTag)
        (self.sealedDataKey, self.box) = (sealedDataKey, box)
    }

    /// All but the authenticator.
    var body: [UInt8] {
        var packer = Packer()
        packer.add(Self.version)
        packer.add(generation)
        packer.add(raw: deviceKeyID)
        packer.add(strength)
        packer.add(scheme)
        packer.add(raw: snapshotTag)
        packer.add(raw: sealedDataKey)
        packer.add(verifier)
        packer.add(box)
        return packer.bytes
    }

    /// Reads an authenticated body. Throws `unknownVersion` or `damaged`.
    init(body: [UInt8]) throws(VaultError) {
        var unpacker = Unpacker(body.span.bytes)
        guard try unpacker.byte() == Self.version else { throw .unknownVersion }
        generation = try unpacker.number()
        deviceKeyID = try unpacker.raw(DevicePublicKey.idByteCount)
        strength = try unpacker.byte()
        scheme = try unpacker.byte()
        snapshotTag = try unpacker.raw(Self.snapshotTagSize)
        sealedDataKey = try unpacker.raw(Self.sealedDataKeySize)
        verifier = try unpacker.text(limit: Limits.verifier)
        box = try unpacker.bytes(limit: Self.boxLimit)
        try unpacker.end()
    }
}

// MARK: The message

extension SealedRecord {
    /// What is encrypted, in guarded memory.
    static func message(loginKey: borrowing SecretBytes, terms: [UInt8]) throws(VaultError) -> SecretBytes {
        var length = Packer()
        length.add(length: loginKey.count)
        var rest = Packer()
        rest.add(terms)
        return try SecretBytes(length.bytes, loginKey, rest.bytes)
    }

    /// Throws `damaged` or `noMemory`.
    static func unsealed(message: borrowing SecretBytes) throws(VaultError) -> Unsealed {
        try message.withBytes { message throws(VaultError) in
            var unpacker = Unpacker(message)
            let loginKey = try SecretBytes(copying: try unpacker.span(limit: Limits.loginKey.upperBound))
            let terms = try unpacker.bytes(limit: Limits.terms)
            try unpacker.end()
            return Unsealed(loginKey: loginKey, terms: terms)
        }
    }
}
