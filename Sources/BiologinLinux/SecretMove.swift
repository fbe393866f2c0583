internal import BiologinCore
internal import BiologinVault

/// What has just been done, told to a test that wants to stop there.
enum MoveStep: CaseIterable, Sendable { case passwordMade, collectionMade, announced, added, deleted, settled }

typealias MoveObserver = @Sendable (MoveStep) throws(StoreError) -> Void

extension SecretServiceStore {
    /// Moves every record into the collection where it belongs: it is added there, read back, and only then deleted. Whoever
    /// is killed leaves each in one of the two places or in both. What cannot be moved stays, and is found where it is.
    func move() async throws(StoreError) {
        let places = try await places()
        guard let own = collection.own, let main = places.main, let former = places.former else { return }
        try await willWrite(to: main)
        try afterStep(.announced)
        let attributes = RecordItem.attributes(domain: domain)
        for item in try await former.items(attributes) {
            do throws(StoreError) { try await move(item, from: former.anew(), to: main.anew()) } catch {
                switch error {
                case .corrupts, .failed: report("a record could not be moved to the collection of its kind: \(error)")
                default: throw error
                }
            }
        }
        guard try await !hasRecords(former.anew(), missingIn: main) else { return }
        try await own.remember(allIn: main.kind)
        try afterStep(.settled)
    }

    private func report(_ detail: String) {
        journal?.record(JournalEvent(.failed, account: nil, caller: nil, detail: detail))
    }

    /// Whether something is left there that may be a record: what says nobody's account is none, and what is empty is none
    /// beside a record.
    private func hasRecords(
        _ former: OpenCollection, missingIn main: OpenCollection
    ) async throws(StoreError) -> Bool {
        let attributes = RecordItem.attributes(domain: domain)
        for (item, secret) in try await former.secrets(of: former.items(attributes)) {
            guard let account = try await former.account(of: item) else { continue }
            guard secret.isEmpty, try await !main.anew().items(self.attributes(of: account)).isEmpty else {
                return true
            }
        }
        return false
    }

    private func move(
        _ item: String, from former: OpenCollection, to main: OpenCollection
    ) async throws(StoreError) {
        guard let account = try await former.account(of: item) else { return }
        let attributes = attributes(of: account)
        guard let secret = try await former.secrets(of: [item])[item], !secret.isEmpty else { throw .corrupts }
        // Somebody may have been killed after he had added it.
        if try await !main.secrets(of: main.items(attributes)).values.contains(secret) {
            try await main.add(secret, attributes, within: promptLimit)
        }
        try afterStep(.added)
        try await former.anew().delete([item], attributes, within: promptLimit)
        try afterStep(.deleted)
    }
}
