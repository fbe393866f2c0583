import BiologinCore
import BiologinVault
import Glibc
import Synchronization
import Testing

@testable import BiologinLinux

struct StateDirectoryTests {
    let fixture: StateFixture
    var tag: AccountTag { fixture.tag }

    init() throws { fixture = try StateFixture() }

    /// What the next process finds.
    private func reloaded() async throws -> SavedState { try await fixture.found(in: fixture.folder.copy()) }

    @Test func isEmptyAtTheFirstStart() async throws {
        let state = try fixture.open()
        #expect(try await state.load() == SavedState())
        #expect(try await state.takeGeneration() == 1)
    }

    @Test func keepsAnAccountFromPendingToForgotten() async throws {
        let state = try fixture.open()
        let (first, second) = (try StateFixture.profile(), try StateFixture.profile(generation: 2))

        try await state.savePending(first, tag: tag)
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, pending: first)])
        try await state.promotePending(tag: tag)
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, current: first)])
        try await state.savePending(second, tag: tag)
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, current: first, pending: second)])
        try await state.discardPending(tag: tag)
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, current: first)])
        try await state.bury(tag: tag)
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, buried: true)])
        try await state.savePending(second, tag: tag)
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, pending: second, buried: true)])
        try await state.forget(tag: tag)
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, pending: second)])
        try await state.discardPending(tag: tag)
        #expect(fixture.folder.names(in: "state/accounts").isEmpty)
    }

    @Test func openingAnewEndsABurial() async throws {
        let state = try fixture.open()
        try await state.bury(tag: tag)
        try await state.savePending(StateFixture.profile(), tag: tag)
        try await state.promotePending(tag: tag)
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, current: StateFixture.profile())])
    }

    @Test func savesOnlyOverTheSameGeneration() async throws {
        let state = try fixture.open()
        let profile = try StateFixture.profile(generation: 2)
        await #expect(throws: StateError.self) { try await state.save(profile, tag: tag) }
        try await state.savePending(profile, tag: tag)
        try await state.promotePending(tag: tag)

        let changed = try StateFixture.profile(generation: 2, state: .invalidated(.added), nickName: "Änne")
        try await state.save(changed, tag: tag)
        await #expect(throws: StateError.self) { try await state.save(StateFixture.profile(), tag: tag) }
        #expect(try await reloaded().accounts == [SavedAccount(tag: tag, current: changed)])
        try await state.bury(tag: tag)
        await #expect(throws: StateError.self) { try await state.save(changed, tag: tag) }
    }

    @Test func keepsAttemptsAndTheStore() async throws {
        let state = try fixture.open()
        let attempts = Attempts(failures: 5, lockout: .init(until: .seconds(40), length: .seconds(30), bootID: "boot"))
        let identity = StoreIdentity(executable: "/usr/bin/gnome-keyring-daemon", collection: "/login")
        try await state.save(attempts)
        try await state.save(identity)
        #expect(try await reloaded() == SavedState(attempts: attempts, store: identity))
    }

    @Test func knowsWhetherFailuresCouldBeWrittenAndLeavesNothingOfTheTrial() async throws {
        let isFull = Mutex(false)
        let directory = try fixture.open { (step) throws(StateError) in
            if step == .written, isFull.withLock({ $0 }) { throw StateError("no space left") }
        }
        let names = fixture.folder.names(in: "state")
        try await directory.checkWritable()
        isFull.withLock { $0 = true }
        await #expect(throws: StateError.self) { try await directory.checkWritable() }
        #expect(fixture.folder.names(in: "state") == names)
    }

    @Test func neverGivesOutAGenerationTwice() async throws {
        do {
            let state = try fixture.open()
            for expected in 1...3 { #expect(try await state.takeGeneration() == UInt64(expected)) }
            try await state.bury(tag: tag)
            try await state.forget(tag: tag)
        }
        #expect(try await fixture.open().takeGeneration() == 4)
    }

    @Test func passesTheGenerationsOfProfiles() async throws {
        do { try await fixture.open().savePending(StateFixture.profile(generation: 9), tag: tag) }
        let state = try fixture.open()
        #expect(try await state.takeGeneration() == 10)
        #expect(try await state.takeGeneration() == 11)
    }

    @Test func doesNotBeginALostCounterAnew() async throws {
        do { _ = try await fixture.open().takeGeneration() }
        do { try await fixture.open().save(Attempts()) }
        unlink("\(fixture.path)/generation")
        let state = try fixture.open()
        await #expect(throws: StateError.self) { try await state.takeGeneration() }
        #expect(!fixture.folder.names(in: "state").contains("generation"))
    }

    @Test func writesFilesThatNobodyElseCanRead() async throws {
        let state = try fixture.open()
        try await state.savePending(StateFixture.profile(), tag: tag)
        #expect(fixture.folder.mode(of: "state") == 0o700)
        #expect(fixture.folder.mode(of: "state/accounts") == 0o700)
        for name in ["lock", "generation", "accounts/\(tag)"] {
            #expect(fixture.folder.mode(of: "state/\(name)") == 0o600, "\(name)")
        }
    }

    @Test func keepsNamesOutOfTheFiles() async throws {
        let state = try fixture.open()
        try await state.savePending(StateFixture.profile(nickName: "Annabel"), tag: tag)
        let file = fixture.folder.read("state/accounts/\(tag)")
        for word in ["Annabel", "org.example.App", "right-thumb"] {
            #expect(!file.indices.contains { file[$0...].starts(with: Array(word.utf8)) })
        }
    }
}
