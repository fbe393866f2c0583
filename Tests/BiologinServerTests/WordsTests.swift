import BiologinAPI
import BiologinCore
import Testing

@testable import BiologinServer

@Suite struct WordsTests {
    @Test func applicationAndAccountMustAgree() throws {
        let account = BiologinAPI.AccountID(application: "org.example.mail", uid: "ada")
        _ = try AccountSelector(application: "org.example.mail", account: account)
        #expect(throws: LoginError.invalidParameter("application")) {
            try AccountSelector(application: "org.example.chat", account: account)
        }
    }

    @Test func aFieldOfAnAccountIsNamedWithItsPath() {
        #expect(throws: LoginError.invalidParameter("account.uid")) {
            try AccountSelector(application: nil, account: BiologinAPI.AccountID(application: "a.b", uid: ""))
        }
        #expect(throws: LoginError.invalidParameter("account.application")) {
            try AccountSelector(application: nil, account: BiologinAPI.AccountID(application: "ab", uid: "x"))
        }
    }
}
