import BiologinAPI
import Foundation
import Testing

@testable import BiologinEnrollment

/// Something done to one user's directory, by what it is called.
struct Deed: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let body: @Sendable (Prints) throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Prints) throws -> Void) {
        (testDescription, self.body) = (description, body)
    }
}

@Suite struct TemplateDigestTests {
    static let changes = [
        Deed("another byte") { try $0.write("onf", to: "\($0.user)/driver/0/7") },
        Deed("a byte more") { try $0.write("one ", to: "\($0.user)/driver/0/7") },
        Deed("a byte less") { try $0.write("on", to: "\($0.user)/driver/0/7") },
        Deed("emptied") { try $0.write("", to: "\($0.user)/driver/0/7") },
        Deed("another finger") { try $0.move("\($0.user)/driver/0/7", to: "\($0.user)/driver/0/6") },
        Deed("another device") { try $0.move("\($0.user)/driver/0/7", to: "\($0.user)/driver/1/7") },
        Deed("another driver") { try $0.move("\($0.user)/driver/0/7", to: "\($0.user)/other/0/7") },
        Deed("a finger added") { try $0.write("two", to: "\($0.user)/driver/0/a") },
        Deed("the same added") { try $0.write("one", to: "\($0.user)/driver/0/8") },
        Deed("a finger removed") { try $0.remove("\($0.user)/driver/0/7") },
        Deed("all removed") { try $0.remove($0.user) },
    ]

    @Test(arguments: changes) func isAnotherOneAfterAChange(_ deed: Deed) throws {
        let prints = try Prints(), before = try prints.digested()
        try deed.body(prints)
        let after = try prints.digested()
        #expect(after != before)
        #expect(after.count == EnrollmentDigest.byteCount)
    }

    static let trifles = [
        Deed("times") {
            for name in ["", "/driver", "/driver/0", "/driver/0/7"] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: $0.path($0.user + name))
            }
        },
        Deed("modes") { chmod($0.path("\($0.user)/driver/0/7"), 0o600) },
        Deed("written anew") {
            try $0.write("one", to: "\($0.user)/driver/0/draft")
            rename($0.path("\($0.user)/driver/0/draft"), $0.path("\($0.user)/driver/0/7"))
        },
        Deed("another user's") { try $0.write("one", to: "somebody/driver/0/7") },
        Deed("a file that is being written") { try $0.write("x", to: "\($0.user)/driver/0/7.A1B2C3") },
        Deed("files that are no finger's") {
            for name in ["0", "b", "A", "10", "seven", ".7"] { try $0.write("x", to: "\($0.user)/driver/0/\(name)") }
        },
        Deed("files where directories are") {
            try $0.write("x", to: "\($0.user)/7")
            try $0.write("x", to: "\($0.user)/driver/7")
        },
        Deed("directories below") { try $0.write("x", to: "\($0.user)/driver/0/more/7") },
        Deed("an empty directory") {
            try $0.write("x", to: "\($0.user)/driver/1/7")
            try $0.remove("\($0.user)/driver/1/7")
        },
    ]

    @Test(arguments: trifles) func isTheSameAfterWhatIsNoChange(_ deed: Deed) throws {
        let prints = try Prints(), before = try prints.digested()
        try deed.body(prints)
        #expect(try prints.digested() == before)
    }

    static let refusals = [
        Deed("a linked finger") { try $0.link("\($0.user)/driver/0/8", to: $0.path("\($0.user)/driver/0/7")) },
        Deed("a finger linked to nothing") { try $0.link("\($0.user)/driver/0/8", to: "/nowhere") },
        Deed("a linked device") { try $0.link("\($0.user)/driver/1", to: $0.path("\($0.user)/driver/0")) },
        Deed("a linked driver") { try $0.link("\($0.user)/other", to: $0.path("\($0.user)/driver")) },
        Deed("a linked user") {
            try $0.move($0.user, to: "elsewhere")
            try $0.link($0.user, to: $0.path("elsewhere"))
        },
        Deed("a FIFO") { mkfifo($0.path("\($0.user)/driver/0/8"), 0o600) },
        Deed("a directory") { mkdir($0.path("\($0.user)/driver/0/8"), 0o700) },
        Deed("nothing where fprintd keeps them") { try $0.remove("") },
    ]

    @Test(arguments: refusals) func thereIsNoneOfWhatCannotBeRead(_ deed: Deed) throws {
        let prints = try Prints()
        try deed.body(prints)
        let error = #expect(throws: EnrollmentFailure.self) { try prints.digested() }
        guard case .templatesUnreadable = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func countsTheTemplates() throws {
        let prints = try Prints()
        try prints.write("two", to: "\(prints.user)/driver/0/a")
        #expect(try prints.digest.digest(of: geteuid()).templates == 2)
        try prints.remove(prints.user)
        #expect(try prints.digest.digest(of: geteuid()).templates == 0)
    }

    @Test func nobodyEnrolledIsTheSameWithAndWithoutADirectory() throws {
        let prints = try Prints()
        try prints.remove("\(prints.user)/driver")
        let empty = try prints.digested()
        try prints.remove(prints.user)
        #expect(try prints.digested() == empty)
    }

    @Test func hasLimits() throws {
        let prints = try Prints(), finger = prints.path("\(prints.user)/driver/0/7")
        #expect(truncate(finger, TemplateReading.byteLimit) == 0)
        _ = try prints.digested()
        #expect(truncate(finger, TemplateReading.byteLimit + 1) == 0)
        #expect(throws: EnrollmentFailure.templatesTooLarge("16777216 bytes")) { try prints.digested() }
        try prints.write("one", to: "\(prints.user)/driver/0/7")
        // Driver, device and finger are names as well.
        for number in 0..<TemplateReading.nameLimit - 3 {
            try prints.write("", to: "\(prints.user)/driver/0/x\(number)")
        }
        _ = try prints.digested()
        try prints.write("", to: "\(prints.user)/one-more/0/x")
        #expect(throws: EnrollmentFailure.self) { try prints.digested() }
    }

    @Test func usersWithTheSameTemplatesHaveDifferentDigests() throws {
        let prints = try Prints(), name = prints.user
        let one = try #require(UserName(uid: 1, text: name)), other = try #require(UserName(uid: 2, text: name))
        let key = try prints.digest.key()
        let reading = try TemplateReading(of: one, in: prints.templates, key: key)
        #expect(reading == (try TemplateReading(of: other, in: prints.templates, key: key)))
        #expect(reading.digest(of: one, key: key) != reading.digest(of: other, key: key))
    }

    @Test(arguments: ["", ".", "..", "../other", "a/b", "/"]) func aNameThatLeadsElsewhereIsNone(_ name: String) {
        #expect(UserName(uid: 1, text: name) == nil)
    }

    @Test func aUserWithoutANameHasNone() throws {
        #expect(throws: EnrollmentFailure.unknownUser) { try Prints().digest.digest(of: 4_000_000_000) }
    }
}
