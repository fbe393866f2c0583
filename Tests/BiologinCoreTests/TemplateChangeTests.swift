import BiologinVault
import Testing

@testable import BiologinCore

@Suite struct TemplateChangeTests {
    @Test(arguments: [
        (["right-index-finger", "left-thumb"], TemplateChange.added), ([], .allRemoved), (["left-thumb"], .removed),
    ])
    func aChangeInvalidatesBeforeTheSensorLights(_ fingers: [String], _ change: TemplateChange) async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let scans = await bench.verifier.scans
            await bench.verifier.set(fingers: fingers)
            await #expect(throws: LoginError.informationModified(change)) { try await bench.login() }
            #expect(await bench.verifier.scans == scans)
            #expect(await bench.store.items.isEmpty)
            #expect(await bench.state.saved.accounts.first?.current?.state == .invalidated(change))
            #expect(await bench.verifier.claims == bench.verifier.releases)
        }
    }

    @Test func isEnabledNoticesAChangeWithoutAPromptAndPutsItOnDisk() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            #expect(try await bench.manager.enablement(of: .last) == .enabled)
            await bench.verifier.set(fingers: ["left-thumb"])
            let claims = await bench.verifier.claims
            #expect(try await bench.manager.enablement(of: .last) == .modified(.removed))
            #expect(await bench.state.saved.accounts.first?.current?.state == .invalidated(.removed))
            #expect(await bench.verifier.claims == claims)
            await bench.verifier.set(fingers: ["right-index-finger"])
            await #expect(throws: LoginError.informationModified(.removed)) { try await bench.login() }
            try await bench.restarted { bench in
                let enablement = try await bench.manager.enablement(of: .last)
                #expect(enablement == .modified(.removed))
            }
        }
    }

    @Test func aChangeBetweenMatchAndReleaseReleasesNothing() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.afterMatch { await bench.verifier.set(fingers: ["right-index-finger", "left-thumb"]) }
            await #expect(throws: LoginError.informationModified(.added)) { try await bench.loggedIn() }
            #expect(await bench.store.items.isEmpty)
        }
    }

    @Test func anotherOpenBringsTheAccountBackWithItsCardKeptMeanwhile() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.set(fingers: ["left-thumb"])
            await #expect(throws: LoginError.informationModified(.removed)) { try await bench.login() }
            #expect(await bench.manager.account(.last)?.userInfo == Bench.card())
            _ = try await bench.opened(key: Array("second key".utf8))
            #expect(try await bench.loggedIn() == Array("second key".utf8))
        }
    }

    @Test(arguments: [VerifierError.unavailable(.noDevice), .unavailable(.silent), .failed("no answer")])
    func aReaderThatCannotBeReadIsNoChange(_ fault: VerifierError) async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.set(readingError: fault)
            await #expect(throws: LoginError.self) { try await bench.login() }
            await bench.verifier.set(readingError: nil)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
        }
    }

    @Test func fingersThatAreGoneAtTheNextTryAreAChange() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            let reports = Reports()
            let login = Task { try await bench.login(reporting: reports) }
            await reports.waiting()
            await bench.verifier.set(fingers: [])
            await bench.verifier.touch(.wrong, .failure(.unavailable(.notEnrolled)))
            await #expect(throws: LoginError.informationModified(.allRemoved)) { try await login.value }
        }
    }

    @Test func otherAccountsAreLeftAlone() async throws {
        try await Bench.run { bench in
            let bob = try AccountID(application: Bench.application, uid: "bob")
            _ = try await bench.opened()
            await bench.verifier.set(fingers: ["left-thumb"])
            _ = try await bench.opened(bob, key: Array("bob's key".utf8))
            await #expect(throws: LoginError.informationModified(.removed)) {
                try await bench.login(.account(Bench.ada))
            }
            #expect(try await bench.loggedIn(.account(bob)) == Array("bob's key".utf8))
        }
    }

    @Test func aLockedStoreKeepsADeadRecordUntilItIsUnlocked() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.set(fingers: ["left-thumb"])
            await bench.store.lock(unlockable: false)
            #expect(try await bench.manager.enablement(of: .last) == .modified(.removed))
            await #expect(throws: LoginError.informationModified(.removed)) { try await bench.login() }
            #expect(await bench.store.items.count == 1)
            await bench.store.unlocked()
            try await bench.restarted { bench in
                while await !bench.store.items.isEmpty { await Task.yield() }
            }
        }
    }
}
