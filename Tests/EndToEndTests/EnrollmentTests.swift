import BiologinAPI
import TestSupport
import Testing

/// The digest of what the real fprintd writes.
@Suite(.realParts, .timeLimit(.minutes(5))) struct EnrollmentTests {
    private func digest(_ helper: EnrollmentProgram) async throws -> String {
        let reply = try await RawClient(helper.socket).call("org.biologin.Enrollment.GetDigest")
        return try #require(reply.parameters["digest"] as? String, "\(reply.object)")
    }

    @Test func aFingerEnrolledAnewIsAnotherDigest() async throws {
        let desktop = try await Desktop(reader: .host), helper = try await EnrollmentProgram(on: desktop)
        let nobody = try await digest(helper)
        try await desktop.enroll(print: "A")
        let first = try await digest(helper)
        #expect(first != nobody)
        try await desktop.delete("right-index-finger")
        #expect(try await digest(helper) == nobody)
        try await desktop.enroll(print: "B")
        let anew = try await digest(helper)
        #expect(anew != first)
        #expect(anew != nobody)
        try await desktop.enroll("left-thumb", print: "C")
        #expect(try await digest(helper) != anew)
    }

    @Test func verificationsAndRestartsChangeNothing() async throws {
        let bench = try await Bench(reader: .host), helper = try await EnrollmentProgram(on: bench.desktop)
        let first = try await digest(helper)
        try await bench.open()
        #expect(try await bench.login().error == nil)
        #expect(try await digest(helper) == first)
        try await bench.desktop.restart(.fprintd)
        #expect(try await bench.login().error == nil)
        #expect(try await digest(helper) == first)
        await helper.kill()
        let again = try await EnrollmentProgram(on: bench.desktop)
        #expect(try await digest(again) == first)
    }
}
