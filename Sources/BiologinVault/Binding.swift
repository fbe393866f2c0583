/// What a record opens for, besides the enrolled templates. The domain and the device key are the vault's own.
package struct Binding: Equatable, Sendable {
    package let account: AccountTag
    package let generation: UInt64
    /// Who verifies: "fprintd".
    package let verifier: String
    /// How surely a change of the templates is noticed.
    package let strength: UInt8

    package init(account: AccountTag, generation: UInt64, verifier: String, strength: UInt8) {
        (self.account, self.generation, self.verifier, self.strength) = (account, generation, verifier, strength)
    }
}

/// What was in a record.
package struct Unsealed: ~Copyable, Sendable {
    package let loginKey: SecretBytes
    package let terms: [UInt8]
}
