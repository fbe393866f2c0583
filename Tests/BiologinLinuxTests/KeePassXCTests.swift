import BiologinCore
import TestSupport
import Testing

@testable import BiologinLinux

@Suite(
    .realParts, .timeLimit(.minutes(5)), .enabled(if: KeePassXC.isThere || Program.environment["CI"] == "true"))
struct KeePassXCTests {
    @Test func keepsRecordsInItsDefaultCollectionWhateverIsWanted() async throws {
        let fixture = try await OwnCollectionFixture(keyring: .none)
        let provider = try await KeePassXC(on: fixture.desktop)
        let store = try fixture.store()
        let status = try await store.status()
        #expect(status.description == "keepassxc, collection Kept")
        #expect(status.identity.collection == KeePassXC.collection && status.preparation == .none)
        try await store.unlock()
        try await store.add(SecretServiceStoreTests.record, for: .ann)
        try await store.add([2], for: .ann)
        #expect(try await Set(store.records(of: .ann)) == [SecretServiceStoreTests.record, [2]])
        #expect(try await store.records().map(\.account) == [.ann, .ann])
        try await store.remove(of: .ann, except: [2])
        #expect(try await store.records(of: .ann) == [[2]])
        #expect(try await store.records(of: .bob) == [])
        #expect(!fixture.folder.names(in: "state").contains("collection-password"))
        withExtendedLifetime(provider) {}
    }

    @Test func staysLockedWhileNobodyAnswersItsPrompt() async throws {
        let fixture = try await OwnCollectionFixture(keyring: .none)
        let provider = try await KeePassXC(on: fixture.desktop)
        let store = fixture.desktop.store(promptLimit: .milliseconds(200))
        try await store.add([1], for: .ann)
        let events = SecretServiceEvents(bus: store.bus, collection: .default)
        #expect(await events.connect() == nil)
        try await lock(on: fixture.desktop)
        #expect(await events.next() == .locked)
        #expect(try await store.status().preparation == .prompt)
        await #expect(throws: StoreError.locked) { try await store.records(of: .ann) }
        await #expect(throws: StoreError.locked) { try await store.unlock() }
        withExtendedLifetime(provider) {}
    }

    @GLibThread private func lock(on desktop: Desktop) async throws {
        let deadline = Deadline(in: .seconds(5))
        let provider = try await SecretProvider.find(on: Bus(address: desktop.sessionBus), by: deadline)
        let objects = Variant.array(of: "o", [.objectPath(KeePassXC.collection)])
        let reply = try await provider.call(
            "Service", "Lock", .tuple(objects), reply: "(aoo)", at: SecretProvider.path, by: deadline)
        if let prompt = reply[1]?.string, prompt != SecretProvider.none {
            _ = try await provider.show(prompt, within: .seconds(5))
        }
    }
}
