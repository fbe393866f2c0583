package import Varlink

/// The reply to `GetUserInfo`.
package struct Card: Sendable {
    /// Nil: the account is not open.
    package var userInfo: UserInfo?

    package init(userInfo: UserInfo? = nil) {
        self.userInfo = userInfo
    }
}

extension Card: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var userInfo: UserInfo?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "userInfo": userInfo = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(userInfo: userInfo)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("userInfo", userInfo)
        }
    }
}
