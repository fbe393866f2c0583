import BiologinCore
import BiologinVault
import Glibc
import Synchronization
import Testing

@testable import BiologinLinux

struct StateDamageTests {
    let fixture: StateFixture
    var tag: AccountTag { fixture.tag }
    var file: String { "state/accounts/\(tag)" }

    init() throws { fixture = try StateFixture() }

    private func filled() async throws {
        let state = try fixture.open()
        try await state.savePending(StateFixture.profile(), tag: tag)
        try await state.promotePending(tag: tag)
        try await state.save(Attempts(failures: 4))
        try await state.save(StoreIdentity(executable: "e", collection: "c"))
        try await state.save(enrollments: ["reader": 7])
    }

    @Test func reportsACutAccountAndKeepsTheOthers() async throws {
        try await filled()
        let other = fixture.vault.tag(application: "org.example.App", uid: "bob")
        do { try await fixture.open().savePending(StateFixture.profile(generation: 2), tag: other) }
        let whole = fixture.folder.read(file)
        for count in whole.indices {
            fixture.folder.write(Array(whole[..<count]), to: file)
            let state = try await fixture.found(in: fixture.folder)
            #expect(Array(state.damaged.keys) == [tag])
            #expect(state.accounts.map(\.tag) == [other])
            #expect(fixture.folder.read(file) == Array(whole[..<count]))
        }
    }

    @Test func overwritesADamagedAccountOnlyToBuryIt() async throws {
        try await filled()
        fixture.folder.write([1, 2, 3], to: file)
        let (state, profile) = (try fixture.open(), try StateFixture.profile())
        await #expect(throws: StateError.self) { try await state.save(profile, tag: tag) }
        await #expect(throws: StateError.self) { try await state.savePending(profile, tag: tag) }
        await #expect(throws: StateError.self) { try await state.promotePending(tag: tag) }
        await #expect(throws: StateError.self) { try await state.discardPending(tag: tag) }
        await #expect(throws: StateError.self) { try await state.forget(tag: tag) }
        #expect(fixture.folder.read(file) == [1, 2, 3])
        try await state.bury(tag: tag)
        #expect(try await state.load().accounts == [SavedAccount(tag: tag, buried: true)])
    }

    @Test(arguments: ["attempts", "store", "enrollments", "generation"])
    func namesAFileThatItCannotReadAndNeverOverwritesIt(_ name: String) async throws {
        try await filled()
        let whole = fixture.folder.read("state/\(name)")
        for count in whole.indices {
            fixture.folder.write(Array(whole[..<count]), to: "state/\(name)")
            let state = try fixture.open(), saved = try await state.load()
            #expect(Array(saved.unreadable.keys) == [name] && saved.accounts.map(\.tag) == [tag])
            try? await state.save(Attempts())
            try? await state.save(StoreIdentity(executable: "", collection: ""))
            try? await state.save(enrollments: [:])
            _ = try? await state.takeGeneration()
            #expect(fixture.folder.read("state/\(name)") == Array(whole[..<count]))
        }
        fixture.folder.write(whole, to: "state/\(name)")
        #expect(try await fixture.found(in: fixture.folder).unreadable.isEmpty)
    }

    @Test func namesACounterThatIsLost() async throws {
        try await filled()
        unlink("\(fixture.path)/generation")
        #expect(try await Array(fixture.found(in: fixture.folder).unreadable.keys) == ["generation"])
    }

    @Test func givesOutNoGenerationFromADamagedCounter() async throws {
        try await filled()
        let whole = fixture.folder.read("state/generation")
        for count in whole.indices {
            fixture.folder.write(Array(whole[..<count]), to: "state/generation")
            let state = try fixture.open()
            await #expect(throws: StateError.self) { try await state.takeGeneration() }
            #expect(fixture.folder.read("state/generation") == Array(whole[..<count]))
        }
    }

    @Test func refusesOneFileInThePlaceOfAnother() async throws {
        try await filled()
        let other = fixture.vault.tag(application: "org.example.App", uid: "bob")
        fixture.folder.write(fixture.folder.read(file), to: "state/accounts/\(other)")
        fixture.folder.write(fixture.folder.read("state/generation"), to: "state/attempts")
        #expect(try await Array(fixture.found(in: fixture.folder).unreadable.keys) == ["attempts"])
        unlink("\(fixture.path)/attempts")
        #expect(try await Array(fixture.found(in: fixture.folder).damaged.keys) == [other])
    }

    @Test func saysWhatAnotherVersionWrote() async throws {
        try await filled()
        var bytes = fixture.folder.read(file)
        bytes[0] += 1
        fixture.folder.write(bytes, to: file)
        let damaged = try await fixture.found(in: fixture.folder).damaged
        #expect(damaged[tag]?.contains("another version") == true)
    }

    @Test func refusesFilesThatAreNotItsAlone() async throws {
        try await filled()
        let path = "\(fixture.folder.path)/\(file)"
        chmod(path, 0o640)
        #expect(try await fixture.found(in: fixture.folder).damaged[tag] != nil)
        rename(path, "\(fixture.folder.path)/elsewhere")
        symlink("\(fixture.folder.path)/elsewhere", path)
        #expect(try await fixture.found(in: fixture.folder).damaged[tag] != nil)
        unlink(path)
        mkfifo(path, 0o600)
        #expect(try await fixture.found(in: fixture.folder).damaged[tag] != nil)
    }

    @Test func leavesForeignFilesAlone() async throws {
        try await filled()
        fixture.folder.write([1], to: "state/accounts/README")
        #expect(try await fixture.found(in: fixture.folder).accounts.map(\.tag) == [tag])
        #expect(fixture.folder.read("state/accounts/README") == [1])
    }
}
