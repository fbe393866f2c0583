/// Keeps the device key in a file that only its user can read: against whoever has a copy of the whole home directory it
/// protects nothing.
///
/// `device-key`, after its first line: 32 bytes public half, 16 bytes of its id (which tells damage where the secret half
/// is not at hand), 32 bytes secret half.
package struct FileProtector: Protector {
    private static let publicPart = 0..<DevicePublicKey.byteCount
    private static let idPart = publicPart.upperBound..<publicPart.upperBound + DevicePublicKey.idByteCount
    private static let secretPart = idPart.upperBound..<idPart.upperBound + Sodium.keySize

    private let file: KeyFile

    package init(directory: String) {
        file = KeyFile(
            directory: directory, name: "device-key", title: "biologin device key 1: file",
            contentSize: Self.secretPart.upperBound)
    }

    package var name: String { "file" }

    package func publicHalf() throws(VaultError) -> DevicePublicKey {
        let open = try reading(Self.publicPart.lowerBound..<Self.idPart.upperBound).withBytes { Array(copying: $0) }
        let publicHalf = DevicePublicKey(bytes: Array(open[Self.publicPart]))
        guard Sodium.equal(publicHalf.id, Array(open[Self.idPart])) else {
            throw .deviceKeyUnavailable("the public half in \(file.name) is damaged")
        }
        return publicHalf
    }

    package func secretHalf() throws(VaultError) -> SecretBytes { try reading(Self.secretPart) }

    package func prepare(create: Bool) throws(VaultError) {
        if create && !file.exists {
            var secret = try SecretBytes(count: Sodium.keySize)
            let publicHalf = DevicePublicKey(bytes: Sodium.makePair(secret: &secret))
            let content = try SecretBytes(publicHalf.bytes + publicHalf.id, secret)
            try wrapping { () throws(KeyFileError) in try file.make(content) }
        } else {
            try wrapping { () throws(KeyFileError) in try file.clearUp() }
        }
    }

    private func reading(_ part: Range<Int>) throws(VaultError) -> SecretBytes {
        try wrapping { () throws(KeyFileError) in try file.read(part) }
    }

    private func wrapping<Result: ~Copyable>(
        _ body: () throws(KeyFileError) -> Result
    ) throws(VaultError) -> Result {
        do { return try body() } catch { throw .deviceKeyUnavailable(error.reason(file.name)) }
    }
}
