import Testing

@testable import BiologinCore

@Suite struct AttemptsTests {
    @Test func lockoutsDoubleUpToAnHour() {
        var attempts = Attempts(), now = Duration.seconds(1000)
        for _ in 1..<Attempts.allowed {
            attempts.fail(at: now, bootID: "a")
            #expect(attempts.remaining(at: now, bootID: "a") == nil)
        }
        for seconds in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
            attempts.fail(at: now, bootID: "a")
            #expect(attempts.remaining(at: now, bootID: "a") == .seconds(seconds))
            now += .seconds(seconds)
            #expect(attempts.remaining(at: now, bootID: "a") == nil)
        }
        attempts.succeed()
        #expect(attempts == Attempts())
    }

    @Test func aRebootStartsARunningLockoutAgainInFull() {
        var attempts = Attempts()
        for _ in 0..<Attempts.allowed { attempts.fail(at: .seconds(1000), bootID: "a") }
        #expect(attempts.remaining(at: .seconds(1020), bootID: "a") == .seconds(10))
        #expect(attempts.remaining(at: .seconds(5), bootID: "b") == .seconds(25))
        #expect(attempts.remaining(at: .seconds(20), bootID: "b") == .seconds(10))
    }
}
