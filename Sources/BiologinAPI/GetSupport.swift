package import Varlink

/// Whether this computer can do biometric login now, and with what; the reply to `GetSupport`.
public struct Support: Sendable {
    /// Whether a verifier is ready.
    public var supported: Bool
    /// Each verifier, also one that is not ready.
    public var verifiers: [Verifier]

    package init(supported: Bool, verifiers: [Verifier]) {
        (self.supported, self.verifiers) = (supported, verifiers)
    }
}

extension Support: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var supported: Bool?
        var verifiers: [Verifier]?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "supported": supported = try json.readOptional()
            case "verifiers": verifiers = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(supported: try supported.required("supported"), verifiers: try verifiers.required("verifiers"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("supported", supported)
            json.field("verifiers", verifiers)
        }
    }
}
