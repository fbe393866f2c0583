package import Varlink

/// An error of the interface, as it is answered.
public struct LoginFailure: Sendable {
    /// What some of the errors tell besides.
    public enum Detail: Sendable {
        /// Of `biometricLoginInfoModified`: "added", "removed", "allRemoved", "enrolledAnew" or "server".
        case change(String)
        /// Of `biometryNotAvailable`, which always has it.
        case availability(Availability)
        /// Of `biometryLockout`.
        case retryAfterSeconds(Int)
        /// Of `busy`: who has the reader.
        case holder(Caller)
        /// Of `serverRejected`: the server's own name of the error.
        case serverError(String)
        /// Of `limitExceeded`: which limit.
        case limit(String)
    }

    /// Which error.
    public var name: LoginErrorName
    /// What happened, in words for people.
    public var message: String
    /// What they can do about it.
    public var remedy: String?
    /// What the error tells besides.
    public var detail: Detail?

    package init(_ name: LoginErrorName, message: String, remedy: String? = nil, detail: Detail? = nil) {
        (self.name, self.message, self.remedy, self.detail) = (name, message, remedy, detail)
    }

    /// Reads the parameters of an error reply; throws `ParameterError` where they are not those of `name`, its code included.
    package init(_ name: LoginErrorName, from json: inout JSONReader) throws(ParameterError) {
        var code: Int?
        var message: String?
        var remedy: String?
        var detail: Detail?
        try json.readObject { field, json throws(ParameterError) in
            switch (name, field) {
            case (_, "code"): code = try json.readOptional()
            case (_, "message"): message = try json.readOptional()
            case (_, "remedy"): remedy = try json.readOptional()
            case (.biometricLoginInfoModified, "change"): detail = try json.readOptional().map(Detail.change)
            case (.biometryNotAvailable, "availability"): detail = try json.readOptional().map(Detail.availability)
            case (.biometryLockout, "retryAfterSeconds"): detail = try json.readOptional().map(Detail.retryAfterSeconds)
            case (.busy, "holder"): detail = try json.readOptional().map(Detail.holder)
            case (.serverRejected, "serverError"): detail = try json.readOptional().map(Detail.serverError)
            case (.limitExceeded, "limit"): detail = try json.readOptional().map(Detail.limit)
            default: throw ParameterError(field)
            }
        }
        guard code == name.code else { throw ParameterError("code") }
        if name == .biometryNotAvailable { _ = try detail.required("availability") }
        self.init(name, message: try message.required("message"), remedy: remedy, detail: detail)
    }

    /// Writes the parameters of the error reply.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("code", name.code)
            json.field("message", message)
            json.field("remedy", remedy)
            switch detail {
            case .change(let change): json.field("change", change)
            case .availability(let availability): json.field("availability", availability)
            case .retryAfterSeconds(let seconds): json.field("retryAfterSeconds", seconds)
            case .holder(let caller): json.field("holder", caller)
            case .serverError(let error): json.field("serverError", error)
            case .limit(let limit): json.field("limit", limit)
            case nil: break
            }
        }
    }
}
