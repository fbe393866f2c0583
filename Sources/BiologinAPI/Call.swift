package import Varlink

/// A call of any method, with its parameters.
package enum Call: Sendable {
    case getStatus
    case getSupport
    case isEnabled(AccountSelection)
    case getUserInfo(AccountSelection)
    case updateUserInfo(UpdateUserInfo)
    case open(Open)
    case login(Login)
    case close(AccountSelection)
    case rekey(Rekey)
    case list(ApplicationSelection)
    case monitor(ApplicationSelection)

    /// Reads the parameters of a call of `method`; throws `ParameterError` as `WireValue` does.
    package init(_ method: LoginInterface.Method, from parameters: inout JSONReader) throws(ParameterError) {
        switch method {
        case .getStatus: (_, self) = (try Nothing(from: &parameters), .getStatus)
        case .getSupport: (_, self) = (try Nothing(from: &parameters), .getSupport)
        case .isEnabled: self = .isEnabled(try AccountSelection(from: &parameters))
        case .getUserInfo: self = .getUserInfo(try AccountSelection(from: &parameters))
        case .updateUserInfo: self = .updateUserInfo(try UpdateUserInfo(from: &parameters))
        case .open: self = .open(try Open(from: &parameters))
        case .login: self = .login(try Login(from: &parameters))
        case .close: self = .close(try AccountSelection(from: &parameters))
        case .rekey: self = .rekey(try Rekey(from: &parameters))
        case .list: self = .list(try ApplicationSelection(from: &parameters))
        case .monitor: self = .monitor(try ApplicationSelection(from: &parameters))
        }
    }

    package var method: LoginInterface.Method {
        switch self {
        case .getStatus: .getStatus
        case .getSupport: .getSupport
        case .isEnabled: .isEnabled
        case .getUserInfo: .getUserInfo
        case .updateUserInfo: .updateUserInfo
        case .open: .open
        case .login: .login
        case .close: .close
        case .rekey: .rekey
        case .list: .list
        case .monitor: .monitor
        }
    }

    /// Writes the parameters, also of a call that has none.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .getStatus, .getSupport: Nothing().write(to: &json)
        case .isEnabled(let parameters): parameters.write(to: &json)
        case .getUserInfo(let parameters): parameters.write(to: &json)
        case .updateUserInfo(let parameters): parameters.write(to: &json)
        case .open(let parameters): parameters.write(to: &json)
        case .login(let parameters): parameters.write(to: &json)
        case .close(let parameters): parameters.write(to: &json)
        case .rekey(let parameters): parameters.write(to: &json)
        case .list(let parameters): parameters.write(to: &json)
        case .monitor(let parameters): parameters.write(to: &json)
        }
    }
}

/// An object without fields: the parameters or the reply of a method that has none.
package struct Nothing: WireValue {
    package init() {}

    package init(from json: inout JSONReader) throws(ParameterError) {
        try json.readObject { name, _ throws(ParameterError) in throw ParameterError(name) }
    }

    package func write(to json: inout JSONWriter) { json.object { _ in } }
}
