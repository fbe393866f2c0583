internal import BiologinCore

/// Where a provider keeps the records now, found without changing anything.
@GLibThread struct RecordPlaces {
    /// What kind of collection the records belong in.
    let kind: SecretCollection.Kind
    /// The collection they belong in; nil: it is one of our own that was not made yet.
    let main: OpenCollection?
    /// The collection in which there may be records that are still to be moved.
    let former: OpenCollection?

    /// Throws `unavailable` if the provider has no default collection where that one is to be taken.
    init(_ collection: SecretCollection, of provider: SecretProvider, by deadline: Deadline) async throws(StoreError) {
        let defaultPath = Self.defaultPath
        guard let own = collection.own, try await provider.canHaveOwnCollection(by: deadline) else {
            guard let path = try await defaultPath(provider, deadline) else { throw .unavailable }
            (kind, former) = (.default, nil)
            main = OpenCollection(.default, at: path, of: provider, by: deadline)
            return
        }
        kind = collection.wanted
        let isMoved = try await own.memory.allIn == kind
        let ownPath = kind == .own || !isMoved ? try await Self.path(of: own, provider, deadline) : nil
        let path = kind == .default || !isMoved ? try await defaultPath(provider, deadline) : nil
        let ownOne = ownPath.map { OpenCollection(.own, at: $0, of: provider, by: deadline) }
        // Somebody may have made our own the default one.
        let defaultOne = path.map { OpenCollection(.default, at: $0, of: provider, by: deadline) }
        switch kind {
        case .own: (main, former) = (ownOne, path == ownPath ? nil : defaultOne)
        case .default:
            guard let defaultOne else { throw .unavailable }
            (main, former) = (defaultOne, path == ownPath ? nil : ownOne)
        }
    }

    private static func defaultPath(
        _ provider: SecretProvider, _ deadline: Deadline
    ) async throws(StoreError) -> String? {
        try await provider.collection(alias: "default", by: deadline)
    }

    /// By the path that was written down, or else by its label: it may have been made a moment before a kill.
    private static func path(
        of own: OwnCollection, _ provider: SecretProvider, _ deadline: Deadline
    ) async throws(StoreError) -> String? {
        let paths = try await provider.collections(by: deadline), known = try await own.memory.path
        if paths.contains(known) { return known }
        for path in paths.sorted() where try await provider.label(of: path, by: deadline) == own.label { return path }
        return nil
    }
}
