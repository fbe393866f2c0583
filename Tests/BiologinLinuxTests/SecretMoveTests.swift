import BiologinCore
import BiologinVault
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BiologinLinux

/// Records that go where the configuration wants them, against gnome-keyring.
@Suite(.realParts, .timeLimit(.minutes(5)))
struct SecretMoveTests {
    private static let login = OwnCollectionFixture.login, own = OwnCollectionFixture.path

    @Test func movesWhatIsInTheDefaultCollectionAndBack() async throws {
        let fixture = try await OwnCollectionFixture(new: false)
        let old = fixture.desktop.store()
        try await old.add([1], for: .ann)
        try await old.add([2], for: .bob)
        try await fixture.desktop.store(domain: "other").add([3], for: .ann)

        let store = try fixture.store()
        #expect(try await store.status().preparation == .silent)
        #expect(try await store.status().formerly == old.status().identity)
        try await store.unlock()
        #expect(try await store.status().preparation == .none)
        #expect(try await store.status().formerly == old.status().identity)
        #expect(try await store.records(of: .ann) == [[1]])
        #expect(try await fixture.count(in: Self.login) == 0)
        #expect(try await fixture.count(in: Self.own) == 2)
        #expect(try await fixture.desktop.store(domain: "other").records(of: .ann) == [[3]])

        let known = try await store.status().identity
        try await fixture.desktop.restartKeyringLocked()
        try await fixture.desktop.unlockKeyring()
        let back = try fixture.store(.default)
        #expect(try await back.status().formerly == known)
        #expect(try await back.records(of: .bob) == [[2]])
        try await back.unlock()
        #expect(try await back.status().identity == old.status().identity)
        #expect(try await back.status().formerly == known)
        #expect(try await fixture.count(in: Self.login) == 2)
        #expect(try await fixture.count(in: Self.own) == 0)
        #expect(try await Set(back.records().map(\.record)) == [[1], [2]])
    }

    @Test(arguments: MoveStep.allCases) func losesNothingWhereverItIsKilled(at last: MoveStep) async throws {
        let fixture = try await OwnCollectionFixture(new: false)
        try await fixture.desktop.store().add([1], for: .ann)
        try await fixture.desktop.store().add([2], for: .bob)
        let killed = try fixture.store { (step) throws(StoreError) in if step == last { throw .cancelled } }
        await #expect(throws: StoreError.cancelled) { try await killed.unlock() }

        let store = try fixture.store()
        if try await store.status().preparation != .none { try await store.unlock() }
        #expect(try await store.records().map(\.record).sorted { $0[0] < $1[0] } == [[1], [2]])
        #expect(try await fixture.count(in: Self.login) == 0)
        #expect(try await fixture.collections() == [Self.own])

        guard ![.passwordMade, .collectionMade].contains(last) else { return }
        let back = try fixture.store(.default) { (step) throws(StoreError) in if step == last { throw .cancelled } }
        await #expect(throws: StoreError.cancelled) { try await back.unlock() }
        let again = try await fixture.readyStore(.default)
        #expect(try await again.records().map(\.record).sorted { $0[0] < $1[0] } == [[1], [2]])
        #expect(try await fixture.count(in: Self.own) == 0)
    }

    @Test func aRecordInBothPlacesIsOne() async throws {
        let fixture = try await OwnCollectionFixture(new: false)
        try await fixture.desktop.store().add([1], for: .ann)
        let killed = try fixture.store { (step) throws(StoreError) in if step == .added { throw .cancelled } }
        await #expect(throws: StoreError.cancelled) { try await killed.unlock() }
        #expect(try await fixture.count(in: Self.login) == 1)
        #expect(try await fixture.count(in: Self.own) == 1)

        let store = try fixture.store()
        #expect(try await store.records(of: .ann) == [[1]])
        try await store.add([2], for: .ann)
        try await store.remove(of: .ann, except: [2])
        #expect(try await store.records(of: .ann) == [[2]])
        #expect(try await fixture.count(in: Self.login) == 0)
        try await store.remove(of: .ann, except: nil)
        #expect(try await store.records(of: .ann) == [])
    }

    @Test func whatIsStillLockedInTheDefaultCollectionIsMissed() async throws {
        let fixture = try await OwnCollectionFixture(new: false)
        try await fixture.desktop.store().add([1], for: .ann)
        try await fixture.desktop.restartKeyringLocked()
        let store = try fixture.store()
        // No display: the prompt cannot be shown.
        await #expect(throws: StoreError.locked) { try await store.unlock() }
        let status = try await store.status()
        #expect(!status.locked && status.preparation == .prompt)
        await #expect(throws: StoreError.locked) { try await store.records(of: .ann) }
        #expect(try await store.records(of: .bob) == [])

        let events = SecretServiceEvents(bus: store.bus, collection: store.collection)
        #expect(await events.connect() == nil)
        try await fixture.desktop.unlockKeyring()
        #expect(await events.next() == .unlocked)
        #expect(try await store.status().preparation == .silent)
        try await store.unlock()
        try await fixture.desktop.lockKeyring()
        #expect(try await store.records(of: .ann) == [[1]])
    }

    @Test func asksNobodyForALockedDefaultCollectionWithNothingOfOurs() async throws {
        let fixture = try await OwnCollectionFixture(new: false)
        try await fixture.desktop.restartKeyringLocked()
        let store = try await fixture.readyStore()
        try await store.add([1], for: .ann)
        #expect(try await store.status().preparation == .none)
        #expect(try await fixture.desktop.keyringIsLocked())
    }

    @Test func whatIsNoRecordStaysWhereItIsAndHoldsNothingUp() async throws {
        let fixture = try await OwnCollectionFixture(new: false)
        try await fixture.desktop.plant([], for: .ann)
        try await fixture.desktop.store().add([1], for: .ann)
        try await fixture.desktop.plant([], for: .ann)
        let journal = Notes(), store = try fixture.store(journal: journal)
        try await store.unlock()
        #expect(try await fixture.count(in: Self.login) == 2)
        #expect(journal.details.count == 2 && journal.details.allSatisfy { $0.contains("could not be moved") })
        try await fixture.desktop.restartKeyringLocked()
        #expect(try await store.status().preparation == .silent, "nobody is asked for the login keyring")
        #expect(try await store.records(of: .ann) == [[1]])
    }

    @Test func anEmptyItemThatIsAllThereIsOfAnAccountIsMissed() async throws {
        let fixture = try await OwnCollectionFixture(new: false)
        try await fixture.desktop.plant([], for: .ann)
        let store = try fixture.store()
        try await store.unlock()
        await #expect(throws: StoreError.corrupts) { try await store.records(of: .ann) }
    }

    @Test func neverGoesBackToTheDefaultCollectionForALostPassword() async throws {
        let fixture = try await OwnCollectionFixture()
        try await fixture.readyStore().add([1], for: .ann)
        let file = fixture.folder.read(fixture.passwordFile)
        unlink("\(fixture.folder.path)/\(fixture.passwordFile)")
        try await fixture.desktop.restartKeyringLocked()
        try await fixture.desktop.unlockKeyring()
        let back = try fixture.store(.default)
        await #expect(throws: StoreError.passwordLost("there is no collection-password")) { try await back.unlock() }
        await #expect(throws: StoreError.passwordLost("there is no collection-password")) {
            try await back.records(of: .ann)
        }
        fixture.folder.write(file, to: fixture.passwordFile)
        #expect(try await back.records(of: .ann) == [[1]])
    }
}

/// A journal that keeps what it is told.
private final class Notes: Journal {
    private let noted = Mutex<[String]>([])
    var details: [String] { noted.withLock { $0 } }
    func record(_ event: JournalEvent) { noted.withLock { $0.append(event.detail) } }
}
