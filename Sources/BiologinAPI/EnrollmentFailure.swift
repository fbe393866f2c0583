package import Varlink

/// Why there is no digest: an error of the interface, with its parameters.
package enum EnrollmentFailure: Error, Equatable, CustomStringConvertible, Sendable {
    case unknownUser
    /// Says why, for people.
    case templatesUnreadable(String)
    /// Names the limit.
    case templatesTooLarge(String)
    case templatesChanging
    /// Says why, for people.
    case keyUnavailable(String)

    /// The name it is sent under.
    package var qualifiedName: String {
        let name =
            switch self {
            case .unknownUser: "UnknownUser"
            case .templatesUnreadable: "TemplatesUnreadable"
            case .templatesTooLarge: "TemplatesTooLarge"
            case .templatesChanging: "TemplatesChanging"
            case .keyUnavailable: "KeyUnavailable"
            }
        return "\(EnrollmentInterface.name).\(name)"
    }

    /// For the log.
    package var description: String {
        switch self {
        case .unknownUser: "a user without a name"
        case .templatesUnreadable(let reason): "templates cannot be read: \(reason)"
        case .templatesTooLarge(let limit): "templates of more than \(limit)"
        case .templatesChanging: "templates that change all the time"
        case .keyUnavailable(let reason): "the key cannot be had: \(reason)"
        }
    }

    /// Writes its parameters.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .unknownUser, .templatesChanging: break
            case .templatesUnreadable(let reason), .keyUnavailable(let reason): json.field("reason", reason)
            case .templatesTooLarge(let limit): json.field("limit", limit)
            }
        }
    }
}
