import BiologinCore
import Foundation
import TestSupport
import Testing

@testable import BiologinLinux

/// What the daemon makes of a helper that answers, does not, or is not the real one.
@Suite(.realParts, .timeLimit(.minutes(5))) struct EnrollmentHelperTests {
    private static let digest = [UInt8](0..<32)
    private static let good = reply(digest)

    private static func reply(_ digest: [UInt8], version: Int = 1) -> String {
        #"{"parameters":{"digest":"\#(Data(digest).base64EncodedString())","templates":1,"version":\#(version)}}"#
    }

    /// One that waits for as long as a busy computer may need.
    private func helper(_ path: String, _ clock: SetClock = SetClock()) -> EnrollmentHelper {
        EnrollmentHelper(path: path, clock: clock, limit: .seconds(20))
    }

    @Test func answersWithTheDigest() async {
        let service = CannedDaemon(.reply(Self.good))
        #expect(await helper(service.path).digest() == Self.digest)
        #expect(await service.nextCall()?.contains("org.biologin.Enrollment.GetDigest") == true)
        // The service may leave when nobody is connected.
        await service.end()
    }

    static let useless: [CannedDaemon.Answer] = [
        .reply(#"{"error":"org.biologin.Enrollment.TemplatesChanging","parameters":{}}"#),
        .reply(reply(Array(digest.dropLast()))), .reply(reply(digest, version: 2)), .reply(#"{"parameters":{}}"#),
        .reply("nonsense"), .departure(), .silence(),
    ]

    @Test(arguments: useless) func isSilentWithoutAnAnswerOfUse(_ answer: CannedDaemon.Answer) async {
        let service = CannedDaemon(answer)
        let helper = EnrollmentHelper(path: service.path, clock: SystemClock(), limit: .milliseconds(200))
        #expect(await helper.digest() == nil)
    }

    @Test func isSilentWithoutAService() async {
        #expect(await EnrollmentHelper(path: "/nonexistent", clock: SystemClock()).digest() == nil)
        let long = "/" + String(repeating: "x", count: 200)
        #expect(await EnrollmentHelper(path: long, clock: SystemClock()).digest() == nil)
    }

    @Test func nobodyWaitsLongerThanTheLimit() async {
        let service = CannedDaemon(.silence()), helper = EnrollmentHelper(path: service.path, clock: SystemClock())
        let time = await ContinuousClock().measure {
            await withDiscardingTaskGroup { group in
                for _ in 0..<8 { group.addTask { #expect(await helper.digest() == nil) } }
            }
        }
        #expect(time >= .seconds(1) && time < .seconds(20))
    }

    @Test func manyWhoAskAtOnceAreOneCall() async {
        let service = CannedDaemon(.reply(Self.good))
        let helper = helper(service.path)
        await withDiscardingTaskGroup { group in
            for _ in 0..<20 { group.addTask { #expect(await helper.digest() == Self.digest) } }
        }
    }

    @Test func anAnswerIsGoodForASecond() async {
        let other = Self.digest.reversed() as [UInt8]
        let service = CannedDaemon(.reply(Self.good), .reply(Self.reply(other)))
        let clock = SetClock(), helper = helper(service.path, clock)
        #expect(await helper.digest() == Self.digest)
        clock.time.withLock { $0 = .milliseconds(999) }
        #expect(await helper.digest() == Self.digest)
        clock.time.withLock { $0 = .milliseconds(1000) }
        #expect(await helper.digest() == other)
    }

    @Test func whoWaitsAsksAgainWhereTheFirstHasLeft() async {
        let service = CannedDaemon(.silence(), .reply(Self.good))
        let helper = helper(service.path)
        let first = Task { await helper.digest() }
        _ = await service.nextCall()
        let second = Task { await helper.digest() }
        first.cancel()
        #expect(await first.value == nil)
        #expect(await second.value == Self.digest)
    }

    @Test func onlyRootIsBelieved() async throws {
        let directory = TemporaryDirectory()
        chmod(directory.path, 0o777)
        let script = """
            import socket, sys
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(sys.argv[1])
                listener.listen()
                print("listening", flush=True)
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        while connection.recv(4096):
                            connection.sendall(sys.argv[2].encode() + b"\\0")
            """
        for (user, believed) in [("root", true), ("nobody", false)] {
            let path = "\(directory.path)/\(user)"
            let service = try Program(
                "/usr/bin/setpriv",
                ["--reuid", user, "--clear-groups", "/usr/bin/python3", "-c", script, path, Self.good])
            #expect(await service.output.next() == "listening")
            let answer = await helper(path).digest()
            #expect(answer == (believed ? Self.digest : nil), "\(user)")
        }
    }
}
