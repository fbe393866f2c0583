import Testing

@testable import BiologinVault

@Suite struct SealedRecordTests {
    static let record = sealed()
    /// Where each part ends; see `SealedRecord`.
    static let layout: [(end: Int, refusal: VaultError)] = [
        (1, .unknownVersion), (9, .rolledBack),
        (25, .deviceKeyUnavailable("the record is sealed to another device key")),
        (26, .damaged), (27, .unknownVersion), (43, .templatesChanged), (.max, .damaged),
    ]

    let vault: Vault

    init() throws { vault = try Fixed.vault() }

    static func sealed(binding: Binding = Fixed.binding, snapshot: [UInt8] = Fixed.snapshot) -> [UInt8] {
        let key = try? SecretBytes(Array("login key".utf8))
        guard let vault = try? Fixed.vault(), let key else { return [] }
        return (try? vault.seal(key, terms: Fixed.terms, binding: binding, snapshot: snapshot)) ?? []
    }

    /// Why the record does not open; nil if it does.
    func refusal(
        of record: [UInt8] = record, by vault: Vault? = nil, binding: Binding = Fixed.binding,
        snapshot: [UInt8] = Fixed.snapshot
    ) -> VaultError? {
        refused { () throws(VaultError) in
            _ = try (vault ?? self.vault).unseal(record, binding: binding, snapshot: snapshot)
        }
    }

    @Test(arguments: [1, 2, 255, 16_384]) func opensForWhatItWasSealedFor(keySize: Int) throws {
        let key = (0..<keySize).map { UInt8(truncatingIfNeeded: $0) }
        let record = try vault.seal(
            SecretBytes(key), terms: Fixed.terms, binding: Fixed.binding, snapshot: Fixed.snapshot)
        let unsealed = try vault.unseal(record, binding: Fixed.binding, snapshot: Fixed.snapshot)
        #expect(unsealed.terms == Fixed.terms)
        #expect(unsealed.loginKey.exposed == key)
    }

    @Test func isNeverTheSameTwice() { #expect(Self.sealed() != Self.sealed()) }

    @Test func holdsNothingInTheClear() {
        for open in ["login key", "terms", "reader", "finger"] {
            #expect(!Self.record.contains(Array(open.utf8)))
        }
    }

    @Test func isSealedWithThePublicHalfAlone() throws {
        let vault = try Fixed.vault(deviceKey: FixedProtector(hidesSecretHalf: true))
        let record = try vault.seal(
            SecretBytes([1]), terms: [], binding: Fixed.binding, snapshot: Fixed.snapshot)
        #expect(refusal(of: record) == nil)
        #expect(refusal(of: record, by: vault) == .deviceKeyUnavailable("hidden"))
    }

    // MARK: Changed records

    @Test(arguments: record.indices) func refusesAChangedByte(at index: Int) {
        for bit in 0..<8 {
            var changed = Self.record
            changed[index] ^= 1 << bit
            #expect(refusal(of: changed) == .damaged)
        }
    }

    /// What stands below the authentication holds by itself, each part with its own error.
    @Test(arguments: 0..<record.count - SealedRecord.authenticatorSize)
    func refusesAChangedByteThatWasAuthenticatedAnew(at index: Int) {
        for bit in 0..<8 {
            var body = Array(Self.record.dropLast(SealedRecord.authenticatorSize))
            body[index] ^= 1 << bit
            let changed = vault.authenticated(body, account: Fixed.tag)
            #expect(refusal(of: changed) == Self.layout.first { index < $0.end }?.refusal)
        }
    }

    @Test(arguments: record.indices) func refusesARecordCut(to size: Int) {
        #expect(refusal(of: Array(Self.record[..<size])) == .damaged)
        guard 1..<Self.record.count - SealedRecord.authenticatorSize ~= size else { return }
        let cut = vault.authenticated(Array(Self.record[..<size]), account: Fixed.tag)
        #expect(refusal(of: cut) == .damaged, "authenticated anew")
    }

    @Test func refusesBytesAfterTheEnd() {
        #expect(refusal(of: Self.record + [0]) == .damaged)
        let body = Self.record.dropLast(SealedRecord.authenticatorSize) + [0]
        #expect(refusal(of: vault.authenticated(Array(body), account: Fixed.tag)) == .damaged)
    }

    @Test func refusesMoreThanARecordCanHold() {
        let body = Array(Self.record + [UInt8](repeating: 0, count: Limits.record))
        #expect(refusal(of: vault.authenticated(body, account: Fixed.tag)) == .damaged)
    }

    @Test func tellsAnotherVersionFromDamage() {
        let ofTomorrow = vault.authenticated([2, 0xff], account: Fixed.tag)
        #expect(refusal(of: ofTomorrow) == .unknownVersion)
        #expect(
            refused { () throws(VaultError) in _ = try vault.generation(of: ofTomorrow, account: Fixed.tag) }
                == .unknownVersion)
        #expect(refusal(of: [2] + Self.record.dropFirst()) == .damaged)
    }

    // MARK: Another binding

    @Test(arguments: [
        (
            Binding(
                account: AccountTag(bytes: [UInt8](repeating: 0, count: 16)), generation: 7, verifier: "fprintd",
                strength: 1), VaultError.damaged
        ),
        (Binding(account: Fixed.tag, generation: 6, verifier: "fprintd", strength: 1), .rolledBack),
        (Binding(account: Fixed.tag, generation: 8, verifier: "fprintd", strength: 1), .rolledBack),
        (Binding(account: Fixed.tag, generation: 7, verifier: "fprintd2", strength: 1), .damaged),
        (Binding(account: Fixed.tag, generation: 7, verifier: "", strength: 1), .damaged),
        (Binding(account: Fixed.tag, generation: 7, verifier: "fprintd", strength: 0), .damaged),
        (Binding(account: Fixed.tag, generation: 7, verifier: "fprintd", strength: 2), .damaged),
    ])
    func refusesAnotherBinding(_ binding: Binding, with error: VaultError) {
        #expect(refusal(binding: binding) == error)
        #expect(refusal(binding: binding, snapshot: Fixed.snapshot + [1]) == error, "it comes before the templates")
    }

    @Test func refusesAnotherDomain() throws {
        #expect(refusal(by: try Fixed.vault(domain: "org.biologin.Login.simulated")) == .damaged)
    }

    @Test func refusesAnotherProfileKey() throws {
        let other = try Vault(
            domain: Fixed.domain, profileKey: .random(count: 32), deviceKey: DeviceKey(FixedProtector()))
        #expect(refusal(by: other) == .damaged)
    }

    @Test func refusesAnotherDeviceKey() throws {
        let other = try Fixed.vault(deviceKey: FixedProtector(seed: 0x41))
        #expect(refusal(by: other) == .deviceKeyUnavailable("the record is sealed to another device key"))
    }

    @Test func refusesASecretHalfOfAnotherPair() throws {
        let mixed = try Fixed.vault(deviceKey: FixedProtector(seed: 0x41, publicSeed: 0x40))
        #expect(refusal(by: mixed) == .deviceKeyUnavailable("its secret half does not belong to its public half"))
    }

    // MARK: Other templates

    @Test(arguments: ["", "reader\0", "reader\0right-index-finger\0right-thumb\0", "other\0right-index-finger\0"])
    func tellsChangedTemplates(_ rest: String) {
        #expect(refusal(snapshot: [1] + Array(rest.utf8)) == .templatesChanged)
    }

    @Test(arguments: [[], [2], [2] + Array(Fixed.snapshot.dropFirst())] as [[UInt8]])
    func tellsAnotherWayOfMakingSnapshotsFromChangedTemplates(_ snapshot: [UInt8]) {
        #expect(refusal(snapshot: snapshot) == .unknownVersion)
    }

    @Test func tellsChangedTemplatesWithoutADeviceKey() throws {
        let vault = try Fixed.vault(deviceKey: FixedProtector(seed: 0x41, hidesSecretHalf: true))
        #expect(refusal(by: vault, snapshot: [1]) == .templatesChanged)
    }

    /// A mistake in comparing snapshots would open nothing: the message key comes out of the snapshot too.
    @Test func doesNotOpenUnderChangedTemplatesThatPassedTheCheck() {
        let added = Fixed.snapshot + Array("right-thumb\0".utf8)
        var body = Array(Self.record.dropLast(SealedRecord.authenticatorSize))
        body.replaceSubrange(27..<43, with: Self.sealed(snapshot: added)[27..<43])
        let forged = vault.authenticated(body, account: Fixed.tag)
        #expect(refusal(of: forged, snapshot: added) == .damaged)
        #expect(refusal(of: forged) == .templatesChanged)
    }

    // MARK: Generation and limits

    @Test func tellsItsGenerationToItsAccountAlone() throws {
        #expect(try vault.generation(of: Self.record, account: Fixed.tag) == 7)
        let other = vault.tag(application: "org.example.App", uid: "1001")
        #expect(throws: VaultError.damaged) { try vault.generation(of: Self.record, account: other) }
    }

    @Test(arguments: [0, 16_385]) func sealsNoKeyOf(bytes count: Int) throws {
        let key = try SecretBytes(count: count)
        #expect(
            refused { () throws(VaultError) in
                _ = try vault.seal(key, terms: [], binding: Fixed.binding, snapshot: Fixed.snapshot)
            } == .limitExceeded("login key"))
    }

    @Test(arguments: [
        ("terms", Limits.terms + 1, "fprintd", 1), ("verifier", 0, String(repeating: "v", count: 65), 1),
        ("snapshot", 0, "fprintd", 0), ("snapshot", 0, "fprintd", 65_537),
    ])
    func sealsNothingTooLarge(_ what: String, terms: Int, verifier: String, snapshot: Int) throws {
        let key = try SecretBytes([1])
        let binding = Binding(account: Fixed.tag, generation: 1, verifier: verifier, strength: 1)
        #expect(
            refused { () throws(VaultError) in
                _ = try vault.seal(
                    key, terms: [UInt8](repeating: 0, count: terms), binding: binding,
                    snapshot: [UInt8](repeating: 1, count: snapshot))
            } == .limitExceeded(what))
    }
}
