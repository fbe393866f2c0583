package import Varlink

/// The account that `IsEnabled`, `GetUserInfo` and `Close` are about.
package struct AccountSelection: Sendable {
    /// Nil: of any application, unless `account` names one.
    package var application: String?
    /// Nil: the account that the application opened last.
    package var account: AccountID?

    package init(application: String? = nil, account: AccountID? = nil) {
        (self.application, self.account) = (application, account)
    }
}

extension AccountSelection: WireValue {
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
