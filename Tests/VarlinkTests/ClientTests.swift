import Glibc
import Testing

@testable import Varlink

@Suite(.timeLimit(.minutes(5))) struct ClientTests {
    @Test func callsAndReads() async throws {
        try await withClient { client, _ in
            let reply = try await client.call("org.example.lab.Echo") { $0.object { $0.field("text", "ä") } }
            #expect(!reply.continues)
            #expect(try reply.read { reader throws(ParameterError) in try Echo(from: &reader) }.text == "ä")
        }
    }

    @Test func throwsTheServersError() async throws {
        try await withClient { client, _ in
            let error = try await #require(throws: ClientError.self) {
                try await client.call("org.example.lab.Break") { $0.object { $0.field("code", 7) } }
            }
            guard case .error("org.example.lab.Broken", let reply) = error else { throw error }
            #expect(try reply.read { reader throws(ParameterError) in try reader.readOnly("code") } == 7)
        }
    }

    @Test func handsOutEachReplyOnceAndInOrder() async throws {
        try await withClient { client, _ in
            var numbers: [Int] = []
            for try await reply in client.callMore("org.example.lab.Count", { $0.object { $0.field("to", 1000) } }) {
                numbers.append(try reply.read { reader throws(ParameterError) in try reader.readOnly("number") })
                #expect(reply.continues == (numbers.count < 1000))
            }
            #expect(numbers == Array(1...1000))
        }
    }

    @Test func callsFromManyTasksAtOnce() async throws {
        try await withClient { client, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let reply = try await client.call("org.example.lab.Count") {
                            $0.object { $0.field("to", number + 1) }
                        }
                        #expect(
                            try reply.read { reader throws(ParameterError) in try reader.readOnly("number") } == number
                                + 1)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func cancelsTheCallOnTheServerWhenItsTaskIsCanceled() async throws {
        try await withClient { client, lab in
            var events = lab.service.events.makeAsyncIterator()
            let waiting = Task { try await client.call("org.example.lab.Wait") }
            #expect(await events.next() == "org.example.lab.Wait")
            waiting.cancel()
            #expect(await events.next() == "canceled")
            await expectLost { try await waiting.value }
            await expectLost { try await client.call("org.example.lab.Wait") }
        }
    }

    @Test func closesWhenNobodyWantsTheRepliesAnyMore() async throws {
        try await withClient { client, lab in
            var events = lab.service.events.makeAsyncIterator()
            do {
                let replies = client.callMore("org.example.lab.Wait")
                #expect(await events.next() == "org.example.lab.Wait")
                withExtendedLifetime(replies) {}
            }
            #expect(await events.next() == "canceled")
        }
    }

    @Test func losesAllItsCallsWithTheConnection() async throws {
        try await withClient { client, lab in
            let calls = (0..<3).map { _ in client.callMore("org.example.lab.Wait") }
            client.close()
            for call in calls { await expectLost { for try await _ in call {} } }
        }
    }

    @Test func sendsAOnewayCall() async throws {
        try await withClient { client, lab in
            var events = lab.service.events.makeAsyncIterator()
            client.callOneway("org.example.lab.Dream")
            #expect(await events.next() == "org.example.lab.Dream")
        }
    }

    @Test func saysWhyThereIsNoServer() async throws {
        for (path, code) in [
            ("/nowhere/x", ENOENT), (String(repeating: "x", count: 108), ENAMETOOLONG), ("/dev/null", ECONNREFUSED),
        ] {
            let error = await #expect(throws: ClientError.self) { try await Client.connect(to: path) }
            #expect(error?.kind == "no server: \(code)")
        }
    }

    @Test @MainActor func blocksNobodyWhileTheServerIsBehindWithAccepting() async throws {
        try await Lab.withListener(backlog: 0) { listener, path in
            let first = try await Client.connect(to: path)
            let second = Task { @MainActor in try await Client.connect(to: path) }
            await Task.yield()
            let accepted = Wire(accept(listener, nil, nil))
            try await second.value.close()
            first.close()
            #expect(await accepted.receive() == nil)
        }
    }

    @Test(arguments: [
        "x", "[]", #"{"parameters":[]}"#, #"{"parameters":{},"continues":true}"#, #"{"error":1}"#, #"{"other":1}"#,
        #"{"error":"a.b","continues":true}"#, #"{"parameters":{"x":"\#(String(repeating: "x", count: 1000))"}}"#,
    ]) func refusesWhatIsNoReply(_ frame: String) async throws {
        let (client, wire) = try await connected()
        let call = Task { try await client.call("a.b") }
        #expect(await wire.receive() == #"{"method":"a.b","parameters":{}}"#)
        await wire.send(frame)
        let error = await #expect(throws: ClientError.self) { try await call.value }
        #expect(error?.kind == "malformed reply")
        #expect(await wire.receive() == nil)
    }

    @Test(arguments: ["{}", #"{"parameters":null}"#, #"{"parameters":{}}"#]) func takesAReplyWithoutParameters(
        _ frame: String
    ) async throws {
        let (client, wire) = try await connected()
        let call = Task { try await client.call("a.b") }
        _ = await wire.receive()
        await wire.send(frame)
        try await call.value.read { reader throws(ParameterError) in
            try reader.readObject { name, _ throws(ParameterError) in throw ParameterError(name) }
        }
    }

    /// A client, and its server's end in the hands of the test.
    private func connected() async throws -> (Client, Wire) {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (try await Client.connected(ends[0], replyLimit: 1000), Wire(ends[1]))
    }

    private func withClient(_ body: (Client, Lab) async throws -> Void) async throws {
        try await Lab.run { lab in
            try await lab.withSocket { path in try await body(try await Client.connect(to: path), lab) }
        }
    }

    private func expectLost<R>(_ body: () async throws -> R) async {
        let error = await #expect(throws: ClientError.self) { _ = try await body() }
        #expect(error?.kind == "connection lost")
    }
}

extension ClientError {
    fileprivate var kind: String {
        switch self {
        case .noServer(let code): "no server: \(code)"
        case .connectionLost: "connection lost"
        case .malformedReply: "malformed reply"
        case .error(let name, _): name
        }
    }
}
