import Foundation
import TestSupport
import Testing

@Suite(.realParts, .timeLimit(.minutes(5))) struct WireTests {
    /// Method, parameters, and the parameter that is named.
    static let wrong: [(String, String, String)] = [
        ("Login", #"{}"#, "localizedReason"),
        ("Login", #"{"localizedReason":""}"#, "localizedReason"),
        ("Login", #"{"localizedReason":"  "}"#, "localizedReason"),
        ("Login", #"{"localizedReason":7}"#, "localizedReason"),
        ("Login", #"{"localizedReason":"x","policy":"anything"}"#, "policy"),
        ("Login", #"{"localizedReason":"x","surprise":1}"#, "surprise"),
        (
            "Login", #"{"localizedReason":"x","application":"org.a","account":{"application":"org.b","uid":"x"}}"#,
            "application"
        ),
        ("IsEnabled", #"{"application":"nodots"}"#, "application"),
        ("IsEnabled", #"{"account":{"application":"a.b"}}"#, "account.uid"),
        ("GetUserInfo", #"{"account":"ada"}"#, "account"),
        ("UpdateUserInfo", #"{}"#, "userInfo"),
        (
            "Open",
            #"{"application":"a.b","userInfo":{"uid":"u"},"loginKey":"!","policy":"deviceOwnerAuthentication","localizedReason":"x"}"#,
            "loginKey"
        ),
        (
            "Open",
            #"{"application":"a.b","userInfo":{"uid":"u"},"loginKey":"","policy":"deviceOwnerAuthentication","localizedReason":"x"}"#,
            "loginKey"
        ),
        (
            "Open",
            #"{"application":"a.b","userInfo":{"uid":""},"loginKey":"QQ==","policy":"deviceOwnerAuthentication","localizedReason":"x"}"#,
            "userInfo.uid"
        ),
        (
            "Open",
            #"{"application":"a.b","userInfo":{"uid":"u","icon":"http://x"},"loginKey":"QQ==","policy":"deviceOwnerAuthentication","localizedReason":"x"}"#,
            "userInfo.icon"
        ),
        ("GetStatus", #"{"surprise":null}"#, "surprise"),
    ]

    @Test func wrongParametersAreNamedAndTheConnectionGoesOn() async throws {
        let bench = try await Bench(), client = try bench.client()
        for (method, parameters, name) in Self.wrong {
            let call = #"{"method":"org.biologin.Login.\#(method)","parameters":\#(parameters)}"#
            client.send(raw: Array(call.utf8) + [0])
            let reply = try await client.receive()
            #expect(reply.error == "org.varlink.service.InvalidParameter", "\(call)")
            #expect(reply.parameter == name, "\(call)")
        }
        for parameters in [#","parameters":null"#, #","parameters":{}"#, ""] {
            client.send(raw: Array(#"{"method":"org.biologin.Login.GetStatus"\#(parameters)}"#.utf8) + [0])
            #expect(try await client.receive().parameters["simulated"] as? Bool == true)
        }
    }

    @Test func standardErrorsAndIntrospection() async throws {
        let bench = try await Bench(enrolled: false), client = try bench.client()
        #expect(try await client.call("org.example.None.Go").error == "org.varlink.service.InterfaceNotFound")
        #expect(try await client.call("Nothing").error == "org.varlink.service.MethodNotFound")
        let rekey = try await client.call("Rekey", ["protector": "tpm2", "localizedReason": "x"])
        #expect(rekey.error == "org.varlink.service.MethodNotImplemented")
        #expect(try await client.call("Monitor").error == "org.varlink.service.ExpectedMore")
        let description = try await client.call(
            "org.varlink.service.GetInterfaceDescription", ["interface": "org.biologin.Login"])
        let file = try String(
            contentsOfFile: BuiltProgram.root + "/Sources/BiologinAPI/org.biologin.Login.varlink", encoding: .utf8)
        #expect(description.parameters["description"] as? String == file)
        let info = try await client.call("org.varlink.service.GetInfo").parameters
        #expect(info["interfaces"] as? [String] == ["org.varlink.service", "org.biologin.Login"])
    }

    @Test func aKeyOfOneByteMoreThanTheLimitIsRefused() async throws {
        let bench = try await Bench(), client = try bench.client()
        let key = [UInt8](repeating: 0x41, count: 16_385)
        #expect(try await client.call("Open", Bench.opening(key: key)).error == "LimitExceeded")
        let long = String(repeating: "x", count: 257)
        let named = Bench.opening(userInfo: ["userName": long])
        #expect(try await client.call("Open", named).error == "LimitExceeded")
        #expect(try await client.call("Open", Bench.opening(long)).error == "LimitExceeded")
    }

    @Test(arguments: [
        "not json", #"{"method":7}"#, "[]", #"{"method":"org.biologin.Login.GetStatus","method":"x"}"#,
        #"{"method":"a.b","parameters":"# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
    ])
    func aFrameThatIsNoCallEndsItsConnectionOnly(_ frame: String) async throws {
        let bench = try await Bench(enrolled: false), bad = try bench.client(), good = try bench.client()
        bad.send(raw: Array(frame.utf8) + [0])
        await #expect(throws: RawClient.Gone.self) { try await bad.receive() }
        #expect(try await good.call("GetStatus").error == nil)
    }

    @Test func aFrameThatIsTooLargeEndsItsConnectionOnly() async throws {
        let bench = try await Bench(enrolled: false), bad = try bench.client(), good = try bench.client()
        bad.send(raw: [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20 + 4096))
        await #expect(throws: RawClient.Gone.self) { try await bad.receive() }
        #expect(try await good.call("GetStatus").error == nil)
    }

    @Test func aOnewayLoginDoesNothing() async throws {
        let bench = try await Bench(), client = try bench.client()
        try await bench.open()
        try client.send("Login", ["localizedReason": "log in"], oneway: true)
        #expect(try await client.call("GetStatus").error == nil)
        #expect(try await bench.login().key != nil)
    }

    @Test func callsSentBeforeAHalfCloseAreAnsweredInOrder() async throws {
        let bench = try await Bench(enrolled: false), client = try bench.client()
        for _ in 0..<50 {
            try client.send("GetStatus")
            try client.send("IsEnabled")
        }
        client.finishSending()
        for _ in 0..<50 {
            #expect(try await client.receive().parameters["version"] != nil)
            #expect(try await client.receive().parameters["code"] as? Int == -5001)
        }
        await #expect(throws: RawClient.Gone.self) { try await client.receive() }
    }

    @Test func thePolicyOfAnAccountIsNotWidened() async throws {
        let bench = try await Bench(), client = try bench.client()
        try await bench.open()
        let wider = try await client.call("Login", ["localizedReason": "x", "policy": "deviceOwnerAuthentication"])
        #expect(wider.error == "NotPermitted")
        let fallback = try await client.call("Login", ["localizedReason": "x", "fallback": true])
        #expect(fallback.parameter == "fallback")
    }
}
