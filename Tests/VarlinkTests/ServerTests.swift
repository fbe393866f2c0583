import Testing

@testable import Varlink

/// What a client gets for what it sends.
@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    @Test(arguments: [
        (#"{"method":"org.example.lab.Echo","parameters":{"text":"ä\u0000"}}"#, #"{"parameters":{"text":"ä\u0000"}}"#),
        (
            #"{"method":"org.example.lab.Echo","parameters":{"text":"","number":-1,"flag":false,"item":{"name":"n","color":"red","tags":["a","b"]}}}"#,
            #"{"parameters":{"text":"","number":-1,"flag":false,"item":{"name":"n","color":"red","tags":["a","b"]}}}"#
        ),
        (
            #" { "parameters" : {"text":"x","number":null,"flag":null,"item":null} , "method" : "org.example.lab.Echo" , "more":false } "#,
            #"{"parameters":{"text":"x"}}"#
        ),
        (#"{"method":"org.example.lab.Count","parameters":{"to":3}}"#, #"{"parameters":{"number":3}}"#),
    ]) func answers(_ call: String, _ reply: String) async throws { try await expect(call, reply) }

    @Test(arguments: [
        (
            #"{"method":"org.example.lab.Break","parameters":{"code":-5001}}"#,
            #"{"error":"org.example.lab.Broken","parameters":{"code":-5001}}"#
        ),
        (#"{"method":"org.example.lab.Dream"}"#, notImplemented("org.example.lab.Dream")),
        (
            #"{"method":"org.example.lab.Echo","parameters":{"text":"x"},"upgrade":true}"#,
            notImplemented("org.example.lab.Echo")
        ),
        (#"{"method":"org.example.lab.Nothing"}"#, methodNotFound("org.example.lab.Nothing")),
        (#"{"method":"org.example.lab."}"#, methodNotFound("org.example.lab.")),
        (#"{"method":"org.varlink.service.Nothing"}"#, methodNotFound("org.varlink.service.Nothing")),
        (#"{"method":"org.example.laboratory.Echo"}"#, interfaceNotFound("org.example.laboratory")),
        (#"{"method":"Echo"}"#, interfaceNotFound("")),
        (#"{"method":".Echo"}"#, interfaceNotFound("")),
        (#"{"method":"\"\n"}"#, interfaceNotFound("")),
        (#"{"method":"org.example.lab.Echo"}"#, invalid("text")),
        (#"{"method":"org.example.lab.Echo","parameters":null}"#, invalid("text")),
        (#"{"method":"org.example.lab.Echo","parameters":{}}"#, invalid("text")),
        (#"{"method":"org.example.lab.Echo","parameters":{"text":null}}"#, invalid("text")),
        (#"{"method":"org.example.lab.Echo","parameters":{"text":1}}"#, invalid("text")),
        (#"{"method":"org.example.lab.Echo","parameters":{"text":"x","also":1}}"#, invalid("also")),
        (#"{"method":"org.example.lab.Echo","parameters":{"text":"x","item":{"name":"n"}}}"#, invalid("item.tags")),
        (
            #"{"method":"org.example.lab.Echo","parameters":{"text":"x","item":{"name":"n","tags":[1]}}}"#,
            invalid("item.tags[0]")
        ),
        (
            #"{"method":"org.example.lab.Echo","parameters":{"text":"x","item":{"color":"pink"}}}"#,
            invalid("item.color")
        ),
        (#"{"method":"org.example.lab.Count","parameters":{"to":9223372036854775808}}"#, invalid("to")),
        (#"{"method":"org.example.lab.Count","parameters":{"to":0}}"#, invalid("to")),
        (#"{"method":"org.varlink.service.GetInfo","parameters":{"x":1}}"#, invalid("x")),
        (#"{"method":"org.varlink.service.GetInterfaceDescription"}"#, invalid("interface")),
        (
            #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#,
            interfaceNotFound("a.b")
        ),
    ]) func answersWithAnErrorAndGoesOn(_ call: String, _ reply: String) async throws { try await expect(call, reply) }

    /// The call, and a good one after it on the same connection.
    private func expect(_ call: String, _ reply: String) async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            #expect(await wire.call(call) == reply)
            #expect(await wire.call(Self.echo("next")) == #"{"parameters":{"text":"next"}}"#)
        }
    }

    @Test(arguments: ["", #","parameters":null"#, #","parameters":{}"#]) func saysWhatItIs(_ parameters: String)
        async throws
    {
        try await expect(
            #"{"method":"org.varlink.service.GetInfo"\#(parameters)}"#,
            #"{"parameters":{"vendor":"Example","product":"Lab","version":"1","url":"https://example.org/","interfaces":["org.varlink.service","org.example.lab"]}}"#
        )
    }

    @Test(arguments: [("org.example.lab", LabService.text), (ServiceInterface.name, ServiceInterface.description)])
    func describesItsInterfaces(_ name: String, _ description: String) async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            let reply = await wire.call(
                #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(name)"}}"#)
            #expect(reply == JSONWriter.text { $0.object { $0.parameters("description", description) } }.text)
        }
    }

    @Test func sendsEachReplyToAClientThatAskedForMore() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            await wire.send(#"{"method":"org.example.lab.Count","parameters":{"to":3},"more":true}"#, Self.echo("next"))
            #expect(await wire.receive() == #"{"parameters":{"number":1},"continues":true}"#)
            #expect(await wire.receive() == #"{"parameters":{"number":2},"continues":true}"#)
            #expect(await wire.receive() == #"{"parameters":{"number":3}}"#)
            #expect(await wire.receive() == #"{"parameters":{"text":"next"}}"#)
        }
    }

    @Test(arguments: [
        #"{"method":"org.example.lab.Count","parameters":{"to":3},"oneway":true}"#,
        #"{"method":"org.example.lab.Count","parameters":{"to":"x"},"oneway":true}"#,
        #"{"method":"org.example.lab.Dream","oneway":true}"#, #"{"method":"org.example.lab.No","oneway":true}"#,
        #"{"method":"no.No","oneway":true}"#, #"{"method":"org.varlink.service.GetInfo","oneway":true}"#,
    ]) func sendsNothingForAOnewayCall(_ call: String) async throws {
        try await expectOnlyTheNext(call)
    }

    private func expectOnlyTheNext(_ call: String) async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            await wire.send(call)
            #expect(await wire.call(Self.echo("next")) == #"{"parameters":{"text":"next"}}"#)
        }
    }

    @Test func answersPipelinedCallsInOrder() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            let count = 5000
            async let sending: Void = wire.send(bytes: (0..<count).flatMap { Array(Self.echo("\($0)").utf8) + [0] })
            for number in 0..<count { #expect(await wire.receive() == #"{"parameters":{"text":"\#(number)"}}"#) }
            await sending
        }
    }

    @Test func takesACallCutAnywhere() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            let bytes = Array(Self.echo("é").utf8) + [0]
            for index in bytes.indices {
                await wire.send(bytes: Array(bytes[..<index]))
                await lab.server.isIdle()
                await wire.send(bytes: Array(bytes[index...]))
                #expect(await wire.receive() == #"{"parameters":{"text":"é"}}"#)
            }
        }
    }

    static func echo(_ text: String) -> String {
        #"{"method":"org.example.lab.Echo","parameters":{"text":"\#(text)"}}"#
    }

    static func notImplemented(_ method: String) -> String { error("MethodNotImplemented", "method", method) }
    static func methodNotFound(_ method: String) -> String { error("MethodNotFound", "method", method) }
    static func interfaceNotFound(_ interface: String) -> String { error("InterfaceNotFound", "interface", interface) }
    static func invalid(_ parameter: String) -> String { error("InvalidParameter", "parameter", parameter) }

    private static func error(_ name: String, _ parameter: String, _ value: String) -> String {
        #"{"error":"org.varlink.service.\#(name)","parameters":{"\#(parameter)":"\#(value)"}}"#
    }
}

extension Server {
    /// Returns when the loop has dealt with what came before.
    func isIdle() {}

    var connectionCount: Int { connections.count }
}

extension JSONWriter {
    mutating func parameters(_ name: StaticString, _ text: String) {
        self.name("parameters")
        object { $0.field(name, text) }
    }
}
