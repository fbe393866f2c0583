internal import BiologinAPI
internal import BiologinClient

extension Command {
    /// What changes.
    static let monitor = Command(
        name: "monitor", summary: "tell of each change of an account or of the support, until canceled"
    ) { request in
        for try await event in request.manager.changes() where event.account.map(request.isAbout) ?? true {
            try request.answer(event, orLines: [event.words])
        }
    }
}

extension MonitorEvent {
    fileprivate var words: String {
        switch event {
        case .initial: "watching"
        case .support: "support changed"
        case .loggedIn: line("logged in")
        case .opened, .closed, .updated, .invalidated, .failed: line(event.rawValue)
        }
    }

    /// The columns are as wide as the longest word, since later lines are not known.
    private func line(_ word: String) -> String {
        let padding = String(repeating: " ", count: 13 - word.count)
        return ([word + padding] + (account?.cells.prefix(2).map(\.self) ?? [])).joined(separator: " ")
    }
}
