package import BiologinCore
package import BiologinVault

/// Keeps the records in the Secret Service of the session bus, one item each.
///
/// A call ends after 5 s, whatever the provider does. What changes items is not canceled with its task, since nobody would
/// know what it did. A provider that came in the place of another is used from the next call on.
@GLibThread package final class SecretServiceStore: RecordStore {
    /// For all that a call has to ask.
    nonisolated static let callLimit: Duration = .seconds(5)
    /// For the user to answer the prompt.
    package nonisolated static let promptLimit: Duration = .seconds(60)

    private nonisolated let bus: Bus
    private nonisolated let domain: String
    private nonisolated let collection: SecretCollection
    private nonisolated let promptLimit: Duration
    private var known: SecretProvider?

    package nonisolated init(
        bus: Bus, domain: String, collection: SecretCollection = .default, promptLimit: Duration = promptLimit
    ) {
        (self.bus, self.domain, self.collection, self.promptLimit) = (bus, domain, collection, promptLimit)
    }

    package func status() async throws(StoreError) -> StoreStatus {
        let opened = try await open()
        let process = try await opened.provider.processID(by: opened.deadline).map(ProviderProcess.init)
        let label = try await opened.label()
        var locked = try await opened.isLocked()
        // Not before: a locked provider may take for ever to search.
        if !locked { locked = try await !opened.lockedItems(RecordItem.attributes(domain: domain)).isEmpty }
        return StoreStatus(
            description: "\(process?.title ?? "unknown"), collection \(label)",
            identity: StoreIdentity(executable: process?.executable ?? "", collection: opened.path), locked: locked)
    }

    package func unlock() async throws(StoreError) {
        var opened = try await open()
        if try await opened.isLocked() {
            opened = try await ask(opened, toUnlock: [opened.path])
            guard try await !opened.isLocked() else { throw .locked }
        }
        // Some providers lock each item until the user lets this program read it.
        let attributes = RecordItem.attributes(domain: domain)
        let items = try await opened.lockedItems(attributes)
        guard !items.isEmpty else { return }
        opened = try await ask(opened, toUnlock: items)
        guard try await opened.lockedItems(attributes).isEmpty else { throw .locked }
    }

    /// Returns the collection as it is afterwards, which is all that tells whether it is unlocked.
    private func ask(
        _ opened: OpenCollection, toUnlock paths: [String]
    ) async throws(StoreError) -> OpenCollection {
        try await opened.provider.unlock(paths, within: promptLimit, by: opened.deadline)
        return try await open()
    }

    package func records(of account: AccountTag) async throws(StoreError) -> [[UInt8]] {
        let opened = try await openUnlocked()
        let secrets = try await opened.secrets(of: opened.items(attributes(of: account)))
        // Never written, so it was not kept: some providers answer so after a crash.
        guard !secrets.values.contains([]) else { throw .corrupts }
        return secrets.values.map(RecordItem.record)
    }

    package func records() async throws(StoreError) -> [(account: AccountTag, record: [UInt8])] {
        let opened = try await openUnlocked()
        let secrets = try await opened.secrets(of: opened.items(RecordItem.attributes(domain: domain)))
        var records: [(account: AccountTag, record: [UInt8])] = []
        for (item, secret) in secrets {
            guard let account = try await opened.account(of: item) else { continue }
            records.append((account, RecordItem.record(in: secret)))
        }
        return records
    }

    package func add(_ record: [UInt8], for account: AccountTag) async throws(StoreError) {
        let opened = try await openUnlocked()
        let attributes = attributes(of: account)
        let before = try await opened.items(attributes)
        let secret = RecordItem.secret(of: record)
        let item = try await opened.provider.create(
            secret, attributes: attributes, in: opened.path, by: opened.deadline)
        // Not a new one: what it was before is not ours to delete.
        guard !before.contains(item) else { throw .corrupts }
        do throws(StoreError) {
            guard try await opened.items(attributes).contains(item),
                try await opened.secrets(of: [item])[item] == secret
            else { throw .corrupts }
        } catch {
            _ = try? await opened.provider.delete(item, by: Deadline(in: Self.callLimit))
            throw error
        }
    }

    package func remove(of account: AccountTag, except kept: [UInt8]?) async throws(StoreError) {
        let opened = try await openUnlocked()
        let attributes = attributes(of: account)
        var items = try await opened.items(attributes)
        if let kept = kept.map(RecordItem.secret) {
            let secrets = try await opened.secrets(of: items)
            // What should stay is not to be found: then nothing else is safe to remove.
            guard secrets.values.contains(kept) else { throw .corrupts }
            items.removeAll { secrets[$0] == kept }
        }
        for item in items where try await !opened.provider.delete(item, by: opened.deadline) {
            throw .failed("the user did not let an item be deleted")
        }
        guard try await Set(items).isDisjoint(with: opened.items(attributes)) else {
            throw .failed("a deleted item is still there")
        }
    }

    package nonisolated func events() -> AsyncStream<StoreEvent> {
        let events = SecretServiceEvents(bus: bus, collection: collection)
        return AsyncStream { await events.next() }
    }

    private nonisolated func attributes(of account: AccountTag) -> [String: String] {
        RecordItem.attributes(domain: domain, account: account)
    }

    private func open() async throws(StoreError) -> OpenCollection {
        let deadline = Deadline(in: Self.callLimit)
        let provider = try await SecretProvider.find(on: bus, known: known, by: deadline)
        known = provider
        return try await OpenCollection(collection, of: provider, by: deadline)
    }

    private func openUnlocked() async throws(StoreError) -> OpenCollection {
        let opened = try await open()
        guard try await !opened.isLocked() else { throw .locked }
        return opened
    }
}
