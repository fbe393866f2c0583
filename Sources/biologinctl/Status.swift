internal import BiologinAPI
internal import BiologinClient

extension Command {
    /// What the daemon is.
    static let status = Command(name: "status", summary: "show what the daemon is and how it keeps keys") { request in
        let status = try await request.manager.status()
        try request.answer(status, orLines: Table.of(status.facts))
    }
}

extension Status {
    private static let inAFile = "file: a copy of the whole home directory has it, too"

    fileprivate var facts: [(name: String, value: String)] {
        let keyring =
            switch keyringLocked {
            case true?: " (locked)"
            case false?: " (unlocked)"
            case nil: ""
            }
        return [
            ("biologind", "\(PlainText(version))" + (simulated ? ", simulated: nobody is verified for real" : "")),
            ("device key", deviceKey == "file" ? Self.inAFile : "\(PlainText(deviceKey))"),
            ("memory", memoryLocked ? "locked" : "not locked: secrets may reach the swap"),
            ("keyring", (secretService.map { "\(PlainText($0))" } ?? "not there") + keyring),
            ("lock-out", lockedOutForSeconds.map { "\($0) s left" } ?? "none"),
            ("accounts", "\(accounts)"),
        ]
    }
}
