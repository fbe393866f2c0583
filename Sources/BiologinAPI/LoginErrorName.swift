/// The errors of the interface, by their names in its definition.
public enum LoginErrorName: String, CaseIterable, Sendable {
    /// Login before open.
    case biometricLoginNotOpen = "BiometricLoginNotOpen"
    /// The enrolled templates changed, or the server takes the key no longer: open again.
    case biometricLoginInfoModified = "BiometricLoginInfoModified"
    /// Not recognized, and the tries are used up.
    case authenticationFailed = "AuthenticationFailed"
    /// The user dismissed it.
    case userCancel = "UserCancel"
    /// The user wants the password.
    case userFallback = "UserFallback"
    /// Suspend, lock or shutdown ended it.
    case systemCancel = "SystemCancel"
    /// No login password to fall back to.
    case passcodeNotSet = "PasscodeNotSet"
    /// No reader that can be used now.
    case biometryNotAvailable = "BiometryNotAvailable"
    /// No finger is enrolled.
    case biometryNotEnrolled = "BiometryNotEnrolled"
    /// Too many failures.
    case biometryLockout = "BiometryLockout"
    /// The account was closed or opened anew meanwhile.
    case appCancel = "AppCancel"
    /// Nobody can be asked: no seat, no agent.
    case notInteractive = "NotInteractive"
    /// The reader or the queue is taken.
    case busy = "Busy"
    /// Nobody touched the reader, or a part did not answer.
    case timedOut = "TimedOut"
    /// No Secret Service, or no collection.
    case keyringUnavailable = "KeyringUnavailable"
    /// Locked, and not unlocked by the user within 60 s.
    case keyringLocked = "KeyringLocked"
    /// Another Secret Service than before answers.
    case keyringChanged = "KeyringChanged"
    /// What was read back is not what was written.
    case keyringCorrupts = "KeyringCorrupts"
    /// The sealed record does not open: changed, cut or rolled back.
    case keyDamaged = "KeyDamaged"
    /// The device key cannot be had.
    case deviceKeyUnavailable = "DeviceKeyUnavailable"
    /// The enrolled templates cannot be read now.
    case enrollmentUnknown = "EnrollmentUnknown"
    /// The login server refused the key.
    case serverRejected = "ServerRejected"
    /// The login server did not answer as it should.
    case serverUnreachable = "ServerUnreachable"
    /// A documented limit.
    case limitExceeded = "LimitExceeded"
    /// Not for this caller.
    case notPermitted = "NotPermitted"
    /// A fault of the daemon.
    case `internal` = "Internal"

    /// The name it is sent under: "org.biologin.Login.Busy".
    package var qualifiedName: String { "\(LoginInterface.name).\(rawValue)" }

    /// Nil if `qualifiedName` names no error of this interface.
    package init?(qualifiedName: String) {
        guard let name = Self.allCases.first(where: { $0.qualifiedName == qualifiedName }) else { return nil }
        self = name
    }

    /// The number front ends know the error by: those of LocalAuthentication and of the modelled manager, then our own.
    public var code: Int {
        switch self {
        case .biometricLoginNotOpen: -5001
        case .biometricLoginInfoModified: -5002
        case .authenticationFailed: -1
        case .userCancel: -2
        case .userFallback: -3
        case .systemCancel: -4
        case .passcodeNotSet: -5
        case .biometryNotAvailable: -6
        case .biometryNotEnrolled: -7
        case .biometryLockout: -8
        case .appCancel: -9
        case .notInteractive: -1004
        case .busy: -6001
        case .timedOut: -6002
        case .keyringUnavailable: -6003
        case .keyringLocked: -6004
        case .keyringChanged: -6005
        case .keyringCorrupts: -6006
        case .keyDamaged: -6007
        case .deviceKeyUnavailable: -6008
        case .enrollmentUnknown: -6009
        case .serverRejected: -6010
        case .serverUnreachable: -6011
        case .limitExceeded: -6012
        case .notPermitted: -6013
        case .internal: -6014
        }
    }
}
