import Synchronization
import Testing

@testable import BiologinCore

/// What a lock, a closed lid and sleep do.
@Suite(.timeLimit(.minutes(1))) struct SeatTests {
    private static let obstacles: [(SeatState, LoginError)] = [
        (.notLocal, .notAvailable(.notLocal)), (.inaccessible, .notAvailable(.inaccessible)),
        (.sleeping, .systemCancel),
    ]

    @Test(arguments: obstacles) func asksNobodyWhoIsNotThere(state: SeatState, error: LoginError) async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            bench.seat.change(to: state)
            let (claims, unlocks) = (await bench.verifier.claims, await bench.store.unlocks)
            await bench.store.lock(unlockable: true)
            let reports = Reports()
            await #expect(throws: error) { _ = try await bench.login(reporting: reports) }
            await #expect(throws: error) { _ = try await bench.open(key: [1], reports) }
            #expect(reports.all == [.loading, .loading])
            #expect(await bench.verifier.claims == claims)
            #expect(await bench.store.unlocks == unlocks)

            // What asks nobody is answered.
            #expect(try await bench.manager.enablement(of: .account(Bench.ada)) == .enabled)
            #expect(await bench.manager.account(.last)?.userInfo.userName == "Ada")
            await bench.store.unlocked()
            bench.seat.change(to: .usable)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
        }
    }

    /// A lid tells nobody that it was closed.
    @Test(arguments: obstacles) func looksWhereTheUserSitsBeforeTheSensorLights(state: SeatState, error: LoginError)
        async throws
    {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let scans = await bench.verifier.scans
            bench.seat.willBeFound(state)
            await #expect(throws: error) { _ = try await bench.login() }
            bench.seat.change(to: .usable)
            await #expect(throws: error) { _ = try await bench.open(key: [1]) }
            #expect(await bench.verifier.scans == scans)
            #expect(await bench.verifier.releases == bench.verifier.claims)
        }
    }

    @Test func saysWhereTheUserSitsRatherThanThatTheReaderIsNotAllowed() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            bench.seat.willBeFound(.notLocal)
            for error in [VerifierError.unavailable(.permissionDenied), .unavailable(.busy)] {
                bench.seat.change(to: .usable)
                await bench.verifier.set(claimError: error)
                await #expect(throws: LoginError.notAvailable(.notLocal)) { _ = try await bench.login() }
            }
        }
    }

    @Test func aLockedSessionAsksForNoPasswordEither() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened(policy: .deviceOwner)
            bench.seat.willBeFound(.inaccessible)
            await #expect(throws: LoginError.passcodeNotSet) { _ = try await bench.login() }
            bench.seat.change(to: .usable)
            bench.seat.willBeFound(.notLocal)
            await #expect(throws: LoginError.notAvailable(.notLocal)) { _ = try await bench.login() }
        }
    }

    @Test(arguments: [SeatState.notLocal, .inaccessible])
    func endsEveryVerificationWhenTheUserLeaves(state: SeatState) async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let running = Reports(), queued = Reports()
            let first = Task { try await bench.login(reporting: running) }
            await running.waiting()
            let second = Task { try await bench.open(.of("bob"), queued) }
            await queued.first { $0 == .queued }
            bench.seat.change(to: state)
            await #expect(throws: LoginError.systemCancel) { _ = try await first.value }
            // Whether it had looked before that or not.
            let error = await #expect(throws: LoginError.self) { _ = try await second.value }
            #expect([.systemCancel, .notAvailable(.notLocal), .notAvailable(.inaccessible)].contains(error))
            #expect(await bench.verifier.releases == bench.verifier.claims)

            bench.seat.change(to: .usable)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
            #expect(await bench.manager.account(.account(.of("bob"))) == nil)
        }
    }

    @Test func releasesTheReaderAndEndsEveryCallBeforeTheComputerSleeps() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let running = Reports(), queued = Reports()
            let first = Task { try await bench.login(reporting: running) }
            await running.waiting()
            let second = Task { try await bench.open(.of("bob"), queued) }
            await queued.first { $0 == .queued }
            await bench.seat.sleep()
            #expect(await bench.verifier.releases == bench.verifier.claims)
            await #expect(throws: LoginError.systemCancel) { _ = try await first.value }
            await #expect(throws: LoginError.systemCancel) { _ = try await second.value }
            await #expect(throws: LoginError.systemCancel) { _ = try await bench.login() }

            bench.seat.change(to: .usable)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
            // With nothing under way it may sleep at once.
            await bench.seat.sleep()
        }
    }

    /// Its key is in memory until it is stored, or given up.
    @Test func doesNotSleepBeforeAnOpenIsOver() async throws {
        try await Bench.run { bench in
            let (stored, letStore) = AsyncStream<Never>.makeStream()
            let (adding, reached) = AsyncStream<Never>.makeStream()
            await bench.store.onAdd {
                reached.finish()
                for await _ in stored {}
            }
            let opening = Task { try await bench.opened() }
            for await _ in adding {}
            let isLetGo = Mutex(false)
            let asleep = Task {
                await bench.seat.sleep()
                return isLetGo.withLock { $0 }
            }
            while bench.seat.known != .sleeping { await Task.yield() }
            // For one who does not wait.
            for _ in 0..<100 { _ = await bench.manager.status() }
            isLetGo.withLock { $0 = true }
            letStore.finish()
            await #expect(throws: LoginError.systemCancel) { _ = try await opening.value }
            #expect(await asleep.value)
            // What was stored is taken back.
            #expect(await bench.store.items.isEmpty)
            #expect(await bench.manager.account(.last) == nil)
        }
    }

    /// The match, and what is done for the key afterwards, take time.
    @Test func releasesNoKeyToWhomSleepCameBetween() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            // Now more can be noticed: the key is sealed anew in the course of the login.
            await bench.verifier.startListening()
            let (slept, sleeps) = AsyncStream<Void>.makeStream()
            await bench.store.onAdd {
                Task {
                    await bench.seat.sleep()
                    sleeps.finish()
                }
                while bench.seat.known != .sleeping { await Task.yield() }
            }
            await #expect(throws: LoginError.systemCancel) { _ = try await bench.loggedIn() }
            for await _ in slept {}
            bench.seat.change(to: .usable)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
        }
    }

    @Test(arguments: [
        (SeatState.notLocal, Availability.notLocal), (.inaccessible, .inaccessible), (.sleeping, .unavailable),
    ])
    func publishesWhyNoReaderCanBeUsed(state: SeatState, availability: Availability) async throws {
        try await Bench.run { bench in
            bench.seat.willBeFound(state)
            #expect(await bench.manager.support().map(\.availability) == [availability])
            await bench.verifier.removeReaders()
            #expect(await bench.manager.support().map(\.availability) == [.noDevice])
        }
    }

    @Test func tellsWatchersThatTheSupportChanged() async throws {
        try await Bench.run { bench in
            await bench.watchSupport { bench.seat.change(to: .notLocal) }
            await bench.watchSupport { Task { await bench.seat.sleep() } }
        }
    }
}

extension Bench {
    /// Does something, and returns when the watchers are told that the support for biometric login changed.
    fileprivate func watchSupport(_ body: @escaping @Sendable () -> Void) async {
        await manager.watch(nil) { _, events in
            body()
            for await event in events where event.kind == .support { return }
        }
    }
}
