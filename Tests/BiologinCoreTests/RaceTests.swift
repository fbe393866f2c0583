import BiologinVault
import Testing

@testable import BiologinCore

/// What happens in one operation while another waits.
@Suite(.timeLimit(.minutes(5))) struct RaceTests {
    @Test func aChangeThatIsNoticedDuringAWriteIsKept() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.touch(.right)
            await bench.state.onSave {
                await bench.verifier.set(fingers: ["left-thumb"])
                let noticing = Task { try await bench.manager.enablement(of: .last) }
                while await bench.manager.account(.last)?.state == .enabled { await Task.yield() }
                _ = noticing
            }
            try await bench.manager.update(.last, uid: "ada", userInfo: .named("B"))
            #expect(await bench.manager.account(.last)?.userInfo == .named("B"))
            #expect(try await bench.manager.enablement(of: .last) == .modified(.removed))
            #expect(await bench.state.saved.accounts.first?.current?.state == .invalidated(.removed))
            await bench.verifier.set(fingers: ["right-index-finger"])
            await #expect(throws: LoginError.informationModified(.removed)) { try await bench.login() }
        }
    }

    @Test func anInvalidationThatCouldNotBeWrittenIsWrittenWhenSomebodyAsksAgain() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.set(fingers: ["left-thumb"])
            await bench.state.fail(after: 0)
            #expect(try await bench.manager.enablement(of: .last) == .modified(.removed))
            await #expect(throws: LoginError.informationModified(.removed)) { try await bench.login() }
            await bench.state.fail(after: .max)
            #expect(try await bench.manager.enablement(of: .last) == .modified(.removed))
            #expect(await bench.state.saved.accounts.first?.current?.state == .invalidated(.removed))
        }
    }

    @Test func aLoginThatFoundNothingLeavesWhatWasOpenedMeanwhile() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.replaceItems { _ in nil }
            await bench.store.onAdd {
                // It finds nothing, and waits for the open to erase the account.
                let failing = Task { try await bench.login() }
                for _ in 0..<1000 { await Task.yield() }
                _ = failing
            }
            _ = try await bench.opened(key: Array("second key".utf8))
            #expect(try await bench.manager.enablement(of: .last) == .enabled)
        }
    }

    @Test func anOpenIsNotRevokedByTheChangeThatItCures() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.set(fingers: ["left-thumb"])
            let reports = Reports()
            let open = Task { try await bench.open(key: Array("second key".utf8), reports) }
            await reports.waiting()
            #expect(try await bench.manager.enablement(of: .last) == .modified(.removed))
            await bench.verifier.touch(.right)
            _ = try await open.value
            #expect(try await bench.loggedIn() == Array("second key".utf8))
        }
    }

    @Test func aClosedAccountsRecordIsRemovedAlsoIfItDoesNotOpen() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.lock(unlockable: false)
            try await bench.manager.close(.last, caller: Bench.caller)
            await bench.store.replaceItems { record in record.dropLast() + [record.last! ^ 1] }
            await bench.store.unlocked()
            try await bench.restarted { bench in
                while await !bench.state.saved.accounts.isEmpty { await Task.yield() }
                #expect(await bench.store.items.isEmpty)
            }
        }
    }

    @Test func aRecordThatCouldNotBeRemovedIsRemovedWhenTheStoreIsUsedAgain() async throws {
        try await Bench.run { bench in
            let bob = try AccountID(application: Bench.application, uid: "bob")
            _ = try await bench.opened()
            _ = try await bench.opened(bob)
            await bench.store.set(fault: .remove(.silent))
            try await bench.manager.close(.account(bob), caller: Bench.caller)
            await bench.store.set(fault: nil)
            #expect(await bench.store.items.count == 2)
            _ = try await bench.loggedIn()
            while await bench.store.items.count != 1 { await Task.yield() }
        }
    }

    @Test func aWatcherThatLeavesIsForgotten() async throws {
        try await Bench.run { bench in
            for _ in 0..<3 {
                let watching = Task { await bench.manager.watch("org.never") { _, events in for await _ in events {} } }
                while await bench.manager.watchers.count == 0 { await Task.yield() }
                watching.cancel()
                await watching.value
            }
            #expect(await bench.manager.watchers.count == 0)
        }
    }

    @Test func nothingBeginsAfterTheEnd() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.manager.shutDown()
            await #expect(throws: LoginError.systemCancel) { try await bench.login() }
        }
    }

    @Test func aLockoutGoesOnAfterAReboot() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.touch(.wrong, .wrong, .wrong)
            await #expect(throws: LoginError.authenticationFailed) { try await bench.login() }
            await bench.verifier.touch(.wrong, .wrong)
            await #expect(throws: LoginError.lockedOut(seconds: 30)) { try await bench.login() }
            bench.clock.reboot()
            try await bench.restarted { bench in
                // 10 s after the boot.
                await #expect(throws: LoginError.lockedOut(seconds: 20)) { try await bench.login() }
            }
        }
    }
}
