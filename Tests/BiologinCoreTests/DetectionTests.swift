import BiologinVault
import Testing

@testable import BiologinCore

/// The strengths of change detection.
@Suite(.timeLimit(.minutes(5))) struct DetectionTests {
    @Test func anEnrollmentThatIsHeardInvalidatesWhileNobodyAsks() async throws {
        try await Bench.run { bench in
            await bench.verifier.startListening()
            #expect(try await bench.opened().detection == .watched)
            await bench.verifier.hearEnrollment()
            while await bench.manager.account(.last)?.state == .enabled { await Task.yield() }
            #expect(try await bench.manager.enablement(of: .last) == .modified(.enrolledAnew))
            #expect(await bench.state.saved.enrollments == ["Fake reader": 1])
            _ = try await bench.opened(key: Array("second key".utf8))
            #expect(try await bench.loggedIn() == Array("second key".utf8))
        }
    }

    @Test func aFingerThatIsDeletedInvalidatesWhileNobodyAsks() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            #expect(await bench.manager.account(.last)?.detection == .names)
            while await bench.manager.account(.last)?.state == .enabled {
                await bench.verifier.changeUnheard(fingers: ["left-thumb"])
                await Task.yield()
            }
            #expect(try await bench.manager.enablement(of: .last) == .modified(.removed))
        }
    }

    @Test func theStrengthOfAnAccountRisesAtTheNextLoginAndItsKeyStays() async throws {
        try await Bench.run { bench in
            let first = try await bench.opened()
            await bench.verifier.startListening()
            #expect(try await bench.loggedIn() == Array("first key".utf8))
            let second = try #require(await bench.manager.account(.last))
            #expect(first.detection == .names && second.detection == .watched)
            #expect(second.generation > first.generation)
            await bench.contents.set([1, 2, 3])
            #expect(try await bench.loggedIn() == Array("first key".utf8))
            #expect(await bench.manager.account(.last)?.detection == .content)
            #expect(await bench.store.items.count == 1)
            try await bench.restarted { bench in
                await bench.contents.set([1, 2, 3])
                let key = try await bench.loggedIn()
                #expect(key == Array("first key".utf8))
            }
        }
    }

    @Test func aStoreThatFailsLeavesTheStrengthAndTheLoginAsTheyAre() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.startListening()
            await bench.store.set(fault: .add(.failed("disk full")))
            #expect(try await bench.loggedIn() == Array("first key".utf8))
            #expect(await bench.manager.account(.last)?.detection == .names)
            await bench.store.set(fault: nil)
            #expect(try await bench.loggedIn() == Array("first key".utf8))
            #expect(await bench.manager.account(.last)?.detection == .watched)
        }
    }

    @Test func contentNoticesAFingerThatWasEnrolledAnewUnheard() async throws {
        try await Bench.run { bench in
            await bench.contents.set([1])
            _ = try await bench.opened()
            await bench.contents.set([2])
            await #expect(throws: LoginError.informationModified(.enrolledAnew)) { try await bench.login() }
        }
    }

    @Test func contentKnowsBetterThanWhatIsHeard() async throws {
        try await Bench.run { bench in
            await bench.verifier.startListening()
            await bench.contents.set([1])
            _ = try await bench.opened()
            await bench.verifier.hearEnrollment()
            #expect(try await bench.loggedIn() == Array("first key".utf8))
        }
    }

    @Test func aHelperThatDoesNotAnswerLosesNothingAndReleasesNothing() async throws {
        try await Bench.run { bench in
            await bench.contents.set([1])
            _ = try await bench.opened()
            await bench.contents.set(nil)
            let scans = await bench.verifier.scans
            await #expect(throws: LoginError.enrollmentUnknown) { try await bench.loggedIn() }
            #expect(await bench.verifier.scans == scans)
            #expect(try await bench.manager.enablement(of: .last) == .enabled)
            await bench.contents.set([1])
            #expect(try await bench.login() == Array("first key".utf8))
        }
    }

    @Test func twoLoginsAtOnceBothGetTheKeyThoughTheFirstSealsItAnew() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            await bench.verifier.startListening()
            let first = Reports(), second = Reports()
            let faster = Task { try await bench.login(reporting: first) }
            await first.waiting()
            let slower = Task { try await bench.login(reporting: second) }
            await second.first { $0 == .queued }
            await bench.verifier.touch(.right, .right)
            #expect(try await faster.value == Array("first key".utf8))
            #expect(try await slower.value == Array("first key".utf8))
        }
    }

    @Test func snapshotsOfDifferentFactsDiffer() {
        let base = Enrollment(reader: "R", fingers: ["a", "b"], heard: 1, content: [1])
        let others = [
            Enrollment(reader: "S", fingers: ["a", "b"], heard: 1, content: [1]),
            Enrollment(reader: "R", fingers: ["ab"], heard: 1, content: [1]),
            Enrollment(reader: "Ra", fingers: ["b"], heard: 1, content: [1]),
            Enrollment(reader: "R", fingers: ["a", "b"], heard: 256, content: [2]),
        ]
        for detection in [ChangeDetection.watched, .content] {
            for other in others { #expect(base.snapshot(at: detection) != other.snapshot(at: detection)) }
        }
        let kinds = [ChangeDetection.names, .watched, .content].compactMap { base.snapshot(at: $0) }
        #expect(Set(kinds.map(\.first)).count == 3)
        #expect(base.snapshot(at: .none) == nil)
    }
}
