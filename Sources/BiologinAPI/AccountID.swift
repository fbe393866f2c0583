package import Varlink

/// One user of one application.
public struct AccountID: Sendable {
    /// A reverse-DNS name, such as "com.example.mail"; at most 255 characters.
    public var application: String
    /// 1 to 256 bytes of UTF-8, compared byte for byte.
    public var uid: String

    /// The daemon checks the values.
    public init(application: String, uid: String) {
        (self.application, self.uid) = (application, uid)
    }
}

extension AccountID: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var application: String?
        var uid: String?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "application": application = try json.readOptional()
            case "uid": uid = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(application: try application.required("application"), uid: try uid.required("uid"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("application", application)
            json.field("uid", uid)
        }
    }
}
