package import Varlink

/// Turns biometric login on: verifies the user, then seals and stores the login key.
package struct Open: Sendable {
    /// Bytes, decoded.
    package static let loginKeyLimit = 16_384

    package var application: String
    package var userInfo: UserInfo
    /// At most `loginKeyLimit` bytes: a longer one is refused with an error that is `tooLarge`.
    package var loginKey: WipedBytes
    package var policy: Policy
    /// Shown to the user; not empty.
    package var localizedReason: String
    package var server: LoginServer?

    package init(
        application: String, userInfo: UserInfo, loginKey: WipedBytes, policy: Policy, localizedReason: String,
        server: LoginServer? = nil
    ) {
        (self.application, self.userInfo, self.loginKey, self.policy) = (application, userInfo, loginKey, policy)
        (self.localizedReason, self.server) = (localizedReason, server)
    }
}

extension Open: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var application: String?
        var userInfo: UserInfo?
        var loginKey: WipedBytes?
        var policy: Policy?
        var localizedReason: String?
        var server: LoginServer?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "application": application = try json.readOptional()
            case "userInfo": userInfo = try json.readOptional()
            case "loginKey": loginKey = try json.readKey()
            case "policy": policy = try json.readOptional()
            case "localizedReason": localizedReason = try json.readOptional()
            case "server": server = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            application: try application.required("application"), userInfo: try userInfo.required("userInfo"),
            loginKey: try loginKey.required("loginKey"), policy: try policy.required("policy"),
            localizedReason: try localizedReason.required("localizedReason"), server: server)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("application", application)
            json.field("userInfo", userInfo)
            json.field("loginKey", base64: loginKey)
            json.field("policy", policy)
            json.field("localizedReason", localizedReason)
            json.field("server", server)
        }
    }
}

/// A reply to `Open`: progress, or last of all the account.
package struct Opening: Sendable {
    package var progress: Progress?
    package var account: Account?

    package init(progress: Progress? = nil, account: Account? = nil) {
        (self.progress, self.account) = (progress, account)
    }
}

extension Opening: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var progress: Progress?
        var account: Account?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "progress": progress = try json.readOptional()
            case "account": account = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(progress: progress, account: account)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("progress", progress)
            json.field("account", account)
        }
    }
}
