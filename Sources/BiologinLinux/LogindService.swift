internal import Glibc

/// logind as it runs now: one owner of its name, as seen over one connection. See org.freedesktop.login1(5).
@GLibThread struct LogindService {
    nonisolated static let name = "org.freedesktop.login1"

    let connection: BusConnection
    /// Its unique name: nobody else can send from it, or take it over.
    let owner: String

    var manager: BusObject {
        BusObject(destination: owner, path: "/org/freedesktop/login1", interface: Self.name + ".Manager")
    }

    /// Sleep waits until the descriptor is closed, or logind's InhibitDelayMaxSec has passed, of 5 s by default.
    func inhibitSleep(
        within limit: Duration, _ hold: @escaping @GLibThread (OwnedDescriptor) -> Void
    ) async throws(CallError) {
        let arguments = ["sleep", "Biologin", "release the fingerprint reader and wipe login keys", "delay"]
        try await connection.callForDescriptor(
            manager, "Inhibit", .tuple(arguments.map(Variant.string)), within: limit, returned: hold)
    }

    /// Nil where it does not say.
    func isPreparingForSleep(_ deadline: Deadline) async throws(CallError) -> Bool? {
        try await property("PreparingForSleep", deadline)
    }

    /// Whether the lid is closed while no other display is used. Nothing tells when that changes.
    func isShut(_ deadline: Deadline) async throws(CallError) -> Bool {
        // Looking for displays costs more than looking at the lid.
        guard try await property("LidClosed", deadline) ?? false else { return false }
        return try await !(property("Docked", deadline) ?? false)
    }

    private func property(_ name: String, _ deadline: Deadline) async throws(CallError) -> Bool? {
        try await ask(
            properties(of: manager.path), "Get", .tuple(.string(manager.interface), .string(name)), reply: "(v)",
            deadline)?[0]?.unboxed.bool
    }

    /// The session of this process, or else the one that its user sits before; nil where the user has none.
    func session(_ deadline: Deadline) async throws(CallError) -> LogindSession? {
        guard let path = try await sessionPath(deadline) else { return nil }
        let known = try await ask(
            properties(of: path), "GetAll", .tuple(.string(LogindSession.interface)), reply: "(a{sv})", deadline)
        var session = LogindSession(path: path)
        session.learn(known?[0])
        return session
    }

    private func sessionPath(_ deadline: Deadline) async throws(CallError) -> String? {
        if let session = try await ask(manager, "GetSession", .tuple(.string("auto")), reply: "(o)", deadline) {
            return session[0]?.string
        }
        // "auto" is not known before systemd 243.
        if let session = try await ask(manager, "GetSessionByPID", .tuple(.uint32(0)), reply: "(o)", deadline) {
            return session[0]?.string
        }
        let user = try await ask(manager, "GetUser", .tuple(.uint32(geteuid())), reply: "(o)", deadline)
        guard let user = user?[0]?.string else { return nil }
        let display = try await ask(
            properties(of: user), "Get", .tuple(.string(Self.name + ".User"), .string("Display")), reply: "(v)",
            deadline)
        // "/" where there is none.
        guard let path = display?[0]?.unboxed[1]?.string, path != "/" else { return nil }
        return path
    }

    private func properties(of path: String?) -> BusObject {
        BusObject(destination: owner, path: path, interface: "org.freedesktop.DBus.Properties")
    }

    /// The answer, or nil where that is an error.
    private func ask(
        _ object: BusObject, _ method: String, _ arguments: Variant, reply: String, _ deadline: Deadline
    ) async throws(CallError) -> Variant? {
        do {
            return try await connection.call(
                object, method, arguments, reply: reply, activate: false, within: deadline.remaining,
                whenCancelled: .abandon)
        } catch .failed(_) { return nil }
    }
}

/// What is known of a session.
struct LogindSession: Equatable, Sendable {
    static let interface = LogindService.name + ".Session"

    let path: String
    private(set) var isActive = true
    private(set) var isLocked = false
    private(set) var isRemote = false

    init(path: String) { self.path = path }

    /// Whether its user sits before it now.
    var isLocal: Bool { isActive && !isLocked && !isRemote }

    /// - Parameter properties: a dictionary, some or all of them; others are as they were.
    mutating func learn(_ properties: Variant?) {
        for property in properties?.children ?? [] {
            guard let value = property[1]?.unboxed.bool else { continue }
            switch property[0]?.string {
            case "Active": isActive = value
            case "LockedHint": isLocked = value
            case "Remote": isRemote = value
            default: break
            }
        }
    }
}
