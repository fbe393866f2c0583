import Testing

@testable import Varlink

@Suite struct ServerTests {
    @Test func answersACall() async throws {
        try await Lab.run { lab in
            let wire = try await lab.connect()
            #expect(
                wire.call(#"{"method":"org.example.lab.Echo","parameters":{"text":"ä"}}"#)
                    == #"{"parameters":{"text":"ä"}}"#)
        }
    }
    @Test func client() async throws {
        try await Lab.run { lab in
            try await lab.withSocket { path in
                let client = try await Client.connect(to: path)
                var numbers: [Int] = []
                for try await reply in client.callMore("org.example.lab.Count", { $0.object { $0.field("to", 3) } }) {
                    numbers.append(try reply.read { reader throws(ParameterError) in try reader.readOnly("number") })
                }
                #expect(numbers == [1, 2, 3])
            }
        }
    }
}
