package import Varlink

/// An account for which biometric login was opened. Times are UTC, RFC 3339.
public struct Account: Sendable {
    /// The application and its user.
    public var id: AccountID
    /// Whether its key can still be released.
    public var state: AccountState
    /// What is shown of it.
    public var userInfo: UserInfo
    /// The widest way of verification that releases its key.
    public var policy: Policy
    /// How surely a change of the templates is noticed.
    public var changeDetection: ChangeDetection
    /// Where its key is checked; nil: nowhere.
    public var server: LoginServer?
    /// The program that opened it.
    public var openedBy: Caller
    /// When it was opened.
    public var openedAt: String
    /// When its key was last released.
    public var lastLoginAt: String?

    package init(
        id: AccountID, state: AccountState, userInfo: UserInfo, policy: Policy, changeDetection: ChangeDetection,
        server: LoginServer? = nil, openedBy: Caller, openedAt: String, lastLoginAt: String? = nil
    ) {
        (self.id, self.state, self.userInfo, self.policy) = (id, state, userInfo, policy)
        (self.changeDetection, self.server) = (changeDetection, server)
        (self.openedBy, self.openedAt) = (openedBy, openedAt)
        self.lastLoginAt = lastLoginAt
    }
}

extension Account: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var id: AccountID?
        var state: AccountState?
        var userInfo: UserInfo?
        var policy: Policy?
        var changeDetection: ChangeDetection?
        var server: LoginServer?
        var openedBy: Caller?
        var openedAt: String?
        var lastLoginAt: String?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "id": id = try json.readOptional()
            case "state": state = try json.readOptional()
            case "userInfo": userInfo = try json.readOptional()
            case "policy": policy = try json.readOptional()
            case "changeDetection": changeDetection = try json.readOptional()
            case "server": server = try json.readOptional()
            case "openedBy": openedBy = try json.readOptional()
            case "openedAt": openedAt = try json.readOptional()
            case "lastLoginAt": lastLoginAt = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            id: try id.required("id"), state: try state.required("state"), userInfo: try userInfo.required("userInfo"),
            policy: try policy.required("policy"), changeDetection: try changeDetection.required("changeDetection"),
            server: server, openedBy: try openedBy.required("openedBy"), openedAt: try openedAt.required("openedAt"),
            lastLoginAt: lastLoginAt)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("state", state)
            json.field("userInfo", userInfo)
            json.field("policy", policy)
            json.field("changeDetection", changeDetection)
            json.field("server", server)
            json.field("openedBy", openedBy)
            json.field("openedAt", openedAt)
            json.field("lastLoginAt", lastLoginAt)
        }
    }
}

/// Whether an account's key is released after a verification.
public enum AccountState: String, CaseIterable, Sendable {
    case enabled
    /// The enrolled templates changed: it has to be opened again.
    case invalidated
}

extension AccountState: WireName {}
