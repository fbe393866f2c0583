internal import BiologinCore
internal import BiologinVault

/// What a record looks like in the store. Attributes and label are public there: they hold an opaque id and nothing else.
enum RecordItem {
    static let schema = "org.biologin.Login"
    static let label = "Biologin login key"
    static let contentType = "text/plain"
    static let schemaAttribute = "xdg:schema"

    private static let accountAttribute = "account"

    /// What the item of one account is found by, and all attributes that it has.
    static func attributes(domain: String, account: AccountTag) -> [String: String] {
        var attributes = attributes(domain: domain)
        attributes[accountAttribute] = account.description
        return attributes
    }

    /// What the items of all accounts have in common.
    static func attributes(domain: String) -> [String: String] { [schemaAttribute: schema, "domain": domain] }

    static func account(in attributes: [String: String]) -> AccountTag? {
        attributes[accountAttribute].flatMap(AccountTag.init)
    }

    /// One line of text, which every store keeps as it is.
    static func secret(of record: [UInt8]) -> [UInt8] { Base64URL.encode(record) }

    /// What is no record of ours is passed on as it is, since only the vault decides what is damaged.
    static func record(in secret: [UInt8]) -> [UInt8] { Base64URL.decode(secret) ?? secret }
}
