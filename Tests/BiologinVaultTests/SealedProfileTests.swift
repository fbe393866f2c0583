import Testing

@testable import BiologinVault

@Suite struct SealedProfileTests {
    static let plain = Array("a card".utf8)
    static let sealed = (try? Fixed.vault().sealProfile(plain, tag: Fixed.tag)) ?? []

    let vault: Vault

    init() throws { vault = try Fixed.vault() }

    func refusal(of sealed: [UInt8] = sealed, by vault: Vault? = nil, tag: AccountTag = Fixed.tag) -> VaultError? {
        refused { () throws(VaultError) in _ = try (vault ?? self.vault).openProfile(sealed, tag: tag) }
    }

    @Test(arguments: [0, 1, Limits.profile]) func opensAgain(size: Int) throws {
        let plain = [UInt8](repeating: 7, count: size)
        #expect(try vault.openProfile(vault.sealProfile(plain, tag: Fixed.tag), tag: Fixed.tag) == plain)
    }

    @Test func opensWithoutADeviceKey() throws {
        #expect(refusal(by: try Fixed.vault(deviceKey: FixedProtector(seed: 1, hidesSecretHalf: true))) == nil)
    }

    @Test func holdsNothingInTheClear() { #expect(!Self.sealed.contains(Self.plain)) }

    @Test(arguments: sealed.indices) func refusesAChangedByte(at index: Int) {
        for bit in 0..<8 {
            var changed = Self.sealed
            changed[index] ^= 1 << bit
            #expect(refusal(of: changed) == (index == 0 ? .unknownVersion : .damaged))
        }
    }

    @Test(arguments: sealed.indices) func refusesAProfileCut(to size: Int) {
        #expect(refusal(of: Array(Self.sealed[..<size])) == .damaged)
    }

    @Test func refusesBytesAfterTheEnd() { #expect(refusal(of: Self.sealed + [0]) == .damaged) }

    @Test func refusesAnotherAccount() {
        #expect(refusal(tag: vault.tag(application: "org.example.App", uid: "1001")) == .damaged)
    }

    @Test func refusesAnotherDomain() throws { #expect(refusal(by: try Fixed.vault(domain: "other")) == .damaged) }

    @Test func refusesAnotherProfileKey() throws {
        let other = try Vault(
            domain: Fixed.domain, profileKey: .random(count: 32), deviceKey: DeviceKey(FixedProtector()))
        #expect(refusal(by: other) == .damaged)
    }

    @Test func sealsNothingTooLarge() {
        let plain = [UInt8](repeating: 0, count: Limits.profile + 1)
        #expect(throws: VaultError.limitExceeded("profile")) { try vault.sealProfile(plain, tag: Fixed.tag) }
    }
}
