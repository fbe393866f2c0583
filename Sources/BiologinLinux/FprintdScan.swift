internal import BiologinCore

/// One verification of fprintd, from `VerifyStart` to `VerifyStop`: what counts, and what came first. It is told from
/// within GDBus's callbacks, in the order in which the bus delivered.
@GLibThread final class FprintdScan {
    enum Verdict: Equatable, Sendable {
        case match, noMatch
        /// A bad scan that ended the verification.
        case again
        case failed(VerifierError)
    }

    /// fprintd says which finger it verifies just after `VerifyStart` has returned; for how long that is waited for.
    private static let selectionTime: Duration = .milliseconds(100)

    private let report: @Sendable (ScanEvent) -> Void
    private var selection: Selection?
    private var announced: Selection?
    private var selectionTimer: LoopSource?
    private var isStarted = false
    /// Whether fprintd was done with a scan before `VerifyStart` returned.
    private var endedEarly = false
    private var verdict: Verdict?
    private var continuation: CheckedContinuation<Verdict, Never>?

    /// The finger that is verified; any, where the device identifies.
    private struct Selection: Equatable { var finger: String? }

    init(_ report: @escaping @Sendable (ScanEvent) -> Void) { self.report = report }

    /// `VerifyStart` has returned. A match that fprintd told of before that counts for nothing, and ended the verification.
    func start() {
        isStarted = true
        guard !endedEarly else { return end(.again) }
        if selection == nil {
            selectionTimer = GLibLoop.shared.timer(after: Self.selectionTime) { [weak self] in self?.announce() }
        } else {
            announce()
        }
    }

    func select(_ finger: String?) {
        selection = Selection(finger: finger == "any" ? nil : finger)
        if isStarted { announce() }
    }

    /// Tells once, and again if it is another finger after all.
    private func announce() {
        selectionTimer = nil
        let selection = selection ?? Selection()
        guard verdict == nil, announced != selection else { return }
        announced = selection
        report(.waiting(finger: selection.finger))
    }

    func hear(_ result: String, done: Bool) {
        guard isStarted else {
            if done, result == "verify-no-match" { end(.noMatch) }
            endedEarly = endedEarly || done
            return
        }
        guard verdict == nil else { return }
        switch (result, done) {
        case ("verify-match", true): end(.match)
        case ("verify-no-match", true): end(.noMatch)
        // Some versions say the first.
        case ("verify-disconnect", _), ("verify-disconnected", _): end(.failed(.unavailable(.noDevice)))
        case ("verify-unknown-error", _): end(.failed(.failed("fprintd: verify-unknown-error")))
        default:
            if let hint = Self.hints[result] {
                announce()
                report(.retry(hint: hint))
                if done { end(.again) }
            } else if done {
                // Not the text: it is another program's.
                end(.failed(.failed("fprintd: a result that is not known")))
            }
        }
    }

    private static let hints = [
        "verify-retry-scan": "the scan was not clear",
        "verify-swipe-too-short": "the swipe was too short",
        "verify-finger-not-centered": "the finger was not centered on the reader",
        "verify-remove-and-retry": "take the finger off the reader first",
    ]

    /// The first one wins.
    func end(_ verdict: Verdict) {
        guard self.verdict == nil else { return }
        self.verdict = verdict
        continuation?.resume(returning: verdict)
        continuation = nil
    }

    /// Waits for it; nothing within `limit` is `noTouch`, and a cancelled task `cancelled`.
    func verdict(within limit: Duration) async -> Verdict {
        let timer = GLibLoop.shared.timer(after: limit) { [weak self] in self?.end(.failed(.noTouch)) }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let verdict {
                    continuation.resume(returning: verdict)
                } else {
                    self.continuation = continuation
                }
            }
        } onCancel: {
            GLibLoop.shared.perform { self.end(.failed(.cancelled)) }
        }
    }
}
