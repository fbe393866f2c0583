import BiologinCore
import Glibc
import TestSupport
import Testing

@testable import BiologinLinux

@Suite(.realParts, .timeLimit(.minutes(5)))
struct SecretServiceEventsTests {
    @Test func tellsOfLockingAndUnlocking() async throws {
        let desktop = try await Desktop(reader: .none)
        let events = SecretServiceEvents(bus: Bus(address: desktop.sessionBus), collection: .default)
        #expect(await events.connect() == nil)
        try await desktop.lockKeyring()
        #expect(await events.next() == .locked)
        try await desktop.unlockKeyring()
        #expect(await events.next() == .unlocked)
    }

    @Test func tellsOfAProviderThatGoesAndComes() async throws {
        let desktop = try await Desktop(reader: .none)
        let events = SecretServiceEvents(bus: Bus(address: desktop.sessionBus), collection: .default)
        #expect(await events.connect() == nil)
        try await desktop.kill(.keyring)
        #expect(await events.next() == .vanished)
        try await desktop.start(.keyring)
        #expect(await events.next() == .appeared)
        try await desktop.lockKeyring()
        #expect(await events.next() == .locked)
    }

    @Test func tellsOfAProviderThatWasNotThereAtFirst() async throws {
        let desktop = try await Desktop(reader: .none, keyring: .none)
        let events = SecretServiceEvents(bus: Bus(address: desktop.sessionBus), collection: .default)
        #expect(await events.connect() == nil)
        let provider = try await desktop.standIn()
        #expect(await events.next() == .appeared)
        withExtendedLifetime(provider) {}
    }

    @Test func doesNotTellOfOtherChanges() async throws {
        let desktop = try await Desktop(reader: .none, keyring: .none)
        let provider = try await desktop.standIn()
        let events = SecretServiceEvents(bus: Bus(address: desktop.sessionBus), collection: .default)
        #expect(await events.connect() == nil)
        provider.signal(SIGUSR1)
        #expect(await provider.output.next() == "locked")
        async let next = events.next()
        // Where it is told of the change, that comes before the provider's end.
        #expect(try await desktop.store().status().description.hasSuffix(", collection Fake"))
        provider.signal(SIGKILL)
        #expect(await next == .vanished)
    }

    @Test func followsABusThatWasRestarted() async throws {
        let directory = TemporaryDirectory()
        let bus = Bus(address: "unix:path=\(directory.path)/bus")
        let store = SecretServiceStore(bus: bus, domain: "test")
        let events = SecretServiceEvents(bus: bus, collection: .default)

        var daemon = try await messageBus(at: bus.address)
        var provider = try await Desktop.standIn(on: bus.address)
        #expect(await events.connect() == nil)
        try await store.add([1], for: .ann)
        daemon.signal(SIGKILL)
        _ = await daemon.ending()
        #expect(await events.next() == .vanished)
        await #expect(throws: StoreError.unavailable) { try await store.records(of: .ann) }

        daemon = try await messageBus(at: bus.address)
        provider = try await Desktop.standIn(on: bus.address)
        #expect(await events.next() == .appeared)
        #expect(try await store.records(of: .ann) == [])
        withExtendedLifetime(provider) {}
    }

    @Test func endsWithItsTask() async throws {
        let desktop = try await Desktop(reader: .none)
        let store = desktop.store()
        let reading = Task { for await _ in store.events() {} }
        reading.cancel()
        await reading.value
    }

    private func messageBus(at address: String) async throws -> Program {
        let program = try Program(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address"])
        #expect(await program.output.next() != nil)
        return program
    }
}
