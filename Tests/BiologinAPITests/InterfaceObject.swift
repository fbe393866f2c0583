import BiologinAPI
import Testing
import Varlink

extension InterfaceDefinition {
    static let ofThisModule = InterfaceDefinition(LoginInterface.description)
}

/// An object of the interface: a type of its own, parameters, a reply or an error.
struct InterfaceObject: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fields: [InterfaceDefinition.Field]
    /// Reads the text and writes what was read.
    let copy: @Sendable (String) throws -> String

    private init(
        _ name: String, _ fields: [InterfaceDefinition.Field], _ copy: @escaping @Sendable (String) throws -> String
    ) {
        (testDescription, self.fields, self.copy) = (name, fields, copy)
    }

    static let all: [InterfaceObject] =
        InterfaceDefinition.ofThisModule.types.sorted { $0.key < $1.key }.compactMap { name, shape in
            guard case .fields(let fields) = shape else { return nil }
            return InterfaceObject(name, fields) { try types[name]!($0) }
        }
        + InterfaceDefinition.ofThisModule.methods.flatMap { method in
            [
                InterfaceObject("\(method.name) parameters", method.parameters) { text in
                    let known = try #require(LoginInterface.Method(rawValue: method.name))
                    return try rewrite(text) { json throws(ParameterError) in
                        let call = try Call(known, from: &json)
                        #expect(call.method == known)
                        return JSONWriter.text(call.write)
                    }
                },
                InterfaceObject("\(method.name) reply", method.reply) { try replies[method.name]!($0) },
            ]
        }
        + InterfaceDefinition.ofThisModule.errors.map { error in
            InterfaceObject("\(error.name) error", error.fields) { text in
                let name = try #require(LoginErrorName(rawValue: error.name))
                return try rewrite(text.replacing("\"code\":7", with: "\"code\":\(error.code)")) {
                    json throws(ParameterError) in
                    JSONWriter.text(try LoginFailure(name, from: &json).write)
                }.replacing("\"code\":\(error.code)", with: "\"code\":7")
            }
        }

    private static let types: [String: @Sendable (String) throws -> String] = [
        "UserInfo": copy(UserInfo.self), "AccountID": copy(AccountID.self), "Verifier": copy(Verifier.self),
        "LoginServer": copy(LoginServer.self), "Caller": copy(Caller.self), "Account": copy(Account.self),
        "Progress": copy(Progress.self),
    ]

    private static let replies: [String: @Sendable (String) throws -> String] = [
        "GetStatus": copy(Status.self), "GetSupport": copy(Support.self), "IsEnabled": copy(Enablement.self),
        "GetUserInfo": copy(Card.self), "UpdateUserInfo": copy(Nothing.self), "Open": copy(Opening.self),
        "Login": copy(LoggingIn.self), "Close": copy(Nothing.self), "Rekey": copy(Rekeying.self),
        "List": copy(Accounts.self), "Monitor": copy(MonitorEvent.self),
    ]

    private static func copy<Value: WireValue>(_: Value.Type) -> @Sendable (String) throws -> String {
        { try rewrite($0) { json throws(ParameterError) in JSONWriter.text(try Value(from: &json).write) } }
    }
}

private func rewrite(_ text: String, _ copy: (inout JSONReader) throws(ParameterError) -> WipedBytes) throws -> String {
    var json = try JSONReader(validating: Array(text.utf8).span)
    return try copy(&json).withBytes { bytes in
        String(decoding: unsafe bytes.withUnsafeBytes { Array($0) }, as: UTF8.self)
    }
}
