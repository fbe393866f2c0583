import Varlink

/// A service with a bit of everything: what the tests, and clients that others wrote, call.
final class LabService: Service {
    static let text = """
        # A bit of everything.
        interface org.example.lab

        type Color (red, green, blue)

        type Item (
          name: string,
          color: ?Color,
          tags: []string
        )

        # Gives back what it was given.
        method Echo(text: string, number: ?int, flag: ?bool, item: ?Item) -> (
          text: string,
          number: ?int,
          flag: ?bool,
          item: ?Item
        )

        # Counts from 1; with `more`, one reply a number.
        method Count(to: int) -> (number: int)

        # Gives back bytes that it was given in base64.
        method Keep(key: string) -> (key: string)

        # Waits to be canceled, and says so.
        method Wait() -> (canceled: bool)

        # Fails.
        method Break(code: int) -> ()

        # Is not implemented.
        method Dream() -> ()

        error Broken (code: int)

        """

    /// The calls that began, and `canceled` for each `Wait` that was.
    let events: AsyncStream<String>
    private let log: AsyncStream<String>.Continuation
    private let admits: @Sendable (Peer) -> Bool

    init(admits: @escaping @Sendable (Peer) -> Bool = { _ in true }) {
        (events, log) = AsyncStream.makeStream()
        self.admits = admits
    }

    let identity = Identity(vendor: "Example", product: "Lab", version: "1", url: "https://example.org/")
    let interfaces = [
        Interface(
            name: "org.example.lab", description: text, methods: ["Echo", "Count", "Keep", "Wait", "Break", "Dream"])
    ]

    func admit(_ peer: Peer) -> Bool { admits(peer) }

    func handle(_ call: ServerCall) async {
        log.yield(call.method)
        do throws(ParameterError) {
            switch call.method {
            case "org.example.lab.Echo": try echo(call)
            case "org.example.lab.Count": try count(call)
            case "org.example.lab.Keep": try keep(call)
            case "org.example.lab.Wait": await wait(call)
            case "org.example.lab.Break":
                let code = try call.withParameters { reader throws(ParameterError) in try reader.readOnly("code") }
                call.fail("org.example.lab.Broken") { $0.object { $0.field("code", code) } }
            default: call.methodNotImplemented()
            }
        } catch { call.invalidParameter(error.name) }
    }

    private func echo(_ call: ServerCall) throws(ParameterError) {
        let echo = try call.withParameters { reader throws(ParameterError) in try Echo(from: &reader) }
        call.reply { echo.write(to: &$0) }
    }

    private func count(_ call: ServerCall) throws(ParameterError) {
        let to = try call.withParameters { reader throws(ParameterError) in try reader.readOnly("to") }
        guard to > 0 else { throw ParameterError("to") }
        for number in 1..<to { call.progress { $0.object { $0.field("number", number) } } }
        call.reply { $0.object { $0.field("number", to) } }
    }

    private func keep(_ call: ServerCall) throws(ParameterError) {
        let key = try call.withParameters { reader throws(ParameterError) in try reader.readKey() }
        call.reply { writer in
            writer.object { writer in
                writer.name("key")
                key.withBytes { writer.base64($0) }
            }
        }
    }

    private func wait(_ call: ServerCall) async {
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        withExtendedLifetime(continuation) {}
        log.yield("canceled")
        call.reply { writer in
            writer.object { writer in
                writer.name("canceled")
                writer.bool(Task.isCancelled)
            }
        }
    }
}

extension JSONReader {
    /// An object of one number.
    mutating func readOnly(_ field: String) throws(ParameterError) -> Int {
        var number: Int?
        try readObject { name, value throws(ParameterError) in
            guard name == field else { throw ParameterError(name) }
            number = try value.readInt()
        }
        guard let number else { throw ParameterError(field) }
        return number
    }
}

extension JSONReader {
    /// An object of a `key`.
    mutating func readKey() throws(ParameterError) -> WipedBytes {
        var key: WipedBytes?
        try readObject { name, value throws(ParameterError) in
            guard name == "key" else { throw ParameterError(name) }
            key = try value.readBase64(limit: 1 << 20)
        }
        guard let key else { throw ParameterError("key") }
        return key
    }
}

extension JSONWriter {
    mutating func field(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        int(number)
    }

    mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }
}
