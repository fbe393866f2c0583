import Testing

@testable import BiologinVault

@Suite struct SealedRecordTests {
    static let loginKey = Array("login key".utf8)
    static let record = try! Fixed.vault().seal(
        SecretBytes(loginKey), terms: Fixed.terms, binding: Fixed.binding, snapshot: Fixed.snapshot)

    let vault = try! Fixed.vault()

    /// Why the record does not open; nil if it does.
    func refusal(
        _ record: [UInt8] = record, of vault: Vault? = nil, binding: Binding = Fixed.binding,
        snapshot: [UInt8] = Fixed.snapshot
    ) -> VaultError? {
        do throws(VaultError) {
            _ = try (vault ?? self.vault).unseal(record, binding: binding, snapshot: snapshot)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [1, 2, 255, 16_384]) func opensForWhatItWasSealedFor(keySize: Int) throws {
        let key = (0..<keySize).map { UInt8(truncatingIfNeeded: $0) }
        let record = try vault.seal(
            SecretBytes(key), terms: Fixed.terms, binding: Fixed.binding, snapshot: Fixed.snapshot)
        let unsealed = try vault.unseal(record, binding: Fixed.binding, snapshot: Fixed.snapshot)
        #expect(unsealed.loginKey.exposed == key)
        #expect(unsealed.terms == Fixed.terms)
    }

    @Test(arguments: record.indices) func refusesAChangedByte(at index: Int) {
        for bit in 0..<8 {
            var changed = Self.record
            changed[index] ^= 1 << bit
            #expect(refusal(changed) == .damaged)
        }
    }
}
