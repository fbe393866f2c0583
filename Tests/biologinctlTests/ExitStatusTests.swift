import BiologinAPI
import BiologinClient
import Testing

@testable import biologinctl

struct ExitStatusTests {
    static let table: [LoginErrorName: Int32] = [
        .biometricLoginNotOpen: 10, .biometricLoginInfoModified: 11, .authenticationFailed: 12, .userCancel: 13,
        .systemCancel: 13, .appCancel: 13, .userFallback: 13, .biometryLockout: 14, .biometryNotAvailable: 15,
        .biometryNotEnrolled: 15, .passcodeNotSet: 15, .notInteractive: 15, .enrollmentUnknown: 15,
        .keyringUnavailable: 16, .keyringLocked: 16, .keyringChanged: 16, .keyringCorrupts: 16, .busy: 17,
        .timedOut: 17, .serverRejected: 18, .serverUnreachable: 18, .limitExceeded: 64, .keyDamaged: 70,
        .deviceKeyUnavailable: 70, .internal: 70, .notPermitted: 77,
    ]

    @Test(arguments: LoginErrorName.allCases) func isOneForEachError(_ name: LoginErrorName) {
        #expect(ExitStatus(.login(name)).rawValue == Self.table[name])
    }

    @Test(arguments: [
        (BiometricLoginError.Kind.invalidParameter("uid"), Int32(64)), (.notRunning, 69), (.connectionLost, 69),
        (.canceled, 13), (.notUnderstood, 70),
    ]) func isOneForEachKind(_ kind: BiometricLoginError.Kind, _ status: Int32) {
        #expect(ExitStatus(kind).rawValue == status)
    }
}
