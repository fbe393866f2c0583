internal import BiologinAPI
internal import BiologinClient

extension Command {
    /// Every account.
    static let list = Command(
        name: "list", summary: "list the accounts of the application, or all",
        details: "CHANGES tells which changes of the enrolled fingers are noticed: names (a finger added or removed),\n"
            + "watched (also any enrollment while the daemon runs) or content (any)."
    ) { request in
        let accounts = try await request.manager.accounts().filter(request.isAbout)
        let heading = ["APPLICATION", "UID", "NAME", "STATE", "CHANGES", "OPENED", "LAST LOGIN"]
        let rows = accounts.map { account in
            account.cells
                + [account.changeDetection.rawValue, account.openedAt, account.lastLoginAt ?? "never"].map {
                    "\(PlainText($0))"
                }
        }
        try request.answer(
            Accounts(accounts: accounts), orLines: accounts.isEmpty ? ["no accounts"] : Table.rows([heading] + rows))
    }
}

extension Request {
    /// Whether the account is the one that --uid names, if it was given.
    func isAbout(_ account: Account) -> Bool {
        manager.uid.map { account.id.uid.utf8.elementsEqual($0.utf8) } ?? true
    }
}
