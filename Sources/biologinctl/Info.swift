internal import BiologinAPI
internal import BiologinClient

extension Command {
    /// The card.
    static let info = Command(
        name: "info", summary: "show the account's card", details: "Exits with 10 where it was not opened."
    ) { request in
        let user = try await request.manager.biometricLoginUserAccountInfo()
        try request.answer(Card(userInfo: user), orLines: user.map { Table.of($0.facts) } ?? ["not open"])
        if user == nil { throw Answered(.notOpen) }
    }
}

extension UserInfo {
    fileprivate var facts: [(name: String, value: String)] {
        let all = [
            ("uid", uid), ("name", userName), ("nickname", nickName), ("icon", icon), ("country", countryCode),
        ]
        return all.compactMap { name, value in value.map { (name, "\(PlainText($0))") } }
    }
}
