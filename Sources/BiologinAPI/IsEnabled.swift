package import Varlink

/// Asks whether a key is kept for the account and no change of the templates is known.
package struct IsEnabled: Sendable {
    /// Nil: of any application, unless `account` names one.
    package var application: String?
    /// Nil: the account that the application opened last.
    package var account: AccountID?

    package init(application: String? = nil, account: AccountID? = nil) {
        (self.application, self.account) = (application, account)
    }
}

extension IsEnabled: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var application: String?
        var account: AccountID?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "application": application = try json.readOptional()
            case "account": account = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(application: application, account: account)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("application", application)
            json.field("account", account)
        }
    }
}

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
