package import Varlink

/// Replaces what is shown of the account; its reply is `Nothing`.
package struct UpdateUserInfo: Sendable {
    /// Nil: of any application, unless `account` names one.
    package var application: String?
    /// Nil: the account that the application opened last.
    package var account: AccountID?
    /// Its uid is the account's.
    package var userInfo: UserInfo

    package init(application: String? = nil, account: AccountID? = nil, userInfo: UserInfo) {
        (self.application, self.account, self.userInfo) = (application, account, userInfo)
    }
}

extension UpdateUserInfo: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var application: String?
        var account: AccountID?
        var userInfo: UserInfo?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "application": application = try json.readOptional()
            case "account": account = try json.readOptional()
            case "userInfo": userInfo = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(application: application, account: account, userInfo: try userInfo.required("userInfo"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("application", application)
            json.field("account", account)
            json.field("userInfo", userInfo)
        }
    }
}
