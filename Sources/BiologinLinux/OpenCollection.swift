internal import BiologinCore
internal import BiologinVault

/// Which collection of the Secret Service holds the records.
package enum SecretCollection: Sendable {
    /// The one that the provider calls "default", most often the login keyring; unlocked by the provider's prompt.
    case `default`
}

/// A collection of one provider, for the calls that a deadline leaves time for. An empty answer is only believed of an
/// unlocked collection.
@GLibThread struct OpenCollection {
    let provider: SecretProvider
    let path: String
    let deadline: Deadline

    /// Throws `unavailable` if there is no such collection.
    init(
        _ collection: SecretCollection, of provider: SecretProvider, by deadline: Deadline
    ) async throws(StoreError) {
        let path =
            switch collection {
            case .default: try await provider.collection(alias: "default", by: deadline)
            }
        guard let path else { throw .unavailable }
        (self.provider, self.path, self.deadline) = (provider, path, deadline)
    }

    func isLocked() async throws(StoreError) -> Bool {
        // Whoever does not say is not asked for more.
        try await provider.property("Locked", of: "Collection", at: path, by: deadline)?.bool ?? true
    }

    /// For people.
    func label() async throws(StoreError) -> String {
        let label = try await provider.property("Label", of: "Collection", at: path, by: deadline)?.string
        return label.flatMap { $0.isEmpty ? nil : $0 } ?? path
    }

    func items(_ attributes: [String: String]) async throws(StoreError) -> [String] {
        let items = try await provider.items(with: attributes, in: path, by: deadline)
        // It may have been locked since it was opened, and the answer be empty for that.
        if items.isEmpty, try await isLocked() { throw .locked }
        return items
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
