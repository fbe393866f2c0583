import CGio

@testable import BiologinLinux

/// Stands in for fprintd, and answers as a test tells it: what the real one cannot be made to do.
@GLibThread final class StandIn {
    /// A call of somebody, to be answered once.
    struct Call: @unchecked Sendable {
        let sender: String
        let path: String
        let method: String
        fileprivate let invocation: OpaquePointer

        func answer(_ reply: Variant = .tuple()) { g_dbus_method_invocation_return_value(invocation, reply.pointer) }

        func fail(_ name: String) {
            g_dbus_method_invocation_return_dbus_error(invocation, "net.reactivated.Fprint.Error." + name, "stand-in")
        }
    }

    let connection: BusConnection
    let devices: [(path: String, name: String)]
    /// What is done for a method, or for a method and a path after a space, instead of the usual; once for each element.
    var script: [String: [(Call) -> Void]] = [:]
    var fingers = ["right-index-finger"]
    /// Every call, as it comes in.
    let calls: AsyncStream<Call>
    private var counts: [String: Int] = [:]
    private var timers: [LoopSource] = []
    private let sink: AsyncStream<Call>.Continuation

    /// - Parameter suspendsItself: whether it has the properties by which an fprintd is known that suspends its readers.
    init(
        on bus: PrivateBus, suspendsItself: Bool = false,
        devices: [(path: String, name: String)] = [("/device/0", "Reader")]
    ) async throws {
        connection = try await bus.connect()
        self.devices = devices
        (calls, sink) = AsyncStream.makeStream()
        export("/net/reactivated/Fprint/Manager", interface: 0)
        for device in devices { export(device.path, interface: suspendsItself ? 2 : 1) }
        try await takeName()
    }

    func takeName() async throws {
        // 1: may be taken over; 2: takes over.
        _ = try await connection.call(
            .bus, "RequestName", .tuple(.string(FprintdService.name), .uint32(3)), reply: "(u)", within: .seconds(5))
    }

    /// The next call of that method.
    func next(_ method: String) async -> Call {
        var iterator = calls.makeAsyncIterator()
        while let call = await iterator.next(isolation: #isolation) {
            if call.method == method { return call }
        }
        preconditionFailure("waited for \(method) until the end of the test")
    }

    /// Answers the next call of that method as usual, but later.
    func delay(_ method: String, by time: Duration) {
        script[method, default: []].append { [self] call in
            timers.append(GLibLoop.shared.timer(after: time) { [self] in answer(call) })
        }
    }

    /// How often a method has been called so far.
    func count(_ method: String) -> Int { counts[method, default: 0] }

    /// True once the client of that unique name has left the bus.
    func departure(of client: String) async -> Bool {
        let (owners, sink) = AsyncStream.makeStream(of: String?.self)
        let subscription = connection.onOwnerChange(of: client) { sink.yield($0) }
        defer { withExtendedLifetime(subscription) {} }
        guard let owner = try? await connection.owner(of: client, within: .seconds(5)) else { return true }
        return await owners.next() == .some(nil) && owner == client
    }

    /// From within a script, where nothing can be waited for.
    func say(_ result: String, done: Bool = true) {
        let arguments = Variant.tuple(.string(result), .bool(done))
        withExtendedLifetime(arguments) {
            _ = g_dbus_connection_emit_signal(
                connection.connection.pointer, nil, object.path, object.interface, "VerifyStatus", arguments.pointer,
                nil)
        }
    }

    func emit(_ member: String, to destination: String? = nil, _ arguments: Variant...) async throws {
        try await connection.emit(member, of: object, to: destination, .tuple(arguments))
    }

    /// As the real one does once nobody has the device open any more.
    func remove(_ path: String, by sender: BusConnection? = nil) async throws {
        let manager = BusObject(
            destination: nil, path: "/net/reactivated/Fprint", interface: "org.freedesktop.DBus.ObjectManager")
        try await (sender ?? connection).emit(
            "InterfacesRemoved", of: manager,
            .tuple(.objectPath(path), .array(of: "s", [.string(FprintdDevice.interface)])))
    }

    func status(_ result: String, done: Bool = true) async throws {
        try await emit("VerifyStatus", .string(result), .bool(done))
    }

    var object: BusObject {
        BusObject(destination: nil, path: devices[0].path, interface: FprintdDevice.interface)
    }

    private func export(_ path: String, interface: Int) {
        var table = GDBusInterfaceVTable()
        table.method_call = { _, sender, path, _, method, _, invocation, data in
            let exported = Unmanaged<Exported>.fromOpaque(data!).takeUnretainedValue()
            let call = Call(
                sender: String(cString: sender!), path: String(cString: path!), method: String(cString: method!),
                invocation: invocation!)
            GLibThread.assumeIsolated { exported.standIn?.take(call) }
        }
        g_dbus_connection_register_object(
            connection.connection.pointer, path, Self.interfaces.pointee.interfaces[interface], &table,
            Unmanaged.passRetained(Exported(self)).toOpaque(), releaseExported, nil)
    }

    /// GDBus may hold on to it for longer than the test to the stand-in.
    fileprivate final class Exported {
        weak var standIn: StandIn?
        init(_ standIn: StandIn) { self.standIn = standIn }
    }

    private func take(_ call: Call) {
        defer { sink.yield(call) }
        counts[call.method, default: 0] += 1
        for key in [call.method, "\(call.method) \(call.path)"] {
            guard let act = script[key]?.first else { continue }
            script[key]!.removeFirst()
            return act(call)
        }
        answer(call)
    }

    private func answer(_ call: Call) {
        switch call.method {
        case "GetDevices": call.answer(.tuple(.array(of: "o", devices.map { .objectPath($0.path) })))
        // Of the name, whatever is asked for: without a getter, GDBus lets it be answered like a method.
        case "Get": call.answer(.tuple(.variant(.string(devices.first { $0.path == call.path }!.name))))
        case "ListEnrolledFingers": call.answer(.tuple(.array(of: "s", fingers.map(Variant.string))))
        default: call.answer()
        }
    }

    private static let interfaces = g_dbus_node_info_new_for_xml(
        """
        <node>
          <interface name="net.reactivated.Fprint.Manager">
            <method name="GetDevices"><arg type="ao" direction="out"/></method>
          </interface>
          \(device(properties: ["name"]))
          \(device(properties: ["name", "finger-needed"]))
        </node>
        """, nil)!

    private static func device(properties: [String]) -> String {
        """
        <interface name="net.reactivated.Fprint.Device">
            <method name="ListEnrolledFingers">
              <arg type="s" direction="in"/><arg type="as" direction="out"/>
            </method>
            <method name="Claim"><arg type="s" direction="in"/></method>
            <method name="Release"/>
            <method name="VerifyStart"><arg type="s" direction="in"/></method>
            <method name="VerifyStop"/>
            <signal name="VerifyStatus"><arg type="s"/><arg type="b"/></signal>
            <signal name="VerifyFingerSelected"><arg type="s"/></signal>
            \(properties.map { #"<property name="\#($0)" type="s" access="read"/>"# }.joined())
        </interface>
        """
    }
}

/// Outside the actor: GDBus lets go of an object on any of its threads.
private func releaseExported(_ data: gpointer?) { Unmanaged<StandIn.Exported>.fromOpaque(data!).release() }
