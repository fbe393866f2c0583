package import BiologinCore
package import BiologinVault

/// Keeps the records in the Secret Service of the session bus, one item each.
///
/// A call ends after 5 s, whatever the provider does, unless it asks the user. What changes items is not canceled with its
/// task, since nobody would know what it did. A provider that came in the place of another is used from the next call on.
@GLibThread package final class SecretServiceStore: RecordStore {
    /// For all that a call has to ask.
    nonisolated static let callLimit: Duration = .seconds(5)
    /// For the user to answer the prompt.
    package nonisolated static let promptLimit: Duration = .seconds(60)

    nonisolated let bus: Bus
    nonisolated let domain: String
    nonisolated let collection: SecretCollection
    nonisolated let promptLimit: Duration
    nonisolated let journal: (any Journal)?
    nonisolated let afterStep: MoveObserver
    /// One collection is made, and one lot of items moved, at a time.
    nonisolated let changes = Turnstile()
    private var known: SecretProvider?

    package nonisolated convenience init(
        bus: Bus, domain: String, collection: SecretCollection = .default, promptLimit: Duration = promptLimit,
        journal: (any Journal)? = nil
    ) {
        self.init(
            bus: bus, domain: domain, collection: collection, promptLimit: promptLimit, journal: journal
        ) { (_) throws(StoreError) in }
    }

    /// Tells `afterStep` of each step of a move.
    nonisolated init(
        bus: Bus, domain: String, collection: SecretCollection, promptLimit: Duration = promptLimit,
        journal: (any Journal)? = nil, afterStep: @escaping MoveObserver
    ) {
        (self.bus, self.domain, self.collection) = (bus, domain, collection)
        (self.promptLimit, self.journal, self.afterStep) = (promptLimit, journal, afterStep)
    }

    package func records(of account: AccountTag) async throws(StoreError) -> [[UInt8]] {
        var secrets = try await secrets(of: account)
        // An empty one was never written. Some providers answer so after a crash, and then nothing was kept; beside a record
        // it is somebody else's.
        guard secrets.remove([]) == nil || !secrets.isEmpty else { throw .corrupts }
        return secrets.map(RecordItem.record)
    }

    private func secrets(of account: AccountTag) async throws(StoreError) -> Set<[UInt8]> {
        let attributes = attributes(of: account)
        var secrets: Set<[UInt8]> = []
        for place in try await openUnlocked(attributes) {
            secrets.formUnion(try await place.secrets(of: place.items(attributes)).values)
        }
        return secrets
    }

    package func records() async throws(StoreError) -> [(account: AccountTag, record: [UInt8])] {
        var records: [(account: AccountTag, record: [UInt8])] = []
        let attributes = RecordItem.attributes(domain: domain)
        for place in try await openUnlocked(attributes) {
            for (item, secret) in try await place.secrets(of: place.items(attributes)) {
                guard let account = try await place.account(of: item) else { continue }
                records.append((account, RecordItem.record(in: secret)))
            }
        }
        return records
    }

    package func add(_ record: [UInt8], for account: AccountTag) async throws(StoreError) {
        let main = try await openUnlocked()
        try await willWrite(to: main)
        try await main.add(RecordItem.secret(of: record), attributes(of: account), within: promptLimit)
    }

    package func remove(of account: AccountTag, except record: [UInt8]?) async throws(StoreError) {
        let attributes = attributes(of: account), kept = record.map(RecordItem.secret)
        var isKept = kept == nil
        var doomed: [(place: OpenCollection, items: [String])] = []
        for place in try await openUnlocked(attributes) {
            var items = try await place.items(attributes)
            if let kept {
                let secrets = try await place.secrets(of: items)
                isKept = isKept || secrets.values.contains(kept)
                items.removeAll { secrets[$0] == kept }
            }
            doomed.append((place, items))
        }
        // What should stay is not to be found: then nothing else is safe to remove.
        guard isKept else { throw .corrupts }
        for (place, items) in doomed { try await place.delete(items, attributes, within: promptLimit) }
        // Some providers delete more than they are told to.
        guard let record, let kept, doomed.contains(where: { !$0.items.isEmpty }),
            try await !secrets(of: account).contains(kept)
        else { return }
        try await add(record, for: account)
    }

    package nonisolated func events() -> AsyncStream<StoreEvent> {
        let events = SecretServiceEvents(bus: bus, collection: collection)
        return AsyncStream { await events.next() }
    }

    nonisolated func attributes(of account: AccountTag) -> [String: String] {
        RecordItem.attributes(domain: domain, account: account)
    }
}

// MARK: Opening

extension SecretServiceStore {
    func provider(by deadline: Deadline) async throws(StoreError) -> SecretProvider {
        let provider = try await SecretProvider.find(on: bus, known: known, by: deadline)
        known = provider
        return provider
    }

    func places() async throws(StoreError) -> RecordPlaces {
        let deadline = Deadline(in: Self.callLimit)
        return try await RecordPlaces(collection, of: provider(by: deadline), by: deadline)
    }

    private func openUnlocked() async throws(StoreError) -> OpenCollection {
        guard let main = try await places().main else { throw .unavailable }
        try await unlockSilently(main)
        return main
    }

    /// Every place where items with these attributes may be, the one where they belong first.
    private func openUnlocked(_ attributes: [String: String]) async throws(StoreError) -> [OpenCollection] {
        let places = try await places()
        guard let main = places.main else { throw .unavailable }
        try await unlockSilently(main)
        guard let former = places.former else { return [main] }
        do { try await unlockSilently(former) } catch {
            // What is said to be there and cannot be had is missed; providers with collections of their own say it.
            guard try await !former.lists(attributes) else { throw error }
            return [main]
        }
        return [main, former]
    }

    /// Throws `locked` where only the user can unlock it.
    func unlockSilently(_ place: OpenCollection) async throws(StoreError) {
        guard try await place.isLocked() else { return }
        guard place.kind == .own, let own = collection.own else { throw .locked }
        let password = try await own.existingPassword()
        try await place.provider.unlock(place.path, password: password, by: place.deadline)
        guard try await !place.isLocked() else { throw .locked }
    }

    /// Sees to it that what is put there will be found again.
    func willWrite(to place: OpenCollection) async throws(StoreError) {
        guard let own = collection.own else { return }
        try await own.willWrite(to: place.kind)
        // It may be unlocked only as long as the provider runs.
        if place.kind == .own { _ = try await own.existingPassword() }
    }
}
