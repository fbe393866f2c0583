internal import BiologinAPI
internal import CommandLineOptions

/// The options that say what is shown of an account.
enum CardOptions {
    static let userName = Option("user-name", "NAME", help: "the user's name")
    static let nickName = Option("nick-name", "NAME", help: "the user's nickname")
    static let icon = Option("icon", "ADDRESS", help: "the address of a picture: https:, file: or data:")
    static let countryCode = Option("country-code", "CODE", help: "a calling code (86) or an ISO 3166 code (DE)")
    static let all = [userName, nickName, icon, countryCode]

    /// The card with what was given put in; an empty text takes a line out.
    static func apply(_ arguments: Arguments, to card: UserInfo) -> UserInfo {
        var card = card
        let fields: [(Option, WritableKeyPath<UserInfo, String?>)] = [
            (userName, \.userName), (nickName, \.nickName), (icon, \.icon), (countryCode, \.countryCode),
        ]
        for (option, field) in fields {
            guard let text = arguments[option] else { continue }
            card[keyPath: field] = text.isEmpty ? nil : text
        }
        return card
    }
}
