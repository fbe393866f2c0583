package import Varlink

/// Who logs in: the uid names the account at its login server, the rest is for people to look at.
public struct UserInfo: Sendable {
    /// 1 to 256 bytes of UTF-8, compared byte for byte.
    public var uid: String
    /// At most 256 Unicode scalars.
    public var userName: String?
    /// At most 256 Unicode scalars.
    public var nickName: String?
    /// The address of a picture, `https:`, `file:` or `data:`; at most 64 KiB.
    public var icon: String?
    /// A calling code ("86") or an ISO 3166 code ("DE").
    public var countryCode: String?

    /// The daemon checks the values.
    public init(
        uid: String, userName: String? = nil, nickName: String? = nil, icon: String? = nil, countryCode: String? = nil
    ) {
        (self.uid, self.userName, self.nickName, self.icon) = (uid, userName, nickName, icon)
        self.countryCode = countryCode
    }
}

extension UserInfo: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var uid: String?
        var userName: String?
        var nickName: String?
        var icon: String?
        var countryCode: String?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "uid": uid = try json.readOptional()
            case "userName": userName = try json.readOptional()
            case "nickName": nickName = try json.readOptional()
            case "icon": icon = try json.readOptional()
            case "countryCode": countryCode = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            uid: try uid.required("uid"), userName: userName, nickName: nickName, icon: icon, countryCode: countryCode)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("uid", uid)
            json.field("userName", userName)
            json.field("nickName", nickName)
            json.field("icon", icon)
            json.field("countryCode", countryCode)
        }
    }
}
