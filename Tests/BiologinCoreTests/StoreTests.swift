import BiologinVault
import Testing

@testable import BiologinCore

@Suite struct StoreTests {
    @Test func aLockedStoreIsUnlockedBeforeTheSensor() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.lock(unlockable: true)
            let reports = Reports()
            await bench.verifier.touch(.right)
            _ = try await bench.login(reporting: reports)
            #expect(reports.all.prefix(2) == [.loading, .unlocking])
        }
    }

    @Test func aStoreThatStaysLockedIsSaidSoWhileTheCardIsShown() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.lock(unlockable: false)
            let claims = await bench.verifier.claims
            await #expect(throws: LoginError.keyring(.locked)) { try await bench.login() }
            #expect(await bench.verifier.claims == claims)
            #expect(try await bench.manager.enablement(of: .last) == .enabled)
            #expect(await bench.manager.account(.last) != nil)
            #expect(await bench.manager.status().store?.locked == true)
        }
    }

    @Test(arguments: [
        (StoreError.unavailable, LoginError.keyring(.unavailable)), (.silent, .timedOut(.keyring)),
        (.failed("odd"), .keyring(.failed("odd"))),
    ])
    func aStoreThatCannotBeAskedIsNotAnAccountThatIsNotOpen(_ fault: StoreError, _ told: LoginError) async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.set(statusError: fault)
            await #expect(throws: told) { try await bench.login() }
            await bench.store.set(statusError: nil)
            await bench.store.set(fault: .records(fault))
            await #expect(throws: told) { try await bench.login() }
            await bench.store.set(fault: nil)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
        }
    }

    @Test func anotherStoreThanBeforeIsSaidSo() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.set(executable: "/usr/bin/other-keyring")
            await #expect(throws: LoginError.keyring(.changed)) { try await bench.login() }
            await #expect(throws: LoginError.keyring(.changed)) { try await bench.opened() }
            #expect(try await bench.manager.enablement(of: .last) == .enabled)
            // The way out that callers are told.
            try await bench.manager.close(.last, caller: Bench.caller)
            _ = try await bench.opened()
        }
    }

    @Test func anotherStoreThanBeforeWillDoWithoutAnAccount() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.set(executable: "/usr/bin/other-keyring")
            try await bench.manager.close(.last, caller: Bench.caller)
            _ = try await bench.opened(key: Array("second key".utf8))
            #expect(try await bench.loggedIn() == Array("second key".utf8))
            #expect(await bench.state.saved.store?.executable == "/usr/bin/other-keyring")
        }
    }

    @Test(arguments: [StoreStatus.Preparation.none, .silent])
    func aMoveOfItsRecordsIsNoOtherStoreAndIsRemembered(_ preparation: StoreStatus.Preparation) async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.move(to: "/collection/own", preparation: preparation)
            let reports = Reports()
            await bench.verifier.touch(.right)
            _ = try await bench.login(reporting: reports)
            #expect(!reports.all.contains(.unlocking))
            #expect(await bench.store.unlocks == (preparation == .silent ? 1 : 0))
            #expect(await bench.state.saved.store?.collection == "/collection/own")
            await bench.store.move(to: "/collection/third", preparation: nil)
            await bench.store.move(to: "/collection/fourth", preparation: nil)
            await #expect(throws: LoginError.keyring(.changed)) { try await bench.login() }
        }
    }

    @Test func aStoreThatNeedsNobodyIsMadeReadyAtStartIfThereAreAccounts() async throws {
        try await Bench.run { bench in
            await bench.store.move(to: "/collection/own", preparation: .silent)
            try await bench.restarted { bench in
                _ = try await bench.opened()
                #expect(await bench.store.unlocks == 1)
                await bench.store.move(to: "/collection/third", preparation: .silent)
                try await bench.restarted { bench in
                    while await bench.store.unlocks < 2 { await Task.yield() }
                }
            }
        }
    }

    @Test func aRecordThatSomebodyRemovedIsAnAccountThatIsNotOpen() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.replaceItems { _ in nil }
            await #expect(throws: LoginError.notOpen) { try await bench.login() }
            #expect(try await bench.manager.enablement(of: .last) == .notOpen)
        }
    }

    @Test func aRecordThatWasChangedIsDamagedAndStays() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.replaceItems { record in record.dropLast() + [record.last! ^ 1] }
            await #expect(throws: LoginError.keyDamaged(.damaged)) { try await bench.login() }
            #expect(await bench.store.items.count == 1)
        }
    }

    @Test func aProfileThatCannotBeReadIsSaidSoLeftAloneAndGivesWayToAnOpen() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let tag = bench.vault.tag(application: Bench.ada.application, uid: Bench.ada.uid)
            await bench.state.damage(tag)
            try await bench.restarted { bench in
                await #expect(throws: LoginError.keyDamaged(.damaged)) { try await bench.login() }
                #expect(await bench.store.items.count == 1)
                #expect(await bench.state.saved.damaged[tag] != nil)
                _ = try await bench.opened(key: Array("second key".utf8))
                let key = try await bench.loggedIn()
                #expect(key == Array("second key".utf8))
                #expect(await bench.store.items.count == 1)
            }
        }
    }

    @Test func whatSomebodyPutBesideTheRecordKeepsNoKeyFromItsAccount() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let (account, record) = await bench.store.items[0]
            await bench.store.replaceItems { _ in nil }
            // In whatever order the store lists them.
            let cut = Array(record.dropLast())
            for item in [[], [1, 2, 3], cut, record, cut + [record.last! ^ 1]] {
                try await bench.store.add(item, for: account)
            }
            await bench.verifier.touch(.right)
            #expect(try await bench.login() == Array("first key".utf8))
        }
    }

    @Test func anOlderRecordIsRefused() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let old = try #require(await bench.store.items.first)
            _ = try await bench.opened(key: Array("second key".utf8))
            await bench.store.replaceItems { _ in old.record }
            await #expect(throws: LoginError.keyDamaged(.rolledBack)) { try await bench.login() }
        }
    }

    @Test func aCloseWhileTheStoreIsLockedIsFinishedWhenItIsUnlocked() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.store.lock(unlockable: false)
            try await bench.manager.close(.last, caller: Bench.caller)
            #expect(try await bench.manager.enablement(of: .last) == .notOpen)
            #expect(await bench.store.items.count == 1)
            await bench.store.unlocked()
            try await bench.restarted { bench in
                while await !bench.store.items.isEmpty { await Task.yield() }
                while await !bench.state.saved.accounts.isEmpty { await Task.yield() }
            }
        }
    }

    @Test func aPendingProfileWhoseRecordReachedTheStoreWinsAfterARestart() async throws {
        try await Bench.run { bench in
            let first = try await bench.opened()
            await bench.state.fail(after: 2)  // The generation and the pending profile.
            await #expect(throws: LoginError.self) { try await bench.opened(key: Array("second key".utf8)) }
            #expect(await bench.state.saved.accounts.first?.pending != nil)
            await bench.state.fail(after: .max)
            try await bench.restarted { bench in
                while await bench.state.saved.accounts.first?.pending != nil { await Task.yield() }
                let key = try await bench.loggedIn()
                #expect(key == Array("second key".utf8))
                #expect(await bench.state.saved.accounts.first?.current?.generation != first.generation)
                #expect(await bench.store.items.count == 1)
            }
        }
    }
}
