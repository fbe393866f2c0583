import BiologinVault
import Testing

@testable import BiologinCore

@Suite struct UnansweredPromptsTests {
    private static let limit = LoginError.limitExceeded("prompts without a match: 30 a minute")

    /// A login by that process, whose prompt is there for `time` until `touch` ends it.
    private func ask(
        _ bench: Bench, process: Int32 = 1, for time: Duration, _ touch: FakeVerifier.Touch? = nil
    ) async throws(LoginError) {
        let caller = Caller(pid: process, executable: nil, unit: nil, sandbox: nil, strength: .unknown)
        if let touch { await bench.verifier.touch(touch) }
        let request = Request(caller: caller) { progress in
            if case .waiting = progress { bench.clock.advance(by: time) }
        }
        _ = try await bench.manager.login(.account(Bench.ada), policy: nil, fallback: false, request)
    }

    @Test func aProcessThatAsksInVainAgainAndAgainIsRefusedForTheRestOfTheMinute() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            for _ in 0..<30 {
                await #expect(throws: LoginError.timedOut(.touch)) {
                    try await ask(bench, for: .seconds(1), .failure(.noTouch))
                }
            }
            let claims = await bench.verifier.claims
            await #expect(throws: Self.limit) { try await ask(bench, for: .zero) }
            #expect(await bench.verifier.claims == claims, "the sensor stays dark")
            try await ask(bench, process: 2, for: .zero, .right)
            bench.clock.advance(by: .seconds(31))
            try await ask(bench, for: .zero, .right)
        }
    }

    @Test func anOpenIsRefusedLikewise() async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            for _ in 0..<30 {
                await #expect(throws: LoginError.timedOut(.touch)) {
                    try await ask(bench, for: .seconds(1), .failure(.noTouch))
                }
            }
            await #expect(throws: Self.limit) { try await bench.open() }
        }
    }

    @Test(arguments: [
        (Duration.milliseconds(999), FakeVerifier.Touch.failure(.noTouch), LoginError.timedOut(.touch) as LoginError?),
        (.seconds(1), .right, nil),
    ])
    func promptsThatEndSoonerAndMatchesDoNotCount(
        _ time: Duration, _ touch: FakeVerifier.Touch, _ expected: LoginError?
    ) async throws {
        try await Bench.run { bench in
            _ = try await bench.opened()
            for _ in 0..<40 {
                var error: LoginError?
                do throws(LoginError) { try await ask(bench, for: time, touch) } catch let thrown { error = thrown }
                #expect(error == expected)
            }
            try await ask(bench, for: .zero, .right)
        }
    }
}
