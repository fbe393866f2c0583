import BiologinCore
import BiologinVault
import Testing

@testable import BiologinLinux

struct ProfileCodingTests {
    let tag = AccountTag(String(repeating: "ab", count: 16))!

    @Test(arguments: [Profile.State.enabled, .invalidated(nil), .invalidated(.added), .invalidated(.server)])
    func readsWhatItWrote(_ state: Profile.State) throws {
        let profile = try StateFixture.profile(generation: .max, state: state, lastLoginAt: Timestamp(seconds: 9))
        let never = try StateFixture.profile(state: state)
        for account in [
            SavedAccount(tag: tag, current: profile), SavedAccount(tag: tag, current: profile, pending: never),
            SavedAccount(tag: tag, pending: profile, buried: true), SavedAccount(tag: tag, buried: true),
        ] {
            #expect(try StateCoding.account(in: StateCoding.bytes(of: account), tag: tag) == account)
        }
    }

    @Test func refusesEveryLengthButItsOwn() throws {
        let bytes = try StateCoding.bytes(
            of: SavedAccount(tag: tag, current: StateFixture.profile(), pending: StateFixture.profile()))
        for count in bytes.indices {
            #expect(throws: VaultError.self) { try StateCoding.account(in: Array(bytes[..<count]), tag: tag) }
        }
        #expect(throws: VaultError.damaged) { try StateCoding.account(in: bytes + [0], tag: tag) }
    }

    @Test func tellsAnotherVersionFromDamage() throws {
        var bytes = StateCoding.bytes(of: SavedAccount(tag: tag, buried: true))
        bytes[0] += 1
        #expect(throws: VaultError.unknownVersion) { try StateCoding.account(in: bytes, tag: tag) }
    }

    @Test func refusesFingersInAnOrderItNeverWrites() throws {
        var bytes = try StateCoding.bytes(of: SavedAccount(tag: tag, current: StateFixture.profile()))
        let (left, right) = (Array("left-thumb".utf8), Array("right-thumb".utf8))
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: left) })
        bytes.replaceSubrange(start..<start + left.count, with: Array("zeft-thumb".utf8))
        #expect(bytes[start...].dropFirst(left.count + 4).starts(with: right))
        #expect(throws: VaultError.damaged) { try StateCoding.account(in: bytes, tag: tag) }
    }

    @Test(arguments: [
        Attempts(), Attempts(failures: 4),
        Attempts(
            failures: 6, lockout: .init(until: .milliseconds(1500), length: .seconds(60), bootID: "b")),
    ])
    func readsTheAttemptsItWrote(_ attempts: Attempts) throws {
        #expect(try StateCoding.attempts(in: StateCoding.bytes(of: attempts)) == attempts)
    }
}
