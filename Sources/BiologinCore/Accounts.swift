import BiologinVault

/// All accounts, as they stand in the state directory.
struct Accounts {
    static let limit = 10_000
    /// Bytes that all cards may take together.
    static let cardsLimit = 8 * 1024 * 1024

    private var saved: [AccountTag: SavedAccount] = [:]
    /// The open accounts of each application, the one opened last at the end.
    private var order: [String: [AccountTag]] = [:]
    private(set) var cardsSize = 0

    init(_ accounts: [SavedAccount] = []) {
        for account in accounts { self[account.tag] = account }
    }

    var tags: [AccountTag] { Array(saved.keys) }
    var open: [Profile] { order.values.joined().compactMap { saved[$0]?.current } }
    var count: Int { order.values.reduce(0) { $0 + $1.count } }

    subscript(tag: AccountTag) -> SavedAccount {
        get { saved[tag] ?? SavedAccount(tag: tag) }
        set {
            let old = saved[tag]?.current, new = newValue.current
            saved[tag] = newValue == SavedAccount(tag: tag) ? nil : newValue
            cardsSize += (new?.userInfo.size ?? 0) - (old?.userInfo.size ?? 0)
            guard old?.generation != new?.generation else { return }
            if let old { order[old.id.application]?.removeAll { $0 == tag } }
            if let new { insert(tag, of: new) }
        }
    }

    private mutating func insert(_ tag: AccountTag, of profile: Profile) {
        var tags = order[profile.id.application] ?? []
        let index = tags.lastIndex { (saved[$0]?.current?.generation ?? 0) < profile.generation }
        tags.insert(tag, at: index.map { $0 + 1 } ?? 0)
        order[profile.id.application] = tags
    }

    /// The account of `application`, or of all, that was opened last.
    func last(of application: String?) -> Profile? {
        let lists = application.map { [order[$0] ?? []] } ?? Array(order.values)
        return lists.compactMap { $0.last.flatMap { saved[$0]?.current } }.max { $0.generation < $1.generation }
    }

    func open(of application: String?) -> [Profile] {
        guard let application else { return open }
        return (order[application] ?? []).compactMap { saved[$0]?.current }
    }
}
