/// Who is told what happens to accounts. It belongs to one actor.
struct Watchers {
    /// Events that may wait for one watcher; one that falls further behind is let go.
    static let backlog = 1024

    struct ID: Hashable { fileprivate let number: Int }

    private var watchers: [(id: ID, application: String?, events: AsyncStream<AccountEvent>.Continuation)] = []
    private var counter = 0

    var count: Int { watchers.count }

    mutating func add(_ application: String?) -> (ID, AsyncStream<AccountEvent>) {
        let (stream, events) = AsyncStream.makeStream(
            of: AccountEvent.self, bufferingPolicy: .bufferingOldest(Self.backlog))
        counter += 1
        watchers.append((ID(number: counter), application, events))
        return (ID(number: counter), stream)
    }

    mutating func remove(_ id: ID) { watchers.removeAll { $0.id == id } }

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
