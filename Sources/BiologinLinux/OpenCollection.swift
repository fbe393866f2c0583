internal import BiologinCore
internal import BiologinVault

/// A collection of one provider, for the calls that a deadline leaves time for. An empty answer is only believed of an
/// unlocked collection.
@GLibThread struct OpenCollection {
    let kind: SecretCollection.Kind
    let provider: SecretProvider
    let path: String
    let deadline: Deadline

    init(_ kind: SecretCollection.Kind, at path: String, of provider: SecretProvider, by deadline: Deadline) {
        (self.kind, self.path, self.provider, self.deadline) = (kind, path, provider, deadline)
    }

    /// The same with all the time that a call has.
    func anew() -> OpenCollection {
        OpenCollection(kind, at: path, of: provider, by: Deadline(in: SecretServiceStore.callLimit))
    }

    func isLocked() async throws(StoreError) -> Bool {
        // Whoever does not say is not asked for more.
        try await provider.property("Locked", of: "Collection", at: path, by: deadline)?.bool ?? true
    }

    /// For people.
    func label() async throws(StoreError) -> String {
        let label = try await provider.label(of: path, by: deadline)
        return label.isEmpty ? path : label
    }

    func items(_ attributes: [String: String]) async throws(StoreError) -> [String] {
        let items = try await provider.items(with: attributes, in: path, by: deadline)
        // It may have been locked since it was opened, and the answer be empty for that.
        if items.isEmpty, try await isLocked() { throw .locked }
        return items
    }

    /// Whether it says, while it is locked, that there are such items.
    func lists(_ attributes: [String: String]) async throws(StoreError) -> Bool {
        // gnome-keyring does not know the schema of what it has not unlocked since it was started.
        let attributes = attributes.filter { $0.key != RecordItem.schemaAttribute }
        return try await !provider.items(with: attributes, in: path, by: deadline).isEmpty
    }

    /// Those that are locked by themselves.
    func lockedItems(_ attributes: [String: String]) async throws(StoreError) -> [String] {
        try await provider.lockedItems(with: attributes, by: deadline).filter { $0.hasPrefix(path + "/") }
    }

    /// The secret of every one of the items.
    func secrets(of items: [String]) async throws(StoreError) -> [String: [UInt8]] {
        let secrets = try await provider.secrets(of: items, by: deadline)
        for item in items where secrets[item] == nil {
            // It was locked meanwhile, or that item is by itself.
            let locked = try await provider.property("Locked", of: "Item", at: item, by: deadline)?.bool ?? true
            throw locked ? .locked : .failed("an item without its secret")
        }
        return secrets
    }

    /// Whose record it is; nil if it does not say so as ours do.
    func account(of item: String) async throws(StoreError) -> AccountTag? {
        let attributes = try await provider.property("Attributes", of: "Item", at: item, by: deadline)
        let pairs = (attributes?.children ?? []).compactMap { entry -> (String, String)? in
            guard let key = entry[0]?.string, let value = entry[1]?.string else { return nil }
            return (key, value)
        }
        return RecordItem.account(in: Dictionary(pairs) { first, _ in first })
    }
}

// MARK: Changing

extension OpenCollection {
    /// Adds an item beside those that are there, reads it back and compares; if it throws, nothing of it is left behind as
    /// far as the provider can be asked.
    ///
    /// - Parameter limit: for the user to answer a prompt of the provider.
    func add(_ secret: [UInt8], _ attributes: [String: String], within limit: Duration) async throws(StoreError) {
        let before = try await items(attributes)
        let item = try await provider.create(secret, attributes: attributes, in: path, within: limit, by: deadline)
        // Not a new one: what it was before is not ours to delete.
        guard !before.contains(item) else { throw .corrupts }
        let collection = anew()
        do throws(StoreError) {
            guard try await collection.items(attributes).contains(item),
                try await collection.secrets(of: [item])[item] == secret
            else { throw .corrupts }
        } catch {
            _ = try? await anew().provider.delete(item, within: limit, by: Deadline(in: SecretServiceStore.callLimit))
            throw error
        }
    }

    /// Throws if one of these items of ours is not gone then.
    func delete(
        _ items: [String], _ attributes: [String: String], within limit: Duration
    ) async throws(StoreError) {
        for item in items {
            // A prompt may have taken its time.
            let deadline = Deadline(in: SecretServiceStore.callLimit)
            do throws(StoreError) {
                guard try await provider.delete(item, within: limit, by: deadline) else {
                    throw .failed("the user did not let an item be deleted")
                }
            } catch {
                // It may have gone with another one.
                guard case .failed = error, try await !anew().items(attributes).contains(item) else { throw error }
            }
        }
        guard try await Set(items).isDisjoint(with: anew().items(attributes)) else {
            throw .failed("a deleted item is still there")
        }
    }
}
