internal import CGio

/// fprintd as it runs now: one owner of its name, as seen over one connection.
@GLibThread struct FprintdService {
    nonisolated static let name = "net.reactivated.Fprint"

    let connection: BusConnection
    /// Its unique name: nobody else can send from it, or take it over.
    let owner: String

    /// nil if it does not run; with `activate` it is started then, and an error says why it cannot be.
    static func find(
        on connection: BusConnection, activate: Bool, within limit: Duration, whenCancelled: WhenCancelled = .carryOn
    ) async throws(CallError) -> FprintdService? {
        let deadline = Deadline(in: limit)
        var owner = try await connection.owner(of: name, within: limit, whenCancelled: whenCancelled)
        if owner == nil, activate {
            try await connection.start(name, within: deadline.remaining, whenCancelled: whenCancelled)
            owner = try await connection.owner(of: name, within: deadline.remaining, whenCancelled: whenCancelled)
        }
        return owner.map { FprintdService(connection: connection, owner: $0) }
    }

    /// Lends the same over a connection that is closed afterwards: fprintd does not leave when it is idle as long as somebody
    /// is on the bus who has asked it for fingers.
    func apart<Value: Sendable>(
        on bus: Bus, within limit: Duration, whenCancelled: WhenCancelled = .carryOn,
        _ body: (FprintdService) async throws(CallError) -> Value
    ) async throws(CallError) -> Value {
        let connection = try await BusConnection.open(bus.address, within: limit, whenCancelled: whenCancelled)
        defer { connection.close() }
        return try await body(FprintdService(connection: connection, owner: owner))
    }

    func devices(
        within limit: Duration, whenCancelled: WhenCancelled = .carryOn
    ) async throws(CallError) -> [FprintdDevice] {
        let manager = BusObject(
            destination: owner, path: "/net/reactivated/Fprint/Manager", interface: Self.name + ".Manager")
        let reply = try await connection.call(
            manager, "GetDevices", reply: "(ao)", activate: false, within: limit, whenCancelled: whenCancelled)
        return reply[0]!.strings.map { FprintdDevice(connection: connection, owner: owner, path: $0) }
    }
}

/// A reader, as an object of fprintd.
@GLibThread struct FprintdDevice {
    static let interface = FprintdService.name + ".Device"

    let connection: BusConnection
    let owner: String
    let path: String

    var object: BusObject { BusObject(destination: owner, path: path, interface: Self.interface) }

    func name(within limit: Duration, whenCancelled: WhenCancelled = .carryOn) async throws(CallError) -> String {
        let properties = BusObject(destination: owner, path: path, interface: "org.freedesktop.DBus.Properties")
        let reply = try await connection.call(
            properties, "Get", .tuple(.string(Self.interface), .string("name")), reply: "(v)", activate: false,
            within: limit, whenCancelled: whenCancelled)
        return reply[0]?.unboxed.string ?? ""
    }

    /// Whether it is of an fprintd that suspends its readers itself when the computer is about to sleep; one that does not
    /// answer may be.
    func suspendsItself(within limit: Duration) async -> Bool {
        let properties = BusObject(destination: owner, path: path, interface: "org.freedesktop.DBus.Properties")
        do {
            // Both came with 1.94.
            _ = try await connection.call(
                properties, "Get", .tuple(.string(Self.interface), .string("finger-needed")), reply: "(v)",
                activate: false, within: limit)
            return true
        } catch { return error == .silent }
    }

    /// The enrolled fingers of this user; the device need not be claimed.
    func fingers(
        within limit: Duration, whenCancelled: WhenCancelled = .carryOn
    ) async throws(CallError) -> [String] {
        do {
            let fingers = try await call(
                "ListEnrolledFingers", .string(""), reply: "(as)", within: limit, whenCancelled: whenCancelled)
            return fingers[0]!.strings
        } catch  where error.isRemote("net.reactivated.Fprint.Error.NoEnrolledPrints") {
            return []
        }
    }

    func call(
        _ method: String, _ argument: Variant? = nil, reply: String = "()", within limit: Duration,
        whenCancelled: WhenCancelled = .carryOn, returned: (@GLibThread () -> Void)? = nil
    ) async throws(CallError) -> Variant {
        try await connection.call(
            object, method, argument.map { .tuple($0) }, reply: reply, activate: false, within: limit,
            whenCancelled: whenCancelled, returned: returned)
    }
}

extension [FprintdDevice] {
    /// Asks all of them at once, so that one that is stuck delays no other; the answers come in the order of the devices.
    @GLibThread func answers<Answer: Sendable>(
        _ ask: @escaping @GLibThread @Sendable (FprintdDevice) async -> Answer
    ) async -> [Answer] {
        await withTaskGroup(of: (Int, Answer).self) { group in
            for (index, device) in enumerated() {
                // Not by way of the default pool, which may be busy.
                let answer: @GLibThread @Sendable () async -> (Int, Answer) = { (index, await ask(device)) }
                group.addTask(operation: answer)
            }
            var answers: [Answer?] = map { _ in nil }
            while let (index, answer) = await group.next(isolation: #isolation) { answers[index] = answer }
            return answers.map { $0! }
        }
    }
}
