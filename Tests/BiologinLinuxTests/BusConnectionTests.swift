import Testing

@testable import BiologinLinux

@Suite(.timeLimit(.minutes(5))) struct BusConnectionTests {
    @Test @GLibThread func tellsOnlyWhoStillListensThatItIsClosed() async throws {
        let connection = try await PrivateBus().connect()
        let (events, sink) = AsyncStream.makeStream(of: String.self)
        var left: BusSubscription? = connection.onClose { sink.yield("left") }
        let staying = connection.onClose { sink.yield("staying") }
        withExtendedLifetime(left) {}
        left = nil
        connection.close()
        #expect(await events.next() == "staying")
        withExtendedLifetime(staying) {}
    }
}
