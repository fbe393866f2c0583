import BiologinAPI
import BiologinCore

/// The one place where what went wrong becomes what callers are told: a promised code, words for people, and what they
/// can do. No detail of a fault leaks.
enum Refusal {
    static func of(_ error: LoginError) -> LoginFailure {
        switch error {
        case .notOpen:
            LoginFailure(
                .biometricLoginNotOpen, message: "biometric login is not open for this account",
                remedy: "sign in with the password, then open it")
        case .informationModified(let change):
            LoginFailure(
                .biometricLoginInfoModified, message: words(for: change),
                remedy: "sign in with the password, then open biometric login again",
                detail: change.map { .change(name(of: $0)) })
        case .authenticationFailed:
            LoginFailure(
                .authenticationFailed, message: "the finger was not recognized",
                remedy: "try again with an enrolled finger, or sign in with the password")
        case .userCancel: LoginFailure(.userCancel, message: "the verification was dismissed")
        case .userFallback: LoginFailure(.userFallback, message: "the password is wanted instead")
        case .systemCancel, .cancelled:
            LoginFailure(
                .systemCancel,
                message: "ended by the system: the session was locked, or the computer sleeps or shuts down",
                remedy: "try again when the session is in use")
        case .passcodeNotSet:
            LoginFailure(
                .passcodeNotSet, message: "there is no login password to fall back to",
                remedy: "verify with an enrolled finger")
        case .notAvailable(let availability):
            LoginFailure(
                .biometryNotAvailable, message: words(for: availability), remedy: remedy(for: availability),
                detail: .availability(BiologinAPI.Availability(availability)))
        case .notEnrolled:
            LoginFailure(.biometryNotEnrolled, message: "no finger is enrolled", remedy: "run fprintd-enroll")
        case .lockedOut(let seconds):
            LoginFailure(
                .biometryLockout, message: "too many failed attempts", remedy: "try again in \(seconds) s",
                detail: .retryAfterSeconds(seconds))
        case .superseded: LoginFailure(.appCancel, message: "the account was closed or opened anew meanwhile")
        case .notInteractive: LoginFailure(.notInteractive, message: "there is nobody who can be asked")
        case .busy(let holder):
            LoginFailure(
                .busy,
                message: holder == nil ? "another program uses the reader" : "too many wait for the reader already",
                remedy: "try again in a moment", detail: holder.map { .holder(BiologinAPI.Caller($0)) })
        case .timedOut(let part): LoginFailure(.timedOut, message: words(for: part), remedy: remedy(for: part))
        case .keyring(let error): keyring(error)
        case .keyDamaged(let reason):
            LoginFailure(
                .keyDamaged, message: words(for: reason), remedy: "sign in with the password, then open it again")
        case .deviceKeyUnavailable:
            LoginFailure(
                .deviceKeyUnavailable, message: "the device key cannot be had",
                remedy: "put the file device-key back from a backup, or close every account and open it again")
        case .enrollmentUnknown:
            LoginFailure(
                .enrollmentUnknown, message: "the enrolled fingers cannot be read now", remedy: "try again in a moment")
        case .limitExceeded(let limit):
            LoginFailure(.limitExceeded, message: "a limit was exceeded (\(limit))", detail: .limit(limit))
        case .notPermitted(let reason): LoginFailure(.notPermitted, message: "not permitted: \(reason)")
        case .state:
            LoginFailure(
                .internal, message: "what biologind keeps cannot be written: its disk may be full, or read-only",
                remedy: "make room; the daemon's log names the file")
        case .stateUnreadable(let file):
            LoginFailure(
                .internal, message: "the file \(file) of the state directory is damaged, missing, or open to others",
                remedy: "put it back from a backup" + (file == "generation" ? "" : ", or remove it")
                    + "; then start biologind again")
        case .invalidParameter, .internal:
            LoginFailure(.internal, message: "a fault of the daemon", remedy: "look at the daemon's log")
        }
    }

    private static func keyring(_ error: StoreError) -> LoginFailure {
        switch error {
        case .unavailable:
            LoginFailure(
                .keyringUnavailable, message: "there is no keyring that can be used",
                remedy: "start a Secret Service, such as gnome-keyring")
        case .failed:
            LoginFailure(
                .keyringUnavailable, message: "the keyring could not do it",
                remedy: "look at the daemon's log: its disk may be full")
        case .locked:
            LoginFailure(
                .keyringLocked, message: "the keyring is locked and was not unlocked", remedy: "unlock the keyring")
        case .passwordLost:
            LoginFailure(
                .keyringLocked, message: "the password of the keyring's collection Biologin is lost",
                remedy: "put the file collection-password back from a backup, or delete it and the collection, then "
                    + openAnew)
        case .passwordRefused:
            LoginFailure(
                .keyringLocked,
                message: "the keyring's collection Biologin has another password than the one that is kept",
                remedy: "put the collection back from a backup, or delete it, then " + openAnew)
        case .changed:
            LoginFailure(
                .keyringChanged, message: "another keyring than before answers",
                remedy: "start the one that was used, or open biometric login again after closing it")
        case .corrupts:
            LoginFailure(
                .keyringCorrupts, message: "the keyring gave back something else than was put in",
                remedy: "update the keyring, or use another; what was open before is still open")
        case .silent, .cancelled: LoginFailure(.timedOut, message: words(for: .keyring), remedy: remedy(for: .keyring))
        }
    }

    private static let openAnew = "close biometric login and open it again"

    private static func words(for part: LoginError.Part) -> String {
        switch part {
        case .touch: "nobody touched the reader"
        case .reader: "the reader did not answer"
        case .keyring: "the keyring did not answer"
        }
    }

    private static func remedy(for part: LoginError.Part) -> String {
        switch part {
        case .touch: "try again"
        case .reader: "try again in a moment; if it stays so, run systemctl restart fprintd"
        case .keyring: "try again in a moment; if it stays so, restart the keyring"
        }
    }

    private static func words(for reason: LoginError.DamageReason) -> String {
        switch reason {
        case .damaged: "the stored key is damaged"
        case .unknownVersion: "the stored key was written by another version of this program"
        case .rolledBack: "the stored key is an earlier one"
        }
    }

    private static func name(of change: TemplateChange) -> String {
        switch change {
        case .added: "added"
        case .removed: "removed"
        case .allRemoved: "allRemoved"
        case .enrolledAnew: "enrolledAnew"
        case .server: "server"
        }
    }

    private static func words(for change: TemplateChange?) -> String {
        switch change {
        case .added: "a finger was added since biometric login was opened"
        case .removed: "a finger was removed since biometric login was opened"
        case .allRemoved: "all fingers were removed since biometric login was opened"
        case .enrolledAnew: "a finger was enrolled anew since biometric login was opened"
        case .server: "the login server takes the key no longer"
        case nil: "the enrolled fingers changed since biometric login was opened"
        }
    }

    private static func words(for availability: BiologinCore.Availability) -> String {
        switch availability {
        case .ready: "the reader cannot be used"
        case .notEnrolled: "no finger is enrolled"
        case .noDevice: "there is no fingerprint reader"
        case .busy: "the reader is in use"
        case .notLocal: "the session is locked, inactive or remote"
        case .inaccessible: "the reader is out of reach: the lid is closed"
        case .permissionDenied: "using the reader is not allowed here"
        case .lockedOut: "too many failed attempts"
        case .unavailable: "the reader cannot be used"
        case .silent: words(for: .reader)
        }
    }

    private static func remedy(for availability: BiologinCore.Availability) -> String? {
        switch availability {
        case .ready, .busy, .lockedOut: "try again in a moment"
        case .notEnrolled: "run fprintd-enroll"
        case .noDevice: "connect a reader that fprintd knows"
        case .notLocal: "unlock the session, and use it at the computer itself"
        case .inaccessible: "open the lid"
        case .permissionDenied: "use an active local session, or ask the administrator for a polkit rule"
        case .unavailable, .silent: "run systemctl status fprintd"
        }
    }
}
