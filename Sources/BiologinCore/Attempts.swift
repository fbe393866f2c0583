/// Failed attempts in a row, and the lock-out they lead to.
package struct Attempts: Equatable, Sendable {
    package static let allowed = 5
    package static let firstLockout: Duration = .seconds(30)
    package static let longestLockout: Duration = .seconds(3600)

    /// A lock-out that ends at a time since boot, of one boot.
    package struct Lockout: Equatable, Sendable {
        package var until: Duration
        package var length: Duration
        package var bootID: String
        package init(until: Duration, length: Duration, bootID: String) {
            (self.until, self.length, self.bootID) = (until, length, bootID)
        }
    }

    /// In a row, since the last success.
    package var failures: Int
    package var lockout: Lockout?

    package init(failures: Int = 0, lockout: Lockout? = nil) { (self.failures, self.lockout) = (failures, lockout) }

    /// A failure: the fifth in a row locks out for 30 s, each after it for twice as long as the one before, up to an hour.
    package mutating func fail(at now: Duration, bootID: String) {
        failures += 1
        guard failures >= Self.allowed else { return }
        let length = lockout.map { min($0.length * 2, Self.longestLockout) } ?? Self.firstLockout
        lockout = Lockout(until: now + length, length: length, bootID: bootID)
    }

    package mutating func succeed() { self = Attempts() }

    /// What is left of a lock-out; nil if there is none. One that a reboot cut short starts again in full, with the boot.
    package mutating func remaining(at now: Duration, bootID: String) -> Duration? {
        guard var lockout else { return nil }
        if lockout.bootID != bootID {
            (lockout.until, lockout.bootID) = (lockout.length, bootID)
            self.lockout = lockout
        }
        return lockout.until > now ? lockout.until - now : nil
    }
}
