import BiologinCore
import Glibc
import TestSupport
import Testing

@testable import BiologinLinux

@Suite(.realParts, .timeLimit(.minutes(5))) struct LogindTests {
    let bus: PrivateBus
    let logind: Logind

    init() async throws {
        bus = try await PrivateBus()
        logind = Logind(bus: Bus(address: bus.address))
    }

    @Test func knowsNothingWithoutLogindAndHearsOfItWhenItComes() async throws {
        try await logind.whileRunning {
            #expect(await logind.current() == .usable)
            let standIn = try await LogindStandIn(on: bus)
            #expect(try await standIn.command("inhibited") == "yes")
            try await standIn.command("lock")
            #expect(await logind.next() == .changed(.notLocal))
            #expect(logind.known == .notLocal)
        }
    }

    @Test(arguments: [
        (["lock"], ["unlock"]), (["active", "no"], ["active", "yes"]), (["remote", "yes"], ["remote", "no"]),
        (["session", "none"], ["session", "2"]),
    ])
    func hearsThatTheUserLeavesAndComesBack(leave: [String], comeBack: [String]) async throws {
        let standIn = try await LogindStandIn(on: bus)
        #expect(await logind.current() == .usable)
        try await logind.whileRunning {
            try await standIn.command(leave)
            #expect(await logind.next() == .changed(.notLocal))
            #expect(await logind.current() == .notLocal)
            try await standIn.command(comeBack)
            #expect(await logind.next() == .changed(.usable))
            #expect(await logind.current() == .usable)
        }
    }

    @Test func findsTheSessionOfAnOldLogindToo() async throws {
        let standIn = try await LogindStandIn(on: bus)
        try await standIn.command("old")
        try await standIn.command("lock")
        #expect(await logind.current() == .notLocal)
        try await standIn.command("session", "none")
        #expect(await logind.current() == .notLocal)
    }

    /// What else decides is asked then: there is no session to be local.
    @Test func leavesAUserWhoNeverHadASessionToOthers() async throws {
        let standIn = try await LogindStandIn(on: bus)
        try await standIn.command("session", "none")
        #expect(await logind.current() == .usable)
    }

    @Test func seesTheLidWhenAskedAndForAWhileAfterwards() async throws {
        let standIn = try await LogindStandIn(on: bus)
        try await standIn.command("lid", "closed")
        #expect(await logind.current() == .inaccessible)
        try await standIn.command("docked", "yes")
        #expect(await logind.current() == .usable)
        try await logind.whileRunning {
            for state in [SeatState.inaccessible, .usable] { #expect(await logind.next() == .changed(state)) }
            try await standIn.command("docked", "no")
            #expect(await logind.next() == .changed(.inaccessible))
        }
    }

    /// Who is asked to lock may take a moment, and the verification must not outlive it.
    @Test func takesTheWishToLockForALock() async throws {
        let standIn = try await LogindStandIn(on: bus)
        #expect(await logind.current() == .usable)
        try await standIn.command("ask-to-lock")
        #expect(await logind.next() == .changed(.notLocal))
        #expect(logind.known == .usable)
    }

    @Test func believesTheOwnerOfTheNameAlone() async throws {
        let standIn = try await LogindStandIn(on: bus)
        #expect(await logind.current() == .usable)
        let forger = try await bus.connect()
        let manager = BusObject(
            destination: nil, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")
        let session = BusObject(
            destination: nil, path: "/org/freedesktop/login1/session/_31",
            interface: "org.freedesktop.DBus.Properties")
        try await forger.emit("PrepareForSleep", of: manager, .tuple(.bool(true)))
        try await forger.emit(
            "PropertiesChanged", of: session,
            .tuple(
                .string(LogindSession.interface), .dictionary(["Active": .bool(false)]), .array(of: "s", [])))
        // Nothing else has happened before.
        try await standIn.command("lid", "closed")
        #expect(await logind.current() == .inaccessible)
        #expect(await logind.next() == .changed(.inaccessible))
    }

    @Test func delaysSleepUntilItIsToldAndAgainTheNextTime() async throws {
        let standIn = try await LogindStandIn(on: bus)
        try await logind.whileRunning {
            for _ in 0..<2 {
                let slept = Task { try await standIn.command("sleep", "blindly") }
                guard case .sleeping(let delay) = await logind.events().next() else {
                    Issue.record("another event")
                    return
                }
                #expect(logind.known == .sleeping)
                // One that was closed already is told by an answer to the command.
                #expect(try await standIn.command("inhibited") == "yes")
                delay.end()
                #expect(try await slept.value == "let go")
                try await standIn.command("wake")
                #expect(await logind.next() == .changed(.usable))
            }
        }
    }

    /// logind waits for 5 s.
    @Test func letsTheComputerSleepInTimeWhereNobodyEndsTheDelay() async throws {
        let standIn = try await LogindStandIn(on: bus)
        try await logind.whileRunning {
            let answer = try await standIn.command("sleep", "blindly")
            #expect(answer == "let go")
        }
    }

    @Test func followsALogindThatWasRestarted() async throws {
        let first = try await LogindStandIn(on: bus)
        try await logind.whileRunning {
            try await first.command("lock")
            #expect(await logind.next() == .changed(.notLocal))
            first.program.signal(SIGKILL)
            #expect(await logind.next() == .changed(.usable))
            let second = try await LogindStandIn(on: bus)
            #expect(try await second.command("inhibited") == "yes")
            try await second.command("active", "no")
            #expect(await logind.next() == .changed(.notLocal))
        }
    }

    @Test func knowsNothingOfALogindThatHangs() async throws {
        let standIn = try await LogindStandIn(on: bus)
        try await standIn.command("lock")
        #expect(await logind.current() == .notLocal)
        standIn.program.signal(SIGSTOP)
        #expect(await logind.current() == .usable)
        standIn.program.signal(SIGCONT)
        #expect(await logind.current() == .notLocal)
    }
}
