internal import BiologinAPI
internal import BiologinClient

/// What biologinctl tells scripts. A number never changes its meaning; those from 64 on are sysexits.h's.
enum ExitStatus: Int32 {
    case success = 0
    case notOpen = 10
    case informationModified = 11
    case authenticationFailed = 12
    case canceled = 13
    case lockedOut = 14
    /// No reader, no finger, no password, or nobody to ask.
    case cannotVerify = 15
    case keyring = 16
    case busy = 17
    case server = 18
    case usage = 64
    case noDaemon = 69
    case fault = 70
    case cannotWrite = 74
    case notPermitted = 77

    init(_ kind: BiometricLoginError.Kind) {
        switch kind {
        case .login(let name): self.init(name)
        case .invalidParameter: self = .usage
        case .notRunning, .connectionLost: self = .noDaemon
        case .canceled: self = .canceled
        case .notUnderstood: self = .fault
        }
    }

    init(_ name: LoginErrorName) {
        self =
            switch name {
            case .biometricLoginNotOpen: .notOpen
            case .biometricLoginInfoModified: .informationModified
            case .authenticationFailed: .authenticationFailed
            case .userCancel, .systemCancel, .appCancel, .userFallback: .canceled
            case .biometryLockout: .lockedOut
            case .biometryNotAvailable, .biometryNotEnrolled, .passcodeNotSet, .notInteractive, .enrollmentUnknown:
                .cannotVerify
            case .keyringUnavailable, .keyringLocked, .keyringChanged, .keyringCorrupts: .keyring
            case .busy, .timedOut: .busy
            case .serverRejected, .serverUnreachable: .server
            case .limitExceeded: .usage
            case .keyDamaged, .deviceKeyUnavailable, .internal: .fault
            case .notPermitted: .notPermitted
            }
    }
}
