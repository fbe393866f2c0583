import BiologinCore
import BiologinVault
import TestSupport
import Testing

@testable import BiologinLinux

/// Against gnome-keyring.
@Suite(.realParts, .timeLimit(.minutes(5)))
struct SecretServiceStoreTests {
    /// Every byte value, and a length that base64 pads.
    static let record = (0...255).map { UInt8($0) } + [10]

    @Test func givesBackWhatItWasGiven() async throws {
        let desktop = try await Desktop(reader: .none)
        let store = desktop.store()
        #expect(try await store.records(of: .ann) == [])
        try await store.add(Self.record, for: .ann)
        #expect(try await store.records(of: .ann) == [Self.record])
        #expect(try await desktop.store().records(of: .ann) == [Self.record])
        #expect(try await store.records(of: .bob) == [])
        try await store.remove(of: .ann, except: nil)
        #expect(try await store.records(of: .ann) == [])
    }

    @Test func keepsTwoGenerationsSideBySide() async throws {
        let desktop = try await Desktop(reader: .none)
        let store = desktop.store()
        try await store.add([1], for: .ann)
        try await store.add([2], for: .ann)
        #expect(try await Set(store.records(of: .ann)) == [[1], [2]])
        try await store.remove(of: .ann, except: [2])
        #expect(try await store.records(of: .ann) == [[2]])
        await #expect(throws: StoreError.corrupts) { try await store.remove(of: .ann, except: [3]) }
        #expect(try await store.records(of: .ann) == [[2]])
    }

    @Test func listsTheRecordsOfItsDomain() async throws {
        let desktop = try await Desktop(reader: .none)
        let store = desktop.store()
        try await store.add([1], for: .ann)
        try await store.add([2], for: .bob)
        try await desktop.store(domain: "other").add([3], for: .ann)
        let records = try await store.records().sorted { $0.record[0] < $1.record[0] }
        #expect(records.map(\.account) == [.ann, .bob])
        #expect(records.map(\.record) == [[1], [2]])
    }

    @Test func anItemThatSomebodyPutThereKeepsNoRecordFromItsAccount() async throws {
        let desktop = try await Desktop(reader: .none)
        let store = desktop.store()
        try await store.add([1], for: .ann)
        try await desktop.plant([], for: .ann)
        #expect(try await store.records(of: .ann) == [[1]])
        try await desktop.plant(Array("?".utf8), for: .ann)
        #expect(try await Set(store.records(of: .ann)) == [[1], Array("?".utf8)])
        try await store.add([2], for: .ann)
        try await store.remove(of: .ann, except: [2])
        #expect(try await store.records(of: .ann) == [[2]])
        #expect(try await desktop.secretTool("search", "--all", "domain", "test").split(separator: "label").count == 2)
    }

    @Test func leavesForeignItemsAlone() async throws {
        let desktop = try await Desktop(reader: .none)
        _ = try await desktop.secretTool("store", "--label=theirs", "domain", "test", "account", "x", input: "keep")
        let store = desktop.store()
        try await desktop.store(domain: "other").add([3], for: .ann)
        try await store.add([1], for: .ann)
        try await store.remove(of: .ann, except: nil)
        #expect(try await desktop.secretTool("lookup", "domain", "test", "account", "x") == "keep")
        #expect(try await desktop.store(domain: "other").records(of: .ann) == [[3]])
    }

    @Test func showsNothingButAnOpaqueID() async throws {
        let desktop = try await Desktop(reader: .none)
        try await desktop.store().add(Self.record, for: .ann)
        let lines = try await desktop.secretTool("search", "--all", "domain", "test").split(separator: "\n")
        for line in [
            "label = Biologin login key", "attribute.account = \(AccountTag.ann)", "attribute.domain = test",
            "schema = org.biologin.Login",
        ] { #expect(lines.contains(Substring(line))) }
        #expect(lines.filter { $0.hasPrefix("attribute.") }.count == 2)
        let secret = try #require(lines.first { $0.hasPrefix("secret = ") }?.dropFirst(9))
        #expect(Base64URL.decode(Array(secret.utf8)) == Self.record)
    }

    @Test func tellsWhoKeepsTheRecords() async throws {
        let desktop = try await Desktop(reader: .none)
        let status = try await desktop.store().status()
        #expect(
            status.description == "gnome-keyring, collection Login"
                || status.description == "gnome-keyring, collection login")
        #expect(
            status.identity
                == StoreIdentity(
                    executable: "/usr/bin/gnome-keyring-daemon", collection: "/org/freedesktop/secrets/collection/login"
                ))
        #expect(!status.locked)
    }

    @Test func tellsLockedFromMissing() async throws {
        let desktop = try await Desktop(reader: .none)
        let store = desktop.store()
        try await store.add([1], for: .ann)
        try await desktop.lockKeyring()
        #expect(try await store.status().locked)
        for account in [AccountTag.ann, .bob] {
            await #expect(throws: StoreError.locked) { try await store.records(of: account) }
            await #expect(throws: StoreError.locked) { try await store.add([2], for: account) }
            await #expect(throws: StoreError.locked) { try await store.remove(of: account, except: nil) }
        }
        await #expect(throws: StoreError.locked) { try await store.records() }
        // No display: the prompt cannot be shown.
        await #expect(throws: StoreError.locked) { try await store.unlock() }
        try await desktop.unlockKeyring()
        try await store.unlock()
        #expect(try await store.records(of: .ann) == [[1]])
    }

    @Test func findsTheProviderAgainAfterARestart() async throws {
        let desktop = try await Desktop(reader: .none)
        let store = desktop.store()
        try await store.add([1], for: .ann)
        try await desktop.kill(.keyring)
        await #expect(throws: StoreError.unavailable) { try await store.records(of: .ann) }
        await #expect(throws: StoreError.unavailable) { try await store.status() }
        try await desktop.start(.keyring)
        #expect(try await store.records(of: .ann) == [[1]])
        try await store.add([2], for: .ann)
        try await desktop.restartKeyringLocked()
        await #expect(throws: StoreError.locked) { try await store.records(of: .ann) }
    }

    @Test func saysQuicklyThatNobodyIsThere() async throws {
        let desktop = try await Desktop(reader: .none, keyring: .none)
        let (store, nowhere) = (
            desktop.store(), SecretServiceStore(bus: Bus(address: "unix:path=/nowhere"), domain: "test")
        )
        let start = ContinuousClock.now
        for store in [store, nowhere] {
            await #expect(throws: StoreError.unavailable) { try await store.status() }
            await #expect(throws: StoreError.unavailable) { try await store.unlock() }
            await #expect(throws: StoreError.unavailable) { try await store.records(of: .ann) }
            await #expect(throws: StoreError.unavailable) { try await store.add([1], for: .ann) }
        }
        #expect(ContinuousClock.now - start < SecretServiceStore.callLimit, "nobody was waited for")
    }

    @Test func givesUpAProviderThatDoesNotAnswer() async throws {
        let desktop = try await Desktop(reader: .none)
        let store = desktop.store()
        try await store.add([1], for: .ann)
        try await desktop.freeze(.keyring)
        let start = ContinuousClock.now
        async let first = #expect(throws: StoreError.silent) { try await store.records(of: .ann) }
        async let second = #expect(throws: StoreError.silent) { try await store.add([2], for: .ann) }
        _ = await (first, second)
        #expect(ContinuousClock.now - start < SecretServiceStore.callLimit * 2, "not one after the other")
        try await desktop.thaw(.keyring)
        #expect(try await store.records(of: .ann) == [[1]])
    }
}
