import BiologinCore
import BiologinVault
import Synchronization
import Testing

@testable import BiologinLinux

/// A call on a state directory, from the state it starts in.
private struct Step: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let before: @Sendable (StateDirectory, AccountTag) async throws -> Void
    let call: @Sendable (StateDirectory, AccountTag) async throws -> Void

    static let all = [
        Step(testDescription: "savePending") { state, tag in
            try await open(state, tag)
        } call: { state, tag in
            try await state.savePending(StateFixture.profile(generation: 2), tag: tag)
        },
        Step(testDescription: "promotePending") { state, tag in
            try await open(state, tag)
            try await state.savePending(StateFixture.profile(generation: 2), tag: tag)
        } call: { state, tag in
            try await state.promotePending(tag: tag)
        },
        Step(testDescription: "promotePending of a buried account") { state, tag in
            try await state.bury(tag: tag)
            try await state.savePending(StateFixture.profile(generation: 2), tag: tag)
        } call: { state, tag in
            try await state.promotePending(tag: tag)
        },
        Step(testDescription: "discardPending") { state, tag in
            try await state.savePending(StateFixture.profile(), tag: tag)
        } call: { state, tag in
            try await state.discardPending(tag: tag)
        },
        Step(testDescription: "save") { state, tag in
            try await open(state, tag)
        } call: { state, tag in
            try await state.save(StateFixture.profile(state: .invalidated(.added)), tag: tag)
        },
        Step(testDescription: "bury") { state, tag in
            try await open(state, tag)
            try await state.savePending(StateFixture.profile(generation: 2), tag: tag)
        } call: { state, tag in
            try await state.bury(tag: tag)
        },
        Step(testDescription: "forget") { state, tag in
            try await state.bury(tag: tag)
        } call: { state, tag in
            try await state.forget(tag: tag)
        },
        Step(testDescription: "save attempts") { state, _ in
            try await state.save(Attempts(failures: 1))
        } call: { state, _ in
            try await state.save(Attempts(failures: 2))
        },
        Step(testDescription: "save the store") { state, _ in
            try await state.save(StoreIdentity(executable: "a", collection: "b"))
        } call: { state, _ in
            try await state.save(StoreIdentity(executable: "c", collection: "d"))
        },
    ]

    private static func open(_ state: StateDirectory, _ tag: AccountTag) async throws {
        try await state.savePending(StateFixture.profile(), tag: tag)
        try await state.promotePending(tag: tag)
    }
}

struct StateKillTests {
    let fixture: StateFixture

    init() throws { fixture = try StateFixture() }

    @Test(arguments: Step.all) fileprivate func leavesTheOldStateOrTheNewOne(_ step: Step) async throws {
        let copies = Mutex<[Folder]>([])
        let state = try fixture.open { [folder = fixture.folder] (_) throws(StateError) in
            copies.withLock { $0.append(folder.copy()) }
        }
        try await step.before(state, fixture.tag)
        let old = try await state.load()
        copies.withLock { $0 = [] }
        try await step.call(state, fixture.tag)
        let new = try await state.load()
        #expect(old != new)

        let seen = copies.withLock { $0 }
        #expect(!seen.isEmpty)
        for copy in seen {
            let found = try await fixture.found(in: copy)
            #expect(found == old || found == new)
            #expect(copy.names(in: "state/accounts").allSatisfy { AccountTag($0) != nil })
            #expect(copy.names(in: "state").allSatisfy { !$0.hasPrefix(".") })
        }
        #expect(try await fixture.found(in: #require(seen.last)) == new)
    }

    @Test func keepsTheGenerationWhereverItIsKilled() async throws {
        let copies = Mutex<[Folder]>([])
        let state = try fixture.open { [folder = fixture.folder] (_) throws(StateError) in
            copies.withLock { $0.append(folder.copy()) }
        }
        #expect(try await state.takeGeneration() == 1)
        copies.withLock { $0 = [] }
        #expect(try await state.takeGeneration() == 2)
        for copy in copies.withLock({ $0 }) {
            let next = try await StateDirectory(StateLock("\(copy.path)/state"), vault: fixture.vault).takeGeneration()
            #expect(next == 2 || next == 3)
        }
    }

    @Test(arguments: Step.all, [FileStep.created, .written, .synced])
    fileprivate func keepsTheOldStateIfAWriteFails(_ step: Step, at failing: FileStep) async throws {
        let box = FailingStep(failing)
        let state = try fixture.open { (step) throws(StateError) in try box.check(step) }
        try await step.before(state, fixture.tag)
        let old = try await state.load()
        box.arm()
        do { try await step.call(state, fixture.tag) } catch is StateError {}
        // What removes a file writes none.
        guard box.failed else { return }
        #expect(try await state.load() == old)
        #expect(fixture.folder.names(in: "state/accounts").allSatisfy { AccountTag($0) != nil })
        #expect(fixture.folder.names(in: "state").allSatisfy { !$0.hasPrefix(".") })
    }
}

private final class FailingStep: Sendable {
    private let step: FileStep
    private let state = Mutex((armed: false, failed: false))

    init(_ step: FileStep) { self.step = step }

    var failed: Bool { state.withLock { $0.failed } }

    func arm() { state.withLock { $0.armed = true } }

    func check(_ step: FileStep) throws(StateError) {
        let fails = state.withLock { state in
            guard state.armed, step == self.step else { return false }
            state.failed = true
            return true
        }
        if fails { throw StateError("made to fail") }
    }
}
