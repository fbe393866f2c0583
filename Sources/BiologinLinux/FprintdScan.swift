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

    private let report: @Sendable (ScanEvent) -> Void
    private var finger: String?
    private var isStarted = false
    private var verdict: Verdict?
    private var continuation: CheckedContinuation<Verdict, Never>?

    init(_ report: @escaping @Sendable (ScanEvent) -> Void) { self.report = report }

    /// `VerifyStart` has returned. What fprintd said of a scan before that was none of ours.
    func start() {
        isStarted = true
        if verdict == nil { report(.waiting(finger: finger)) }
    }

    /// The finger that fprintd verifies, where the device cannot identify.
    func select(_ name: String?) {
        let selected = name == "any" ? nil : name
        guard selected != finger else { return }
        finger = selected
        if isStarted, verdict == nil { report(.waiting(finger: finger)) }
    }

    func hear(_ result: String, done: Bool) {
        guard isStarted, verdict == nil else { return }
        switch (result, done) {
        case ("verify-match", true): end(.match)
        case ("verify-no-match", true): end(.noMatch)
        case ("verify-disconnected", _): end(.failed(.unavailable(.noDevice)))
        case ("verify-unknown-error", _): end(.failed(.failed("fprintd: verify-unknown-error")))
        default:
            if let hint = Self.hints[result] {
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
