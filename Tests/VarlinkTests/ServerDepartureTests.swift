import Glibc
import Testing

@testable import Varlink

/// What becomes of calls when the client, or the server, goes.
@Suite(.timeLimit(.minutes(5))) struct ServerDepartureTests {
    private static let wait = #"{"method":"org.example.lab.Wait"}"#

    @Test func cancelsTheCallOfAClientThatHangsUp() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            var events = lab.service.events.makeAsyncIterator()
            await wire.send(Self.wait, ServerTests.echo("never"), Self.oneway)
            #expect(await events.next() == "org.example.lab.Wait")
            wire.hangUp()
            #expect(await events.next() == "canceled")
            #expect(await events.next() == "org.example.lab.Count")
        }
    }

    private static let oneway = #"{"method":"org.example.lab.Count","parameters":{"to":1},"oneway":true}"#

    @Test func runsTheOnewayCallsOfAClientThatIsGone() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            var events = lab.service.events.makeAsyncIterator()
            for _ in 0..<100 { await wire.send(Self.oneway) }
            wire.hangUp()
            for _ in 0..<100 { #expect(await events.next() == "org.example.lab.Count") }
        }
    }

    @Test func noticesAHangUpBehindCallsThatAreNotReadYet() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            var events = lab.service.events.makeAsyncIterator()
            await wire.send(Self.wait)
            #expect(await events.next() == "org.example.lab.Wait")
            await wire.send(ServerTests.echo(String(repeating: "x", count: 2 * Server.unreadLimit)))
            wire.hangUp()
            #expect(await events.next() == "canceled")
        }
    }

    @Test func readsNoFurtherThanItMustWhileACallRuns() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            var events = lab.service.events.makeAsyncIterator()
            await wire.send(Self.wait)
            #expect(await events.next() == "org.example.lab.Wait")
            let chunk = [UInt8](repeating: 32, count: 65536)
            var sent = 0
            while case let count = write(wire.descriptor, chunk, chunk.count), count > 0 {
                sent += count
                await lab.server.isIdle()
            }
            // What is read, and what the socket holds.
            #expect(sent < 1 << 20)
        }
    }

    @Test func dropsAClientThatTakesNoReplies() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            shutdown(wire.descriptor, Int32(SHUT_RD))
            await wire.send(ServerTests.echo("x"))
            while await lab.server.connectionCount > 0 { await Task.yield() }
        }
    }

    @Test func answersWhatWasSentBeforeAHalfClose() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            await wire.send(ServerTests.echo("1"), ServerTests.echo("2"))
            await wire.send(bytes: Array("{".utf8))
            wire.endOfSending()
            #expect(await wire.receive() == #"{"parameters":{"text":"1"}}"#)
            #expect(await wire.receive() == #"{"parameters":{"text":"2"}}"#)
            #expect(await wire.receive() == nil)
        }
    }

    @Test func letsACallRunOnAfterAHalfClose() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            var events = lab.service.events.makeAsyncIterator()
            await wire.send(Self.wait)
            wire.endOfSending()
            #expect(await events.next() == "org.example.lab.Wait")
            #expect(await lab.server.connectionCount == 1)
            await lab.server.stop()
            #expect(await wire.receive() == #"{"parameters":{"canceled":true}}"#)
            #expect(await wire.receive() == nil)
        }
    }

    @Test func stopsWithTheLastReplySent() async throws {
        try await Lab.run { lab in
            let (waiting, idle) = (try await lab.connect(), try await lab.connect())
            var events = lab.service.events.makeAsyncIterator()
            await waiting.send(Self.wait, ServerTests.echo("never"))
            #expect(await events.next() == "org.example.lab.Wait")
            await lab.server.stop()
            #expect(await waiting.receive() == #"{"parameters":{"canceled":true}}"#)
            #expect(await waiting.receive() == nil)
            #expect(await idle.receive() == nil)
            let another = try await lab.connect()
            #expect(await another.receive() == nil)
        }
    }

    @Test func servesOthersWhileACallRuns() async throws {
        try await Lab.run { lab in
            let (waiting, other) = (try await lab.connect(), try await lab.connect())
            await waiting.send(Self.wait)
            #expect(await other.call(ServerTests.echo("x")) == #"{"parameters":{"text":"x"}}"#)
        }
    }
}
