/// Guards the secret half of the device key.
package protocol Protector: Sendable {
    /// As `GetStatus` and the configuration call it.
    var name: String { get }

    /// The public half, without touching the secret one. Throws `deviceKeyUnavailable`.
    func publicHalf() throws(VaultError) -> DevicePublicKey

    /// The secret half, for the moment of one use. Throws `deviceKeyUnavailable`.
    func secretHalf() throws(VaultError) -> SecretBytes

    /// Clears up after a maker that was killed; makes a pair where there is none, if `create` says so, and leaves one that
    /// is there alone, whatever its state. Throws `deviceKeyUnavailable`.
    func prepare(create: Bool) throws(VaultError)
}

/// The half of the device key that is no secret: whatever is sealed needs it alone.
package struct DevicePublicKey: Equatable, Sendable {
    static let byteCount = Sodium.keySize
    static let idByteCount = 16

    let bytes: [UInt8]
    /// Names the pair in the records that are sealed to it.
    let id: [UInt8]

    init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount)
        self.bytes = bytes
        id = Sodium.hash(Purpose.deviceKeyID.input(bytes), count: Self.idByteCount)
    }
}

/// The pair that data keys are sealed to, behind its protector. Neither half is remembered: a file that was changed or
/// taken away is noticed at the next use, and a record is never sealed to a key that is gone.
package struct DeviceKey: Sendable {
    let protector: any Protector

    package init(_ protector: any Protector) { self.protector = protector }

    func seal(_ dataKey: borrowing SecretBytes, to publicHalf: DevicePublicKey) throws(VaultError) -> [UInt8] {
        guard let sealed = Sodium.seal(dataKey, to: publicHalf.bytes) else {
            throw .deviceKeyUnavailable("nothing can be sealed to its public half")
        }
        return sealed
    }

    /// Throws `deviceKeyUnavailable` if this is not the pair of that id, or `damaged`.
    func unseal(_ sealed: [UInt8], sealedTo id: [UInt8]) throws(VaultError) -> SecretBytes {
        let publicHalf = try protector.publicHalf()
        guard Sodium.equal(publicHalf.id, id) else {
            throw .deviceKeyUnavailable("the record is sealed to another device key")
        }
        let secretHalf = try protector.secretHalf()
        guard Sodium.equal(Sodium.publicHalf(of: secretHalf), publicHalf.bytes) else {
            throw .deviceKeyUnavailable("its secret half does not belong to its public half")
        }
        return try Sodium.unseal(sealed, publicHalf: publicHalf.bytes, secretHalf: secretHalf)
    }
}
