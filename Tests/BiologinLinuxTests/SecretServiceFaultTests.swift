import BiologinCore
import BiologinVault
import Glibc
import TestSupport
import Testing

@testable import BiologinLinux

/// Against a stand-in that does what real providers did at one time or another.
@Suite(.realParts, .timeLimit(.minutes(5)))
struct SecretServiceFaultTests {
    let desktop: Desktop

    init() async throws { desktop = try await Desktop(reader: .none, keyring: .none) }

    @Test(arguments: ["mangle", "empty", "forget"])
    func takesNothingThatIsNotKeptAsItIs(behavior: String) async throws {
        let provider = try await desktop.standIn(behavior)
        let store = desktop.store()
        await #expect(throws: StoreError.corrupts) { try await store.add([1, 2, 3], for: .ann) }
        #expect(try await store.records(of: .ann) == [])
        withExtendedLifetime(provider) {}
    }

    @Test func losesNothingToOneThatLosesNewlines() async throws {
        let provider = try await desktop.standIn("one-line")
        let store = desktop.store(), record = [10, 1, 10, 13, 10, 2, 10] as [UInt8]
        try await store.add(record, for: .ann)
        #expect(try await store.records(of: .ann) == [record])
        withExtendedLifetime(provider) {}
    }

    @Test func aSlowProviderIsGivenItsTime() async throws {
        let provider = try await desktop.standIn("slow", "locked")
        let store = desktop.store()
        #expect(try await store.status().locked)
        try await store.unlock()
        for record in [[1], [2]] as [[UInt8]] { try await store.add(record, for: .ann) }
        try await store.remove(of: .ann, except: [2])
        #expect(try await store.records().map(\.record) == [[2]])
        withExtendedLifetime(provider) {}
    }

    @Test func losesNothingToOneThatDeletesTooMuch() async throws {
        let provider = try await desktop.standIn("greedy")
        let store = desktop.store()
        for record in [[1], [2], [3]] as [[UInt8]] { try await store.add(record, for: .ann) }
        #expect(try await store.records(of: .ann).count == 3, "nothing took the place of another")
        try await store.remove(of: .ann, except: [2])
        #expect(try await store.records(of: .ann) == [[2]])
        withExtendedLifetime(provider) {}
    }

    @Test func leavesAnOldItemAloneThatIsPassedOffAsNew() async throws {
        let provider = try await desktop.standIn("reuse")
        let store = desktop.store()
        try await store.add([1], for: .ann)
        await #expect(throws: StoreError.corrupts) { try await store.add([2], for: .ann) }
        #expect(try await store.records(of: .ann) == [[1]])
        withExtendedLifetime(provider) {}
    }

    @Test func doesNotTakeAnEmptySecretForARecord() async throws {
        let provider = try await desktop.standIn("empty", "undead")
        let store = desktop.store()
        await #expect(throws: StoreError.corrupts) { try await store.add([1], for: .ann) }
        await #expect(throws: StoreError.corrupts) { try await store.records(of: .ann) }
        #expect(try await store.records().map(\.record) == [[]])
        withExtendedLifetime(provider) {}
    }

    @Test func doesNotTakeAnItemWithoutItsSecretForNone() async throws {
        let provider = try await desktop.standIn("withhold", "undead")
        let store = desktop.store()
        await #expect(throws: StoreError.failed("an item without its secret")) { try await store.add([1], for: .ann) }
        await #expect(throws: StoreError.failed("an item without its secret")) { try await store.records(of: .ann) }
        withExtendedLifetime(provider) {}
    }

    @Test func seesThatADeletedItemIsStillThere() async throws {
        let provider = try await desktop.standIn("undead")
        let store = desktop.store()
        try await store.add([1], for: .ann)
        await #expect(throws: StoreError.failed("a deleted item is still there")) {
            try await store.remove(of: .ann, except: nil)
        }
        withExtendedLifetime(provider) {}
    }

    @Test(arguments: [["locked", "hide"], ["turn"]])
    func doesNotBelieveALockedProviderThatNothingIsThere(behavior: [String]) async throws {
        let provider = try await Desktop.standIn(behavior, on: desktop.sessionBus)
        await #expect(throws: StoreError.locked) { try await desktop.store().records(of: .ann) }
        withExtendedLifetime(provider) {}
    }

    @Test func doesNotSearchALockedProviderThatWouldNotAnswer() async throws {
        let provider = try await desktop.standIn("locked", "mute")
        let start = ContinuousClock.now
        #expect(try await desktop.store().status().locked)
        await #expect(throws: StoreError.locked) { try await desktop.store().records(of: .ann) }
        #expect(ContinuousClock.now - start < SecretServiceStore.callLimit, "nothing was waited for")
        withExtendedLifetime(provider) {}
    }

    @Test func saysThatThereIsNoCollection() async throws {
        let provider = try await desktop.standIn("no-collection")
        await #expect(throws: StoreError.unavailable) { try await desktop.store().status() }
        await #expect(throws: StoreError.unavailable) { try await desktop.store().add([1], for: .ann) }
        withExtendedLifetime(provider) {}
    }

    @Test func unlocksByAPromptThatIsAnsweredBeforeItIsShown() async throws {
        let provider = try await desktop.standIn("locked", "early")
        let store = desktop.store()
        #expect(try await store.status().locked)
        try await store.unlock()
        #expect(try await !store.status().locked)
        try await store.add([1], for: .ann)
        withExtendedLifetime(provider) {}
    }

    @Test func staysLockedWhenThePromptIsDismissed() async throws {
        let provider = try await desktop.standIn("locked", "dismissed")
        let start = ContinuousClock.now
        await #expect(throws: StoreError.locked) { try await desktop.store().unlock() }
        #expect(ContinuousClock.now - start < SecretServiceStore.callLimit, "nothing was waited for")
        withExtendedLifetime(provider) {}
    }

    @Test func dismissesAPromptThatNobodyAnswers() async throws {
        let provider = try await desktop.standIn("locked", "never")
        let store = desktop.store(promptLimit: .milliseconds(50))
        await #expect(throws: StoreError.locked) { try await store.unlock() }
        #expect(await provider.output.next() == "prompted")
        #expect(await provider.output.next() == "dismissed")
    }

    @Test func dismissesAPromptWhenItsTaskIsCancelled() async throws {
        let provider = try await desktop.standIn("locked", "never")
        let store = desktop.store()
        let unlocking = Task { try await store.unlock() }
        #expect(await provider.output.next() == "prompted")
        // Others are served meanwhile.
        #expect(try await store.status().locked)
        unlocking.cancel()
        await #expect(throws: StoreError.cancelled) { try await unlocking.value }
        #expect(await provider.output.next() == "dismissed")
    }

    @Test func endsWithAProviderThatGoesWhileItsPromptIsShown() async throws {
        let provider = try await desktop.standIn("locked", "never")
        let store = desktop.store()
        let unlocking = Task { try await store.unlock() }
        #expect(await provider.output.next() == "prompted")
        provider.signal(SIGKILL)
        await #expect(throws: StoreError.unavailable) { try await unlocking.value }
    }

    @Test func makesAndDeletesItemsByAPrompt() async throws {
        let provider = try await desktop.standIn("ask")
        let store = desktop.store()
        try await store.add([1], for: .ann)
        #expect(try await store.records(of: .ann) == [[1]])
        try await store.remove(of: .ann, except: nil)
        #expect(try await store.records(of: .ann) == [])
        withExtendedLifetime(provider) {}
    }

    @Test func takesADismissedPromptForANo() async throws {
        let provider = try await desktop.standIn("ask", "dismissed")
        await #expect(throws: StoreError.locked) { try await desktop.store().add([1], for: .ann) }
        withExtendedLifetime(provider) {}
    }

    @Test func dismissesAPromptForAnItemThatNobodyAnswers() async throws {
        let provider = try await desktop.standIn("ask", "never")
        let store = desktop.store(promptLimit: .milliseconds(50))
        await #expect(throws: StoreError.locked) { try await store.add([1], for: .ann) }
        #expect(await provider.output.next() == "prompted")
        #expect(await provider.output.next() == "dismissed")
        #expect(try await store.records(of: .ann) == [])
    }

    @Test func unlocksItemsThatAreLockedByThemselves() async throws {
        let provider = try await desktop.standIn()
        let store = desktop.store()
        try await store.add([1], for: .ann)
        provider.signal(SIGUSR1)
        #expect(await provider.output.next() == "locked")
        #expect(try await store.status().locked)
        await #expect(throws: StoreError.locked) { try await store.records(of: .ann) }
        try await store.unlock()
        #expect(try await !store.status().locked)
        #expect(try await store.records(of: .ann) == [[1]])
    }
}
