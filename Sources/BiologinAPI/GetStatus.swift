package import Varlink

/// What a daemon is and how it protects what it keeps; the reply to `GetStatus`.
public struct Status: Sendable {
    /// Its version.
    public var version: String
    /// Whether another system bus than the real one was named: nothing is then verified for real.
    public var simulated: Bool
    /// The device key's protector: "file", "credential" or "tpm2".
    public var deviceKey: String
    /// Whether secrets are kept from being swapped out.
    public var memoryLocked: Bool
    /// Who keeps the records and where, for people: "gnome-keyring, collection Biologin".
    public var secretService: String?
    /// Whether the collection that holds the records is locked; nil: not known.
    public var keyringLocked: Bool?
    /// What is left of a lock-out; nil: none.
    public var lockedOutForSeconds: Int?
    /// How many accounts there are, of all applications.
    public var accounts: Int

    package init(
        version: String, simulated: Bool, deviceKey: String, memoryLocked: Bool, secretService: String? = nil,
        keyringLocked: Bool? = nil, lockedOutForSeconds: Int? = nil, accounts: Int
    ) {
        (self.version, self.simulated) = (version, simulated)
        (self.deviceKey, self.memoryLocked) = (deviceKey, memoryLocked)
        (self.secretService, self.keyringLocked) = (secretService, keyringLocked)
        (self.lockedOutForSeconds, self.accounts) = (lockedOutForSeconds, accounts)
    }
}

extension Status: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var version: String?
        var simulated: Bool?
        var deviceKey: String?
        var memoryLocked: Bool?
        var secretService: String?
        var keyringLocked: Bool?
        var lockedOutForSeconds: Int?
        var accounts: Int?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "version": version = try json.readOptional()
            case "simulated": simulated = try json.readOptional()
            case "deviceKey": deviceKey = try json.readOptional()
            case "memoryLocked": memoryLocked = try json.readOptional()
            case "secretService": secretService = try json.readOptional()
            case "keyringLocked": keyringLocked = try json.readOptional()
            case "lockedOutForSeconds": lockedOutForSeconds = try json.readOptional()
            case "accounts": accounts = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            version: try version.required("version"), simulated: try simulated.required("simulated"),
            deviceKey: try deviceKey.required("deviceKey"), memoryLocked: try memoryLocked.required("memoryLocked"),
            secretService: secretService, keyringLocked: keyringLocked, lockedOutForSeconds: lockedOutForSeconds,
            accounts: try accounts.required("accounts"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("version", version)
            json.field("simulated", simulated)
            json.field("deviceKey", deviceKey)
            json.field("memoryLocked", memoryLocked)
            json.field("secretService", secretService)
            json.field("keyringLocked", keyringLocked)
            json.field("lockedOutForSeconds", lockedOutForSeconds)
            json.field("accounts", accounts)
        }
    }
}
