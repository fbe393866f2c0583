import Foundation
import TestSupport
import Testing

/// Buses that are not there, come later, and are restarted under one and the same daemon.
@Suite(.realParts, .timeLimit(.minutes(5))) struct BusFaultTests {
    private static let login = ["localizedReason": "log in"]

    @Test func theSessionBusMayComeLateAndGoAndComeBack() async throws {
        let bench = try await Bench(
            options: { _ in ["--verify-timeout", "2"] },
            before: { desktop in
                try await desktop.end(.keyring)
                try await desktop.end(.sessionBus)
            })
        let desktop = bench.desktop, client = try bench.client()
        let began = ContinuousClock.now
        let refusal = try await client.call("Open", Bench.opening())
        #expect(refusal.error == "KeyringUnavailable", "\(refusal.object)")
        #expect(try await client.call("GetStatus").parameters["secretService"] == nil)
        #expect(ContinuousClock.now - began < .seconds(4), "there is nothing to wait for")
        try await desktop.start(.sessionBus)
        try await desktop.start(.keyring)
        try await bench.open()

        let waiting = try await bench.waiting("Login", Self.login)
        try await desktop.kill(.sessionBus)
        let used = processorTime(of: bench.daemon)
        #expect(try await waiting.receive().error == "TimedOut")
        #expect(processorTime(of: bench.daemon) - used < .seconds(1), "it does not spin")
        #expect(try await client.call("Login", Self.login).error == "KeyringUnavailable")
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)
        #expect(try await client.call("GetUserInfo").parameters["userInfo"] != nil)
        try await desktop.start(.sessionBus)
        try await desktop.start(.keyring)
        #expect(try await bench.login().key == Array("first key".utf8))
    }

    @Test func aSessionBusThatHangsIsGivenUpAndKeepsNoRead() async throws {
        let bench = try await Bench(), client = try bench.client(), other = try bench.client()
        try await bench.open()
        try await bench.desktop.freeze(.sessionBus)
        let began = ContinuousClock.now
        try client.send("Login", Self.login)
        let refusal = Task { (try await client.receive(), ContinuousClock.now) }
        #expect(try await other.call("IsEnabled").parameters["enabled"] as? Bool == true)
        let readAt = ContinuousClock.now, (refused, refusedAt) = try await refusal.value
        #expect(refused.error == "TimedOut" && readAt < refusedAt, "\(refused.object)")
        #expect(refusedAt - began < .seconds(9))
        try await bench.desktop.thaw(.sessionBus)
        #expect(try await bench.login().key == Array("first key".utf8))
    }

    @Test func theSystemBusMayComeLateAndGoAndComeBack() async throws {
        let bench = try await Bench(
            reader: .host,
            before: { desktop in
                for part in [Desktop.Part.fprintd, .polkit, .systemBus] { try await desktop.end(part) }
            })
        let desktop = bench.desktop, client = try bench.client()
        let began = ContinuousClock.now
        expectUnavailable(try await client.call("Open", Bench.opening()))
        #expect(try await client.call("GetSupport").parameters["supported"] as? Bool == false)
        #expect(ContinuousClock.now - began < .seconds(4), "there is nothing to wait for")
        for part in [Desktop.Part.systemBus, .polkit, .fprintd] { try await desktop.start(part) }
        try await bench.open()

        let waiting = try await bench.waiting("Login", Self.login)
        try await desktop.kill(.systemBus)
        expectUnavailable(try await waiting.receive())
        expectUnavailable(try await client.call("Login", Self.login))
        // Something that takes its time.
        try await desktop.freeze(.keyring)
        let used = processorTime(of: bench.daemon)
        #expect(try await client.call("Login", Self.login).error == "TimedOut")
        #expect(processorTime(of: bench.daemon) - used < .seconds(2), "it does not spin")
        try await desktop.thaw(.keyring)
        #expect(try await client.call("IsEnabled").parameters["enabled"] as? Bool == true)
        for part in [Desktop.Part.systemBus, .polkit, .fprintd] { try await desktop.start(part) }
        #expect(try await bench.login().key == Array("first key".utf8))
    }

    private func expectUnavailable(_ message: Message) {
        #expect(message.error == "BiometryNotAvailable", "\(message.object)")
        #expect(message.parameters["availability"] as? String == "unavailable", "\(message.object)")
    }

    /// What it has used in all its threads.
    private func processorTime(of daemon: Daemon) -> Duration {
        let line = try? String(contentsOfFile: "/proc/\(daemon.program.processID)/stat", encoding: .utf8)
        let fields = line?.split(separator: ")").last?.split(separator: " ") ?? []
        // proc(5): utime and stime, the 14th and the 15th with the two before the bracket.
        let ticks = fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
        return .seconds(ticks) / sysconf(Int32(_SC_CLK_TCK))
    }
}
