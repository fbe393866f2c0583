import Testing

@testable import BiologinCore

@Suite struct AccountTests {
    @Test(arguments: ["", "mail", "org.example mail", "org.exämple", "org/example.mail", "a.b\n"])
    func anApplicationIsAReverseDNSName(_ application: String) {
        #expect(throws: LoginError.invalidParameter("application")) {
            try AccountID(application: application, uid: "ada")
        }
    }

    @Test func limitsAreExact() throws {
        _ = try AccountID(
            application: "a." + String(repeating: "b", count: 253), uid: String(repeating: "u", count: 256))
        #expect(throws: LoginError.self) {
            try AccountID(application: "a." + String(repeating: "b", count: 254), uid: "u")
        }
        #expect(throws: LoginError.self) { try AccountID(application: "a.b", uid: String(repeating: "é", count: 129)) }
        #expect(throws: LoginError.invalidParameter("uid")) { try AccountID(application: "a.b", uid: "") }
        // A name of 256 scalars that are far fewer characters.
        let name = String(repeating: "e\u{301}", count: 128)
        _ = try UserInfo(userName: name, nickName: nil, icon: nil, countryCode: nil)
        #expect(throws: LoginError.self) {
            try UserInfo(userName: name + "x", nickName: nil, icon: nil, countryCode: nil)
        }
    }

    @Test(arguments: [
        ("https://example.org/a.png", true), ("file:/a", true), ("data:,x", true), ("http://a", false), ("x", false),
        ("", false), ("javascript:alert(1)", false),
    ])
    func aPictureIsReadByHttpsFileOrData(_ icon: String, _ allowed: Bool) {
        let made = try? UserInfo(userName: nil, nickName: nil, icon: icon, countryCode: nil)
        #expect((made != nil) == allowed)
    }
}
