/// What a person would be shown while an operation runs.
package enum Progress: Equatable, Sendable {
    /// Admitted.
    case loading
    /// Another verification is running.
    case queued
    /// The keyring asks for its password.
    case unlocking
    /// The sensor waits for a touch: of `finger`, or of any enrolled one where that is nil.
    case waiting(reader: String, finger: String?, attemptsLeft: Int)
    /// A bad scan; try again.
    case retry(reader: String, hint: String)
    /// Verified.
    case processing
}

/// One call: who made it, and how it is told of its progress.
package struct Request: Sendable {
    package let caller: Caller
    package let report: @Sendable (Progress) -> Void

    package init(caller: Caller, report: @escaping @Sendable (Progress) -> Void) {
        (self.caller, self.report) = (caller, report)
    }
}

/// Which account a call means.
package enum AccountSelector: Sendable {
    case account(AccountID)
    /// The one that this application opened last.
    case lastOf(application: String)
    /// The one that was opened last of all.
    case last
}

/// What the watchers of accounts are told.
package struct AccountEvent: Sendable {
    package enum Kind: Sendable { case opened, closed, updated, invalidated, loggedIn, failed, support }
    package let kind: Kind
    /// As it is now, or as it was when it was closed; nil for `support`.
    package let profile: Profile?
}
