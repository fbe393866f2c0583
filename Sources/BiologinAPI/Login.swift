package import Varlink

/// Verifies the user and releases the login key.
package struct Login: Sendable {
    /// Nil: of any application, unless `account` names one.
    package var application: String?
    /// Nil: the account that the application opened last.
    package var account: AccountID?
    /// May narrow the account's own, never widen it; nil: the account's own.
    package var policy: Policy?
    /// Shown to the user; not empty.
    package var localizedReason: String
    /// Whether to go straight to the password.
    package var fallback: Bool?

    package init(
        application: String? = nil, account: AccountID? = nil, policy: Policy? = nil, localizedReason: String,
        fallback: Bool? = nil
    ) {
        (self.application, self.account) = (application, account)
        (self.policy, self.localizedReason) = (policy, localizedReason)
        self.fallback = fallback
    }
}

extension Login: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var application: String?
        var account: AccountID?
        var policy: Policy?
        var localizedReason: String?
        var fallback: Bool?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "application": application = try json.readOptional()
            case "account": account = try json.readOptional()
            case "policy": policy = try json.readOptional()
            case "localizedReason": localizedReason = try json.readOptional()
            case "fallback": fallback = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            application: application, account: account, policy: policy,
            localizedReason: try localizedReason.required("localizedReason"), fallback: fallback)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("application", application)
            json.field("account", account)
            json.field("policy", policy)
            json.field("localizedReason", localizedReason)
            json.field("fallback", fallback)
        }
    }
}

/// A reply to `Login`: progress, or last of all the card with either the login key or the server's session.
package struct LoggingIn: Sendable {
    package var progress: Progress?
    package var userInfo: UserInfo?
    /// 1 to 16,384 bytes.
    package var loginKey: WipedBytes?
    /// The JSON object that the login server answered with, as text.
    package var session: WipedBytes?

    package init(
        progress: Progress? = nil, userInfo: UserInfo? = nil, loginKey: WipedBytes? = nil, session: WipedBytes? = nil
    ) {
        (self.progress, self.userInfo, self.loginKey, self.session) = (progress, userInfo, loginKey, session)
    }
}

extension LoggingIn: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var progress: Progress?
        var userInfo: UserInfo?
        var loginKey: WipedBytes?
        var session: WipedBytes?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "progress": progress = try json.readOptional()
            case "userInfo": userInfo = try json.readOptional()
            case "loginKey": loginKey = try json.readKey()
            case "session": session = try json.readSession()
            default: throw ParameterError(field)
            }
        }
        self.init(progress: progress, userInfo: userInfo, loginKey: loginKey, session: session)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("progress", progress)
            json.field("userInfo", userInfo)
            json.field("loginKey", base64: loginKey)
            json.field("session", json: session)
        }
    }
}
