package import Varlink

/// The reply to `IsEnabled`.
public struct Enablement: Sendable {
    /// Whether a key is kept and no change of the templates is known.
    public var enabled: Bool
    /// Why not: -5001 or -5002.
    public var code: Int?
    /// The same in words for people.
    public var reason: String?

    package init(enabled: Bool, code: Int? = nil, reason: String? = nil) {
        (self.enabled, self.code, self.reason) = (enabled, code, reason)
    }
}

extension Enablement: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var enabled: Bool?
        var code: Int?
        var reason: String?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "enabled": enabled = try json.readOptional()
            case "code": code = try json.readOptional()
            case "reason": reason = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(enabled: try enabled.required("enabled"), code: code, reason: reason)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("enabled", enabled)
            json.field("code", code)
            json.field("reason", reason)
        }
    }
}
