import BiologinAPI
import BiologinCore
import Testing

@testable import BiologinServer

@Suite struct RefusalTests {
    static let errors: [(LoginError, Int)] = [
        (.notOpen, -5001), (.informationModified(nil), -5002), (.informationModified(.added), -5002),
        (.authenticationFailed, -1), (.userCancel, -2), (.userFallback, -3), (.systemCancel, -4), (.cancelled, -4),
        (.passcodeNotSet, -5), (.notAvailable(.noDevice), -6), (.notEnrolled, -7), (.lockedOut(seconds: 30), -8),
        (.superseded, -9), (.notInteractive, -1004), (.busy(holder: nil), -6001), (.timedOut(.touch), -6002),
        (.keyring(.unavailable), -6003), (.keyring(.failed("disk")), -6003), (.keyring(.locked), -6004),
        (.keyring(.changed), -6005), (.keyring(.corrupts), -6006), (.keyring(.silent), -6002),
        (.keyDamaged(.unknownVersion), -6007), (.deviceKeyUnavailable("/home/ada"), -6008), (.enrollmentUnknown, -6009),
        (.limitExceeded("uid"), -6012), (.notPermitted("policy"), -6013), (.internal("/home/ada/secret"), -6014),
    ]

    @Test(arguments: errors) func everyErrorKeepsItsNumberAndSpeaksToPeople(_ error: LoginError, _ code: Int) {
        let refusal = Refusal.of(error)
        #expect(refusal.name.code == code)
        #expect(refusal.message.first?.isLowercase == true)
        #expect(refusal.message.last?.isPunctuation == false || refusal.message.hasSuffix(")"))
    }

    @Test func noDetailOfAFaultLeaks() {
        let refusal = Refusal.of(.internal("/home/ada/secret"))
        #expect(!"\(refusal)".contains("/home"))
        #expect(!"\(Refusal.of(.keyring(.failed("/home/ada"))))".contains("/home"))
    }

    @Test func changeAvailabilityAndTheTimeToWaitAreTold() {
        guard case .change("allRemoved") = Refusal.of(.informationModified(.allRemoved)).detail,
            case .retryAfterSeconds(7) = Refusal.of(.lockedOut(seconds: 7)).detail,
            case .availability(.noDevice) = Refusal.of(.notAvailable(.noDevice)).detail
        else {
            Issue.record("a detail is missing")
            return
        }
    }

    /// Who has the reader is told where it is known.
    @Test func oneWhoWaitsBehindOthersIsToldFromOneWhoseReaderAnotherProgramHas() {
        let caller = BiologinCore.Caller(
            pid: 7, executable: "/usr/bin/mail", unit: nil, sandbox: nil, strength: .path)
        let queue = Refusal.of(.busy(holder: caller)), program = Refusal.of(.busy(holder: nil))
        guard case .holder(let holder) = queue.detail, program.detail == nil else {
            Issue.record("a detail is missing, or there is one too many")
            return
        }
        #expect(holder.pid == 7 && holder.executable == "/usr/bin/mail")
        #expect(queue.message != program.message)
    }

    @Test func damageIsToldFromAnotherVersion() {
        #expect(Refusal.of(.keyDamaged(.damaged)).message != Refusal.of(.keyDamaged(.unknownVersion)).message)
    }
}
