package import Varlink

/// Where a key is checked after the user was verified.
public struct LoginServer: Sendable {
    /// "oauth2" or "http".
    public var kind: String
    /// The address that the key is sent to.
    public var endpoint: String
    /// The client's name at the server (OAuth 2.0, RFC 6749).
    public var clientId: String?
    /// The scope asked for (RFC 6749).
    public var scope: String?
    /// Whether tokens are bound to a key of this computer.
    public var proofOfPossession: Bool?

    /// The daemon checks the values.
    public init(
        kind: String, endpoint: String, clientId: String? = nil, scope: String? = nil, proofOfPossession: Bool? = nil
    ) {
        (self.kind, self.endpoint, self.clientId, self.scope) = (kind, endpoint, clientId, scope)
        self.proofOfPossession = proofOfPossession
    }
}

extension LoginServer: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var kind: String?
        var endpoint: String?
        var clientId: String?
        var scope: String?
        var proofOfPossession: Bool?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "kind": kind = try json.readOptional()
            case "endpoint": endpoint = try json.readOptional()
            case "clientId": clientId = try json.readOptional()
            case "scope": scope = try json.readOptional()
            case "proofOfPossession": proofOfPossession = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            kind: try kind.required("kind"), endpoint: try endpoint.required("endpoint"), clientId: clientId,
            scope: scope, proofOfPossession: proofOfPossession)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("kind", kind)
            json.field("endpoint", endpoint)
            json.field("clientId", clientId)
            json.field("scope", scope)
            json.field("proofOfPossession", proofOfPossession)
        }
    }
}
