import BiologinCore
import BiologinVault
import CLinux
import Glibc
import TestSupport
import Testing

@testable import BiologinLinux

/// Against gnome-keyring, which has nobody to show a prompt to: what works needs none.
@Suite(.realParts, .timeLimit(.minutes(5)))
struct OwnCollectionTests {
    @Test func needsNoPromptWhileEverythingIsLocked() async throws {
        let fixture = try await OwnCollectionFixture()
        try await fixture.desktop.restartKeyringLocked()
        let store = try fixture.store()
        #expect(try await store.status().preparation == .silent)
        try await store.unlock()
        try await store.add([1], for: .ann)
        #expect(try await store.records(of: .ann) == [[1]])

        try await fixture.desktop.restartKeyringLocked()
        let status = try await store.status()
        #expect(status.locked && status.preparation == .silent)
        #expect(try await store.records(of: .ann) == [[1]])
        try await fixture.desktop.restartKeyringLocked()
        try await store.add([2], for: .ann)
        try await fixture.desktop.restartKeyringLocked()
        try await store.remove(of: .ann, except: [2])
        #expect(try await store.records().map(\.record) == [[2]])
        #expect(try await fixture.desktop.keyringIsLocked())
    }

    @Test func tellsWhichCollectionItIs() async throws {
        let fixture = try await OwnCollectionFixture()
        let store = try fixture.store()
        #expect(try await store.status().description == "gnome-keyring, collection \(OwnCollectionFixture.label)")
        #expect(try await fixture.collections().isEmpty)
        try await store.unlock()
        let status = try await store.status()
        #expect(status.description == "gnome-keyring, collection \(OwnCollectionFixture.label)")
        #expect(status.identity.collection == OwnCollectionFixture.path)
        #expect(status.formerly?.collection == OwnCollectionFixture.login)
        #expect(!status.locked && status.preparation == .none)
    }

    @Test func isMadeOnceByWhoeverStarts() async throws {
        let fixture = try await OwnCollectionFixture()
        let store = try fixture.store()
        async let first: Void = store.unlock()
        async let second: Void = store.unlock()
        _ = try await (first, second)
        try await fixture.readyStore().add([1], for: .ann)
        try await fixture.desktop.restartKeyringLocked()
        #expect(try await fixture.readyStore().records(of: .ann) == [[1]])
        #expect(try await fixture.collections() == [OwnCollectionFixture.path])
    }

    @Test func isFoundUnderAnotherLabel() async throws {
        let fixture = try await OwnCollectionFixture()
        try await fixture.readyStore().add([1], for: .ann)
        try await rename(OwnCollectionFixture.path, to: "Mine", on: fixture.desktop)
        let store = try await fixture.readyStore()
        #expect(try await store.status().description == "gnome-keyring, collection Mine")
        #expect(try await store.records(of: .ann) == [[1]])
    }

    @Test(arguments: [false, true]) func isNotMadeAnewForALostPassword(damaged: Bool) async throws {
        let fixture = try await OwnCollectionFixture()
        let store = try await fixture.readyStore()
        try await store.add([1], for: .ann)
        let file = fixture.folder.read(fixture.passwordFile)
        unlink("\(fixture.folder.path)/\(fixture.passwordFile)")
        if damaged { fixture.folder.write(file.dropLast() + [file.last! ^ 1], to: fixture.passwordFile) }
        let reason = damaged ? "collection-password is damaged" : "there is no collection-password"

        // As long as it is unlocked nothing is lost, and nothing is put there that could not be had again.
        #expect(try await store.records(of: .ann) == [[1]])
        await #expect(throws: StoreError.passwordLost(reason)) { try await store.add([2], for: .ann) }
        try await fixture.desktop.restartKeyringLocked()
        for store in [store, try fixture.store()] {
            #expect(try await store.status().identity.collection == OwnCollectionFixture.path)
            await #expect(throws: StoreError.passwordLost(reason)) { try await store.unlock() }
            await #expect(throws: StoreError.passwordLost(reason)) { try await store.records(of: .ann) }
            await #expect(throws: StoreError.passwordLost(reason)) { try await store.add([2], for: .ann) }
        }
        #expect(try await fixture.collections() == [OwnCollectionFixture.path])
        #expect(fixture.folder.names(in: "state").contains("collection-password") == damaged)

        unlink("\(fixture.folder.path)/\(fixture.passwordFile)")
        fixture.folder.write(file, to: fixture.passwordFile)
        #expect(try await store.records(of: .ann) == [[1]])
    }

    @Test func isNotMadeAnewWhereItIsNotKnownWhetherItIsThere() async throws {
        let fixture = try await OwnCollectionFixture()
        try await fixture.readyStore().add([1], for: .ann)
        let whole = fixture.folder.read("state/collection"), cut = Array(whole.dropLast())
        fixture.folder.write(cut, to: "state/collection")
        let store = try fixture.store(), damage = "\(fixture.state)/collection: damaged"
        await #expect(throws: StoreError.failed(damage)) { try await store.unlock() }
        await #expect(throws: StoreError.failed(damage)) { try await store.records(of: .ann) }
        await #expect(throws: StoreError.failed(damage)) { try await store.add([2], for: .ann) }
        #expect(try await fixture.collections() == [OwnCollectionFixture.path])
        #expect(fixture.folder.read("state/collection") == cut)
        fixture.folder.write(whole, to: "state/collection")
        #expect(try await fixture.readyStore().records(of: .ann) == [[1]])
    }

    @Test func isNotMadeAnewForARefusedPassword() async throws {
        let fixture = try await OwnCollectionFixture()
        let store = try await fixture.readyStore()
        try await store.add([1], for: .ann)
        unlink("\(fixture.folder.path)/\(fixture.passwordFile)")
        try CollectionPassword(directory: fixture.state).makeIfMissing()
        try await fixture.desktop.restartKeyringLocked()
        await #expect(throws: StoreError.passwordRefused) { try await store.unlock() }
        await #expect(throws: StoreError.passwordRefused) { try await store.records(of: .ann) }
        await #expect(throws: StoreError.passwordRefused) { try await store.add([2], for: .ann) }
        #expect(try await fixture.collections() == [OwnCollectionFixture.path])
    }

    @Test func aCollectionThatIsGoneIsAnotherStore() async throws {
        let fixture = try await OwnCollectionFixture()
        let store = try await fixture.readyStore()
        let known = try await store.status().identity
        try await call("Collection", "Delete", at: OwnCollectionFixture.path, on: fixture.desktop)
        let status = try await store.status()
        #expect(status.identity != known && status.formerly != known)
        await #expect(throws: StoreError.unavailable) { try await store.records(of: .ann) }
        #expect(try await fixture.collections().isEmpty)
    }

    @Test func tellsOfItsUnlocking() async throws {
        let fixture = try await OwnCollectionFixture()
        let store = try await fixture.readyStore()
        let events = SecretServiceEvents(bus: store.bus, collection: store.collection)
        #expect(await events.connect() == nil)
        try await call(
            "Service", "Lock", .array(of: "o", [.objectPath(OwnCollectionFixture.path)]), on: fixture.desktop)
        #expect(await events.next() == .locked)
        try await store.unlock()
        #expect(await events.next() == .unlocked)
    }

    /// A file of three thousand items is rewritten for every change of one.
    @Test func aWriteCostsTheSameWhateverElseTheUserHas() async throws {
        let fixture = try await OwnCollectionFixture()
        let cost = try await quickest { try await opening(in: fixture.readyStore()) }
        let keyrings = fixture.desktop.environment["HOME"]! + "/.local/share/keyrings"
        try await fixture.desktop.end(.keyring)
        write(foreignItems(3000), to: keyrings + "/many.keyring")
        write("many", to: keyrings + "/default")
        try await fixture.desktop.start(.keyring)
        #expect(try await fixture.desktop.store().status().description == "gnome-keyring, collection Many")
        let before = identity(of: keyrings + "/many.keyring")

        let costAmongMany = try await quickest { try await opening(in: fixture.readyStore()) }
        #expect(identity(of: keyrings + "/many.keyring") == before)
        // The same of the default one is another matter.
        try await fixture.desktop.unlockKeyring("many")
        let costInDefault = try await quickest { try await opening(in: fixture.desktop.store()) }
        #expect(identity(of: keyrings + "/many.keyring") != before)
        #expect(costAmongMany < costInDefault && costAmongMany < cost * 3)
    }

    @Test func isNotWantedOfAProviderThatHasNone() async throws {
        let fixture = try await OwnCollectionFixture(keyring: .none)
        let provider = try await fixture.desktop.standIn("locked")
        let store = try fixture.store()
        let status = try await store.status()
        #expect(status.description.hasSuffix(", collection Fake"))
        #expect(status.locked && status.preparation == .prompt && status.formerly == nil)
        try await store.unlock()
        try await store.add([1], for: .ann)
        #expect(try await store.records(of: .ann) == [[1]])
        #expect(!fixture.folder.names(in: "state").contains("collection-password"))
        withExtendedLifetime(provider) {}
    }

    // MARK: Support

    /// What an open asks of the store.
    private func opening(in store: SecretServiceStore) async throws {
        if try await store.status().preparation != .none { try await store.unlock() }
        try await store.add([1], for: .ann)
        try await store.remove(of: .ann, except: nil)
    }

    private func quickest(_ body: () async throws -> Void) async throws -> Duration {
        var best: Duration = .seconds(60)
        for _ in 0..<5 { best = min(best, try await ContinuousClock().measure { try await body() }) }
        return best
    }

    @GLibThread private func call(
        _ interface: String, _ method: String, _ arguments: Variant..., at path: String = SecretProvider.path,
        on desktop: Desktop
    ) async throws {
        let connection = try await Bus(address: desktop.sessionBus).connection(within: .seconds(5))
        let interface = interface.contains(".") ? interface : "org.freedesktop.Secret.\(interface)"
        let object = BusObject(destination: SecretProvider.name, path: path, interface: interface)
        _ = try await connection.call(object, method, .tuple(arguments), reply: "*", within: .seconds(5))
    }

    private func rename(_ path: String, to label: String, on desktop: Desktop) async throws {
        try await call(
            "org.freedesktop.DBus.Properties", "Set", .string("org.freedesktop.Secret.Collection"), .string("Label"),
            .variant(.string(label)), at: path, on: desktop)
    }

    /// A keyring without a password, as gnome-keyring writes it.
    private func foreignItems(_ count: Int) -> String {
        (1...count).reduce(
            into: "[keyring]\ndisplay-name=Many\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        ) {
            $0 += "\n[\($1)]\nitem-type=0\ndisplay-name=theirs\nsecret=\($1)\nmtime=0\nctime=0\n"
            $0 += "\n[\($1):attribute0]\nname=number\ntype=string\nvalue=\($1)\n"
        }
    }

    private func write(_ text: String, to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600), bytes = Array(text.utf8)
        precondition(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count, path)
        close(file)
    }

    private func identity(of path: String) -> [Int] {
        var status = stat()
        precondition(stat(path, &status) == 0, path)
        return [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
