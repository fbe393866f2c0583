internal import BiologinCore
internal import BiologinVault

// How a profile is written, before it is sealed. The order of the fields is that of version 1 of `StateCoding`; another
// order, or another field, is another version.

extension Packer {
    mutating func add(_ profile: Profile) {
        add(profile.id.application)
        add(profile.id.uid)
        add(profile.generation)
        add(profile.state)
        add(optional: profile.userInfo.userName)
        add(optional: profile.userInfo.nickName)
        add(optional: profile.userInfo.icon)
        add(optional: profile.userInfo.countryCode)
        add(profile.policy.rawValue)
        add(profile.enrollment)
        add(profile.detection.rawValue)
        add(profile.openedBy)
        add(signed: profile.openedAt.seconds)
        add(profile.lastLoginAt != nil)
        if let last = profile.lastLoginAt { add(signed: last.seconds) }
    }

    mutating func add(signed number: Int64) { add(UInt64(bitPattern: number)) }

    private mutating func add(_ state: Profile.State) {
        switch state {
        case .enabled: add(0 as UInt8)
        case .invalidated(nil): add(1 as UInt8)
        case .invalidated(let change?):
            add(2 as UInt8)
            add(change.rawValue)
        }
    }

    private mutating func add(_ enrollment: Enrollment) {
        add(enrollment.reader)
        add(UInt64(enrollment.fingers.count))
        for finger in enrollment.fingers { add(finger) }
        add(enrollment.heard != nil)
        if let heard = enrollment.heard { add(heard) }
        add(enrollment.content != nil)
        if let content = enrollment.content { add(content) }
    }

    private mutating func add(_ caller: Caller) {
        add(signed: Int64(caller.pid))
        add(optional: caller.executable)
        add(optional: caller.unit)
        add(optional: caller.sandbox)
        add(caller.strength.rawValue)
    }
}

extension Unpacker {
    /// Throws `damaged` for whatever `Packer.add(_ profile:)` never writes.
    mutating func profile() throws(VaultError) -> Profile {
        Profile(
            id: try accountID(), generation: try number(), state: try state(), userInfo: try userInfo(),
            policy: try raw(), enrollment: try enrollment(), detection: try raw(), openedBy: try caller(),
            openedAt: Timestamp(seconds: try signed()),
            lastLoginAt: try flag() ? Timestamp(seconds: try signed()) : nil)
    }

    mutating func signed() throws(VaultError) -> Int64 { Int64(bitPattern: try number()) }

    /// No text is longer than the whole.
    mutating func text() throws(VaultError) -> String { try text(limit: Limits.profile) }

    private mutating func optionalText() throws(VaultError) -> String? { try optionalText(limit: Limits.profile) }

    private mutating func raw<Value: RawRepresentable<UInt8>>() throws(VaultError) -> Value {
        guard let value = Value(rawValue: try byte()) else { throw .damaged }
        return value
    }

    private mutating func accountID() throws(VaultError) -> AccountID {
        let (application, uid) = (try text(), try text())
        do { return try AccountID(application: application, uid: uid) } catch { throw .damaged }
    }

    private mutating func state() throws(VaultError) -> Profile.State {
        switch try byte() {
        case 0: .enabled
        case 1: .invalidated(nil)
        case 2: .invalidated(try raw() as TemplateChange)
        default: throw .damaged
        }
    }

    private mutating func userInfo() throws(VaultError) -> UserInfo {
        let (userName, nickName) = (try optionalText(), try optionalText())
        let (icon, countryCode) = (try optionalText(), try optionalText())
        do {
            return try UserInfo(userName: userName, nickName: nickName, icon: icon, countryCode: countryCode)
        } catch { throw .damaged }
    }

    private mutating func enrollment() throws(VaultError) -> Enrollment {
        let reader = try text()
        var fingers: [String] = []
        for _ in 0..<(try number()) { fingers.append(try text()) }
        let heard = try flag() ? try number() : nil
        let content = try flag() ? try bytes(limit: Limits.profile) : nil
        let enrollment = Enrollment(reader: reader, fingers: fingers, heard: heard, content: content)
        guard enrollment.fingers == fingers else { throw .damaged }
        return enrollment
    }

    private mutating func caller() throws(VaultError) -> Caller {
        guard let pid = Int32(exactly: try signed()) else { throw .damaged }
        return Caller(
            pid: pid, executable: try optionalText(), unit: try optionalText(), sandbox: try optionalText(),
            strength: try raw())
    }
}
