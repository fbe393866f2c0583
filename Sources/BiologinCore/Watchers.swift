/// Who is told what happens to accounts. It belongs to one actor.
struct Watchers {
    /// Events that may wait for one watcher; one that falls further behind is let go.
    static let backlog = 1024

    private var watchers: [(application: String?, events: AsyncStream<AccountEvent>.Continuation)] = []

    mutating func add(_ application: String?) -> AsyncStream<AccountEvent> {
        let (stream, events) = AsyncStream.makeStream(
            of: AccountEvent.self, bufferingPolicy: .bufferingOldest(Self.backlog))
        watchers.append((application, events))
        return stream
    }

    /// Tells whoever watches the account's application; everyone, where no account is meant.
    mutating func tell(_ kind: AccountEvent.Kind, _ profile: Profile?) {
        watchers.removeAll { watcher in
            if let profile, let application = watcher.application, application != profile.id.application {
                return false
            }
            switch watcher.events.yield(AccountEvent(kind: kind, profile: profile)) {
            case .enqueued: return false
            case .dropped:
                watcher.events.finish()
                return true
            case .terminated: return true
            @unknown default: return true
            }
        }
    }

    mutating func finish() {
        for watcher in watchers { watcher.events.finish() }
        watchers = []
    }
}
