import BiologinCore
import TestSupport

@testable import BiologinLinux

/// The desktop's stand-in for logind, alone on a bus.
@GLibThread final class LogindStandIn {
    let program: Program
    private let connection: BusConnection

    /// Returns once it has its name.
    init(on bus: PrivateBus) async throws {
        connection = try await bus.connect()
        let (owners, sink) = AsyncStream.makeStream(of: String?.self)
        let subscription = connection.onOwnerChange(of: LogindService.name) { sink.yield($0) }
        program = try await Self.start(on: bus.address)
        for await owner in owners where owner != nil { break }
        withExtendedLifetime(subscription) {}
    }

    /// Away from the loop, which everybody else would wait for.
    @concurrent private nonisolated static func start(on bus: String) async throws -> Program {
        try Program(
            "/usr/bin/python3", ["-B", BuiltProgram.root + "/Tests/TestSupport/parts/logind.py"],
            environment: Program.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus]) { $1 })
    }

    /// A control command, without its `logind`; its answer.
    @discardableResult func command(_ words: String...) async throws -> String {
        try await command(words)
    }

    @discardableResult func command(_ words: [String]) async throws -> String {
        let control = BusObject(
            destination: LogindService.name, path: "/org/freedesktop/login1", interface: "org.biologin.StandIn")
        let reply = try await connection.call(
            control, "Do", .tuple(.array(of: "s", words.map(Variant.string))), reply: "(s)", within: .seconds(20))
        return reply[0]?.string ?? ""
    }
}

extension Logind {
    /// Runs `body` while logind is followed.
    nonisolated func whileRunning(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// The next event.
    nonisolated func next() async -> Heard? {
        switch await events().next() {
        case .changed(let state): .changed(state)
        case .sleeping: .sleeping
        case nil: nil
        }
    }

    enum Heard: Equatable { case changed(SeatState), sleeping }
}
