/// What the log says: lower case, no full stop, no uid, no name, no key.
extension LoginError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notOpen: "not open"
        case .informationModified(let change): "templates changed: \(change.map { "\($0)" } ?? "how is not known")"
        case .authenticationFailed: "not recognized"
        case .userCancel: "dismissed"
        case .userFallback: "the password is wanted"
        case .systemCancel: "ended by the system"
        case .cancelled: "given up by the client"
        case .passcodeNotSet: "no login password can be asked for"
        case .notAvailable(let availability): "no reader: \(availability)"
        case .notEnrolled: "no finger is enrolled"
        case .lockedOut(let seconds): "locked out for \(seconds) s"
        case .superseded: "closed or opened anew meanwhile"
        case .notInteractive: "nobody can be asked"
        case .busy: "busy"
        case .timedOut(let part): "\(part): no answer in time"
        case .keyring(let error): "keyring: \(error)"
        case .keyDamaged(let reason): "the sealed record does not open: \(reason)"
        case .deviceKeyUnavailable(let reason): "device key: \(reason)"
        case .enrollmentUnknown: "the enrolled fingers cannot be read"
        case .limitExceeded(let limit): "limit exceeded: \(limit)"
        case .notPermitted(let reason): "not permitted: \(reason)"
        case .invalidParameter(let name): "invalid parameter: \(name)"
        case .stateUnreadable(let file): "unreadable since the start: \(file)"
        case .state(let fault), .internal(let fault): fault
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable: "not there"
        case .locked: "locked"
        case .changed: "another one than before"
        case .passwordLost(let reason): "the collection's password is lost: \(reason)"
        case .passwordRefused: "the collection has another password"
        case .corrupts: "gave back something else than was put in"
        case .silent: "no answer in time"
        case .cancelled: "given up"
        case .failed(let reason): reason
        }
    }
}
