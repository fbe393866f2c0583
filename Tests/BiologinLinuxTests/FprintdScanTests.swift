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

    @Test func keepsTheFirstVerdict() async {
        #expect(await Self.verdict(of: [("verify-no-match", true), ("verify-match", true)]).0 == .noMatch)
    }

    @Test func saysWhatWasWrongWithABadScan() async {
        let events = await Self.verdict(of: [("verify-swipe-too-short", false)]).1
        #expect(events == [.waiting(finger: nil), .retry(hint: "the swipe was too short")])
    }

    @Test func saysWhichFingerIsWaitedFor() async {
        let events = Locked<[ScanEvent]>([])
        await scan { event in events.withLock { $0.append(event) } }
        #expect(events.withLock { $0 } == [.waiting(finger: "left-thumb"), .waiting(finger: nil)])
    }

    @GLibThread private func scan(_ report: @escaping @Sendable (ScanEvent) -> Void) {
        let scan = FprintdScan(report)
        scan.select("left-thumb")
        scan.start()
        scan.select("left-thumb")
        scan.select("any")
    }
}
