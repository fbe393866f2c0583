/// Everything that can keep an operation from its result. Deny is the default: whoever gets one of these got no key.
package enum LoginError: Error, Equatable, Sendable {
    case notOpen
    case informationModified(TemplateChange?)
    case authenticationFailed
    case userCancel, userFallback, systemCancel
    /// The client went away, or a task was cancelled for it: nobody is left to be told.
    case cancelled
    case passcodeNotSet
    case notAvailable(Availability)
    case notEnrolled
    case lockedOut(seconds: Int)
    /// The account was closed or opened anew meanwhile.
    case superseded
    case notInteractive
    case busy(holder: Caller?)
    case timedOut(Part)
    case keyring(StoreError)
    case keyDamaged(DamageReason)
    /// Says why, for the log.
    case deviceKeyUnavailable(String)
    case enrollmentUnknown
    /// Names the limit.
    case limitExceeded(String)
    case notPermitted(String)
    /// Names the parameter, with a dot before the field of an object.
    case invalidParameter(String)
    /// The state directory cannot be read or written; says what failed, for the log.
    case state(String)
    /// A file of the state directory, that cannot be read since the start.
    case stateUnreadable(String)
    /// What failed, for the log; callers are told only that it did.
    case `internal`(String)

    package enum Part: Sendable { case touch, reader, keyring }

    package enum DamageReason: Sendable { case damaged, unknownVersion, rolledBack }
}
