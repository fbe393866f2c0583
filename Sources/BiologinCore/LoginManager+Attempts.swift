import BiologinVault

/// Failed attempts are on disk before they are answered.
extension LoginManager {
    /// What is left of a lock-out, or nil.
    func lockoutRemaining() -> Duration? { attempts.remaining(at: clock.sinceBoot, bootID: clock.bootID) }

    /// Throws `lockedOut`, `limitExceeded` for a program that asks in vain again and again, or `state` or
    /// `stateUnreadable` while failures cannot be counted.
    func checkAttempts(by caller: Caller) async throws(LoginError) {
        if let file = unreadable.first { throw .stateUnreadable(file) }
        guard !prompts.isLimitReached(by: caller.pid, at: clock.sinceBoot) else {
            throw .limitExceeded("prompts without a match: \(UnansweredPrompts.limit) a minute")
        }
        let remaining = lockoutRemaining()
        // One that a reboot cut short was started again; and what could not be written before must outlive this process.
        if attempts != savedAttempts { try await saveAttempts() }
        if let remaining { throw .lockedOut(seconds: remaining.wholeSeconds) }
        try await onDisk { () throws(StateError) in try await state.checkWritable() }
    }

    /// Throws `lockedOut` where this failure leads to a lock-out.
    func countFailure(of account: AccountTag, _ caller: Caller) async throws(LoginError) {
        attempts.fail(at: clock.sinceBoot, bootID: clock.bootID)
        try await saveAttempts()
        journal.record(JournalEvent(.refused, account: account, caller: caller, detail: "not recognized"))
        guard let remaining = lockoutRemaining() else { return }
        journal.record(JournalEvent(.lockedOut, account: account, caller: caller))
        watchers.tell(.support, nil)
        throw .lockedOut(seconds: remaining.wholeSeconds)
    }

    func countSuccess() async throws(LoginError) {
        guard attempts != Attempts() else { return }
        attempts.succeed()
        try await saveAttempts()
    }

    private func saveAttempts() async throws(LoginError) {
        let counted = attempts
        try await onDisk { () throws(StateError) in try await state.save(counted) }
        savedAttempts = counted
    }
}

extension Duration {
    /// Rounded up.
    var wholeSeconds: Int { Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0) }
}
