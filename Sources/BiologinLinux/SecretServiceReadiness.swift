package import BiologinCore
internal import BiologinVault

// How the store is found, and made ready.

extension SecretServiceStore {
    package func status() async throws(StoreError) -> StoreStatus {
        let deadline = Deadline(in: Self.callLimit)
        let provider = try await provider(by: deadline)
        let places = try await RecordPlaces(collection, of: provider, by: deadline)
        let process = try await provider.processID(by: deadline).map(ProviderProcess.init)
        let label = try await places.main?.label() ?? collection.own?.label ?? ""
        let (locked, preparation) = try await preparation(places)
        func identity(_ path: String?) -> StoreIdentity {
            StoreIdentity(executable: process?.executable ?? "", collection: path ?? "")
        }
        return StoreStatus(
            description: "\(process?.title ?? "unknown"), collection \(label)",
            identity: identity(places.main?.path),
            formerly: try await formerPath(places, provider, deadline).map(identity), locked: locked,
            preparation: preparation)
    }

    /// Where the records were if they are moved, or were a moment before the daemon was killed.
    private func formerPath(
        _ places: RecordPlaces, _ provider: SecretProvider, _ deadline: Deadline
    ) async throws(StoreError) -> String? {
        if let former = places.former { return former.path }
        guard let own = collection.own, try await provider.canHaveOwnCollection(by: deadline) else { return nil }
        switch places.kind {
        case .own: return try await provider.collection(alias: "default", by: deadline)
        case .default:
            let path = try await own.memory.path
            return try await provider.collections(by: deadline).contains(path) ? path : nil
        }
    }

    private func preparation(
        _ places: RecordPlaces
    ) async throws(StoreError) -> (locked: Bool, StoreStatus.Preparation) {
        guard let main = places.main else { return (false, .silent) }
        let attributes = RecordItem.attributes(domain: domain)
        var locked = try await main.isLocked()
        // Not before: a locked provider may take for ever to search.
        if !locked, main.kind == .default { locked = try await !main.lockedItems(attributes).isEmpty }
        let own: StoreStatus.Preparation = !locked ? .none : main.kind == .own ? .silent : .prompt
        guard let former = places.former else { return (locked, own) }
        guard try await former.isLocked() else { return (locked, max(own, .silent)) }
        guard try await former.lists(attributes) else { return (locked, own) }
        return (locked, max(own, former.kind == .own ? .silent : .prompt))
    }

    package func unlock() async throws(StoreError) {
        switch try await places().kind {
        case .own: try await changes.pass { () throws(StoreError) in try await makeOwnReady() }
        case .default: try await unlockDefault()
        }
        try await emptyFormer()
    }

    private func unlockDefault() async throws(StoreError) {
        guard let main = try await places().main else { throw .unavailable }
        try await ask(toUnlock: main)
        // Some providers lock each item until the user lets this program read it.
        let attributes = RecordItem.attributes(domain: domain)
        let items = try await main.anew().lockedItems(attributes)
        guard !items.isEmpty else { return }
        try await main.provider.unlock(items, within: promptLimit, by: Deadline(in: Self.callLimit))
        guard try await main.anew().lockedItems(attributes).isEmpty else { throw .locked }
    }

    /// Only the collection, as it is afterwards, tells whether it is unlocked.
    private func ask(toUnlock place: OpenCollection) async throws(StoreError) {
        guard try await place.isLocked() else { return }
        try await place.provider.unlock([place.path], within: promptLimit, by: place.deadline)
        guard try await !place.anew().isLocked() else { throw .locked }
    }

    /// Unlocks our own collection. It is made only where there is none: its password is on disk before, so that whoever is
    /// killed in between finds what he made.
    private func makeOwnReady() async throws(StoreError) {
        guard let own = collection.own else { return }
        let places = try await places()
        if let main = places.main {
            try await own.remember(path: main.path)
            return try await unlockSilently(main)
        }
        let password = try await own.newPassword()
        try afterStep(.passwordMade)
        let deadline = Deadline(in: Self.callLimit)
        let path = try await provider(by: deadline).createCollection(own.label, password: password, by: deadline)
        try afterStep(.collectionMade)
        try await own.remember(path: path)
    }

    /// Moves the records to where they belong, after the user has unlocked where they are, if they are somewhere else.
    private func emptyFormer() async throws(StoreError) {
        guard let former = try await places().former else { return }
        let attributes = RecordItem.attributes(domain: domain)
        if try await former.isLocked() {
            guard try await former.lists(attributes) else { return }
            switch former.kind {
            case .own: try await unlockSilently(former)
            case .default: try await ask(toUnlock: former)
            }
        }
        try await changes.pass { () throws(StoreError) in try await move() }
    }
}
