package import Varlink

/// A change of an account or of the support for biometric login; a reply to `Monitor`.
public struct MonitorEvent: Sendable {
    /// What happened.
    public var event: Kind
    /// To which account; nil: to none in particular.
    public var account: Account?

    package init(event: Kind, account: Account? = nil) {
        (self.event, self.account) = (event, account)
    }

    /// What happened.
    public enum Kind: String, CaseIterable, Sendable {
        /// Nothing yet: the watch has begun.
        case initial
        case opened
        case closed
        case updated
        case invalidated
        case loggedIn
        case failed
        /// The support for biometric login changed.
        case support
    }
}

extension MonitorEvent: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var event: Kind?
        var account: Account?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "event": event = try json.readOptional()
            case "account": account = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(event: try event.required("event"), account: account)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("event", event)
            json.field("account", account)
        }
    }
}

extension MonitorEvent.Kind: WireName {}
