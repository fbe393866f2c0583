import BiologinAPI
import BiologinCore

// What the core means and what the contract calls it, both ways.

extension AccountSelector {
    init(_ selection: AccountSelection) throws(LoginError) {
        try self.init(application: selection.application, account: selection.account)
    }

    /// Throws `invalidParameter` where the two disagree.
    init(application: String?, account: BiologinAPI.AccountID?) throws(LoginError) {
        if let application { try BiologinCore.AccountID.check(application: application) }
        guard let account else {
            self = application.map { .lastOf(application: $0) } ?? .last
            return
        }
        guard application ?? account.application == account.application else { throw .invalidParameter("application") }
        do {
            self = .account(try BiologinCore.AccountID(application: account.application, uid: account.uid))
        } catch .invalidParameter(let field) { throw .invalidParameter("account.\(field)") }
    }
}

extension BiologinCore.UserInfo {
    init(_ info: BiologinAPI.UserInfo) throws(LoginError) {
        try self.init(
            userName: info.userName, nickName: info.nickName, icon: info.icon, countryCode: info.countryCode)
    }
}

extension BiologinAPI.UserInfo {
    init(_ profile: Profile) {
        let card = profile.userInfo
        self.init(
            uid: profile.id.uid, userName: card.userName, nickName: card.nickName, icon: card.icon,
            countryCode: card.countryCode)
    }
}

extension BiologinCore.Policy {
    init(_ policy: BiologinAPI.Policy) {
        switch policy {
        case .deviceOwnerAuthenticationWithBiometrics: self = .biometrics
        case .deviceOwnerAuthentication: self = .deviceOwner
        }
    }
}

extension BiologinAPI.Policy {
    init(_ policy: BiologinCore.Policy) {
        switch policy {
        case .biometrics: self = .deviceOwnerAuthenticationWithBiometrics
        case .deviceOwner: self = .deviceOwnerAuthentication
        }
    }
}

extension BiologinAPI.ChangeDetection {
    init(_ detection: BiologinCore.ChangeDetection) {
        switch detection {
        case .none: self = .none
        case .names: self = .names
        case .watched: self = .watched
        case .content: self = .content
        }
    }
}

extension BiologinAPI.Availability {
    init(_ availability: BiologinCore.Availability) {
        switch availability {
        case .ready: self = .ready
        case .notEnrolled: self = .notEnrolled
        case .noDevice: self = .noDevice
        case .busy: self = .busy
        case .notLocal: self = .notLocal
        case .inaccessible: self = .inaccessible
        case .permissionDenied: self = .permissionDenied
        case .lockedOut: self = .lockedOut
        case .unavailable, .silent: self = .unavailable
        }
    }
}

extension BiologinAPI.Caller {
    init(_ caller: BiologinCore.Caller) {
        let strength: Strength =
            switch caller.strength {
            case .sandbox: .sandbox
            case .unit: .unit
            case .path: .path
            case .unknown: .unknown
            }
        self.init(
            pid: Int(caller.pid), executable: caller.executable, unit: caller.unit, sandbox: caller.sandbox,
            strength: strength)
    }
}

extension Verifier {
    init(_ reader: Reader) {
        self.init(
            name: reader.verifier, device: reader.device, availability: BiologinAPI.Availability(reader.availability),
            enrolled: reader.enrolled, changeDetection: BiologinAPI.ChangeDetection(reader.detection))
    }
}

extension Account {
    init(_ profile: Profile) {
        self.init(
            id: BiologinAPI.AccountID(application: profile.id.application, uid: profile.id.uid),
            state: profile.state == .enabled ? .enabled : .invalidated, userInfo: BiologinAPI.UserInfo(profile),
            policy: BiologinAPI.Policy(profile.policy),
            changeDetection: BiologinAPI.ChangeDetection(profile.detection),
            openedBy: BiologinAPI.Caller(profile.openedBy), openedAt: profile.openedAt.rfc3339,
            lastLoginAt: profile.lastLoginAt?.rfc3339)
    }
}

extension MonitorEvent.Kind {
    init(_ kind: AccountEvent.Kind) {
        switch kind {
        case .opened: self = .opened
        case .closed: self = .closed
        case .updated: self = .updated
        case .invalidated: self = .invalidated
        case .loggedIn: self = .loggedIn
        case .failed: self = .failed
        case .support: self = .support
        }
    }
}

extension BiologinAPI.Progress {
    init(_ progress: BiologinCore.Progress, verifier: String, reason: String, caller: BiologinCore.Caller) {
        let caller = BiologinAPI.Caller(caller)
        switch progress {
        case .loading: self.init(state: .loading, localizedReason: reason, caller: caller)
        case .queued: self.init(state: .queued, localizedReason: reason, caller: caller)
        case .unlocking: self.init(state: .unlocking, localizedReason: reason, caller: caller)
        case .waiting(let reader, let finger, let attemptsLeft):
            self.init(
                state: .waiting, verifier: verifier, device: reader, finger: finger, attemptsLeft: attemptsLeft,
                localizedReason: reason, caller: caller)
        case .retry(let reader, let hint):
            self.init(
                state: .retry, verifier: verifier, device: reader, hint: hint, localizedReason: reason,
                caller: caller)
        case .processing: self.init(state: .processing, localizedReason: reason, caller: caller)
        }
    }
}
