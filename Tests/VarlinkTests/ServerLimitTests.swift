import Glibc
import Testing

@testable import Varlink

/// What ends a connection, and that nothing else does.
@Suite(.timeLimit(.minutes(5))) struct ServerLimitTests {
    @Test(arguments: [
        "", "x", "[]", "1", "{", "{}", #"{"method":1}"#, #"{"method":null}"#, #"{"method":""}"#, #"{"parameters":{}}"#,
        #"{"method":"org.example.lab.Echo","parameters":[]}"#, #"{"method":"org.example.lab.Echo","parameters":"{}"}"#,
        #"{"method":"org.example.lab.Echo","more":1}"#, #"{"method":"org.example.lab.Echo","more":"true"}"#,
        #"{"method":"org.example.lab.Echo","oneway":null}"#, #"{"method":"org.example.lab.Echo","upgrade":{}}"#,
        #"{"method":"org.example.lab.Echo","more":true,"oneway":true}"#,
        #"{"method":"org.example.lab.Echo","other":1}"#,
        #"{"method":"org.example.lab.Echo","method":"org.example.lab.Echo"}"#,
        #"{"method":"org.example.lab.Echo","parameters":{"text":"x","text":"x"}}"#,
        #"{"method":"org.example.lab.Echo","parameters":{"text":"\ud800"}}"#,
        #"{"method":"org.example.lab.Echo","parameters":{"text":\#(String(repeating: "[", count: 31))\#(String(repeating: "]", count: 31))}}"#,
    ]) func closesWhatSendsNoCallAndServesTheOthers(_ frame: String) async throws {
        try await Lab.run { lab in
            let (bad, other) = (try await lab.connect(), try await lab.connect())
            await bad.send(ServerTests.echo("before"), frame, ServerTests.echo("after"))
            #expect(await bad.receive() == #"{"parameters":{"text":"before"}}"#)
            #expect(await bad.receive() == nil)
            #expect(await other.call(ServerTests.echo("other")) == #"{"parameters":{"text":"other"}}"#)
        }
    }

    @Test func takes32Levels() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            let nested = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
            let reply = await wire.call(#"{"method":"org.example.lab.Echo","parameters":{"text":\#(nested)}}"#)
            #expect(reply == ServerTests.invalid("text"))
        }
    }

    @Test(arguments: [true, false]) func takesACallOfOneMebibyteAndNoMore(fits: Bool) async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            let room = Server.frameLimit - ServerTests.echo("").utf8.count
            let text = String(repeating: "x", count: fits ? room : room + 1)
            let reply = await wire.call(ServerTests.echo(text))
            #expect(reply == (fits ? #"{"parameters":{"text":"\#(text)"}}"# : nil))
        }
    }

    @Test func closesWhatNeverEndsItsFrame() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            await wire.send(bytes: [UInt8](repeating: 32, count: Server.frameLimit + 1))
            #expect(await wire.receive() == nil)
        }
    }

    @Test func admitsOnlyWhomTheServiceAdmits() async throws {
        try await Lab.run(admits: { $0 != Peer(pid: getpid(), uid: getuid(), gid: getgid()) }) { lab in
            let wire = try await lab.connect()
            #expect(await wire.receive() == nil)
        }
    }

    @Test func holdsAThousandIdleConnectionsOfOneProcess() async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try await Lab.run { lab in
            var wires: [Wire] = []
            for _ in 0..<Server.connectionLimitPerProcess { wires.append(try await lab.connect()) }
            let another = try await lab.connect()
            #expect(await another.receive() == nil)
            for index in [0, 500, 999, 1023] {
                #expect(await wires[index].call(ServerTests.echo("x")) == #"{"parameters":{"text":"x"}}"#)
            }
            wires.removeLast()
            while await lab.server.connectionCount == Server.connectionLimitPerProcess { await Task.yield() }
            let next = try await lab.connect()
            #expect(await next.call(ServerTests.echo("x")) != nil)
        }
    }

    @Test func dropsAClientThatDoesNotReadItsReplies() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            await wire.send(#"{"method":"org.example.lab.Count","parameters":{"to":200000},"more":true}"#)
            while await lab.server.connectionCount > 0 { await Task.yield() }
            var last: String?
            while let frame = await wire.receive() { last = frame }
            #expect(last?.hasSuffix(#""continues":true}"#) == true)
        }
    }

    @Test func dropsAClientThatStopsReadingAndGoesOnWriting() async throws {
        try await Lab.run { lab in
            let (bad, other) = (try await lab.connect(), try await lab.connect())
            shutdown(bad.descriptor, Int32(SHUT_RD))
            async let writing: Void = {
                let chunk = [UInt8](repeating: 32, count: 65536)
                await bad.send(ServerTests.echo("x"))
                // Ends when the other end is closed.
                while case let count = send(bad.descriptor, chunk, chunk.count, Int32(MSG_NOSIGNAL)),
                    count > 0 || errno == EAGAIN
                { await Task.yield() }
            }()
            await writing
            #expect(await other.call(ServerTests.echo("x")) == #"{"parameters":{"text":"x"}}"#)
        }
    }

    @Test func waitsForAClientThatPipelinesAndReadsLate() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            let text = String(repeating: "x", count: 100_000)
            async let sending: Void = wire.send(
                bytes: (0..<20).flatMap { _ in Array(ServerTests.echo(text).utf8) + [0] })
            for _ in 0..<20 { #expect(await wire.receive() == #"{"parameters":{"text":"\#(text)"}}"#) }
            await sending
        }
    }
}
