import BiologinCore
import Testing

@testable import BiologinLinux

struct FprintdScanTests {
    @GLibThread private static func verdict(
        of results: [(String, Bool)], started: Bool = true, within limit: Duration = .zero
    ) async -> (FprintdScan.Verdict, [ScanEvent]) {
        let events = Locked<[ScanEvent]>([])
        let scan = FprintdScan { event in events.withLock { $0.append(event) } }
        if started { scan.start() }
        for (result, done) in results { scan.hear(result, done: done) }
        return (await scan.verdict(within: limit), events.withLock { $0 })
    }

    @Test(arguments: [
        ("verify-match", FprintdScan.Verdict.match),
        ("verify-no-match", .noMatch),
        ("verify-retry-scan", .again),
        ("verify-swipe-too-short", .again),
        ("verify-finger-not-centered", .again),
        ("verify-remove-and-retry", .again),
        ("verify-disconnect", .failed(.unavailable(.noDevice))),
        ("verify-disconnected", .failed(.unavailable(.noDevice))),
        ("verify-unknown-error", .failed(.failed("fprintd: verify-unknown-error"))),
        ("verify-with-a-nod", .failed(.failed("fprintd: a result that is not known"))),
    ])
    func endsWithEachResult(result: String, verdict: FprintdScan.Verdict) async {
        #expect(await Self.verdict(of: [(result, true)]).0 == verdict)
    }

    @Test(arguments: ["verify-match", "verify-no-match", "verify-retry-scan", "verify-with-a-nod"])
    func goesOnWhereTheResultIsNotTheLast(result: String) async {
        #expect(await Self.verdict(of: [(result, false)]).0 == .failed(.noTouch))
        #expect(await Self.verdict(of: [(result, false), ("verify-no-match", true)]).0 == .noMatch)
    }

    @Test func hearsNothingBeforeItIsStarted() async {
        #expect(await Self.verdict(of: [("verify-match", true)], started: false).0 == .failed(.noTouch))
    }

    /// fprintd is done with the scan then: waiting for another result of it would last until the deadline. A match that came
    /// too early counts for nothing; a finger that was not recognized counts as one.
    @Test(arguments: [
        ("verify-match", FprintdScan.Verdict.again), ("verify-no-match", .noMatch), ("verify-retry-scan", .again),
    ])
    @GLibThread func beginsAgainWhereFprintdWasDoneBeforeItWasStarted(
        result: String, verdict: FprintdScan.Verdict
    ) async {
        let scan = FprintdScan { _ in }
        scan.hear(result, done: true)
        scan.start()
        #expect(await scan.verdict(within: .zero) == verdict)
    }

    static let orders: [([(String, Bool)], FprintdScan.Verdict)] = [
        ([("verify-no-match", true), ("verify-match", true)], .noMatch),
        ([("verify-match", true), ("verify-match", true)], .match),
        ([("verify-match", true), ("verify-no-match", true)], .match),
        ([("verify-match", true), ("verify-disconnected", true)], .match),
        ([("verify-retry-scan", true), ("verify-match", true)], .again),
        ([("verify-retry-scan", false), ("verify-retry-scan", false), ("verify-match", true)], .match),
        ([("verify-match", false), ("verify-match", true)], .match),
        ([("verify-disconnected", false), ("verify-match", true)], .failed(.unavailable(.noDevice))),
        ([("verify-unknown-error", true), ("verify-match", true)], .failed(.failed("fprintd: verify-unknown-error"))),
        ([("", true), ("verify-match", true)], .failed(.failed("fprintd: a result that is not known"))),
        ([("VERIFY-MATCH", false), ("verify-match ", false), ("verify-no-match", true)], .noMatch),
    ]

    @Test(arguments: orders)
    func keepsTheFirstVerdict(results: [(String, Bool)], verdict: FprintdScan.Verdict) async {
        #expect(await Self.verdict(of: results).0 == verdict)
    }

    @Test func saysWhatWasWrongWithABadScan() async {
        let events = await Self.verdict(of: [("verify-swipe-too-short", false)]).1
        #expect(events == [.waiting(finger: nil), .retry(hint: "the swipe was too short")])
    }

    @Test(
        arguments: [
            ([.select("left-thumb"), .start, .select("left-thumb")], [ScanEvent.waiting(finger: "left-thumb")]),
            ([.start, .select("left-thumb")], [.waiting(finger: "left-thumb")]),
            ([.start, .select("any")], [.waiting(finger: nil)]),
            (
                [.start, .select("any"), .select("left-thumb")],
                [.waiting(finger: nil), .waiting(finger: "left-thumb")]
            ),
            ([.select("left-thumb")], []),
        ] as [([Step], [ScanEvent])])
    func saysWhichFingerIsWaitedFor(steps: [Step], expected: [ScanEvent]) async {
        #expect(await Self.events(of: steps) == expected)
    }

    enum Step { case start, select(String) }

    @GLibThread private static func events(of steps: [Step]) -> [ScanEvent] {
        let events = Locked<[ScanEvent]>([])
        let scan = FprintdScan { event in events.withLock { $0.append(event) } }
        for step in steps {
            switch step {
            case .start: scan.start()
            case .select(let finger): scan.select(finger)
            }
        }
        return events.withLock { $0 }
    }

    @Test @GLibThread func waitsForAnyFingerWhereNoneIsNamed() async {
        let (events, sink) = AsyncStream.makeStream(of: ScanEvent.self)
        let scan = FprintdScan { sink.yield($0) }
        scan.start()
        #expect(await events.next() == .waiting(finger: nil))
    }
}
