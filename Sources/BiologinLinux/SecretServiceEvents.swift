internal import BiologinCore

/// What happens to the collection, for one reader: signals only say when to look, and what is seen then is what is told.
@GLibThread final class SecretServiceEvents {
    /// Between two tries to reach a bus that is not there.
    private static let retryInterval: Duration = .seconds(5)

    private enum Signal: Sendable {
        case owner(String?)
        case changed
        case closed
    }

    private let bus: Bus
    private let collection: SecretCollection
    private let signals: AsyncStream<Signal>
    private let queue: AsyncStream<Signal>.Continuation

    /// The bus that is followed.
    private var connection: BusConnection?
    private var subscriptions: [BusSubscription] = []
    /// The provider's signals, and which collections of ours were locked when they were looked at last.
    private var changes: [BusSubscription] = []
    private var locked: [Bool]?
    /// Whether the reader was told, or would have been, that the provider is gone.
    private var isGone = false

    nonisolated init(bus: Bus, collection: SecretCollection) {
        (self.bus, self.collection) = (bus, collection)
        (signals, queue) = AsyncStream.makeStream()
    }

    /// Nil once the task is cancelled.
    func next() async -> StoreEvent? {
        var iterator = signals.makeAsyncIterator()
        while !Task.isCancelled {
            if connection == nil, let event = await connect() { return event }
            guard connection != nil else { continue }
            switch await iterator.next(isolation: #isolation) {
            case nil: return nil
            case .closed:
                (connection, subscriptions, changes, locked) = (nil, [], [], nil)
                if !isGone { return gone() }
            case .owner(nil):
                (changes, locked) = ([], nil)
                if !isGone { return gone() }
            case .owner(let owner?):
                await follow(owner)
                isGone = false
                return .appeared
            case .changed:
                let before = locked
                await look()
                if let event = Self.event(from: before, to: locked) { return event }
            }
        }
        return nil
    }

    private static func event(from before: [Bool]?, to now: [Bool]?) -> StoreEvent? {
        guard let now else { return nil }
        guard let before else { return now.contains(false) ? .unlocked : .locked }
        if zip(before, now).contains(where: { $0 && !$1 }) { return .unlocked }
        return zip(before, now).contains { !$0 && $1 } ? .locked : nil
    }

    private func gone() -> StoreEvent {
        isGone = true
        return .vanished
    }

    /// Follows the bus from here on, if it can be reached; else returns after a while.
    func connect() async -> StoreEvent? {
        do {
            let connection = try await bus.connection(within: SecretServiceStore.callLimit)
            let queue = queue
            subscriptions = [
                connection.onClose { queue.yield(.closed) },
                connection.onOwnerChange(of: SecretProvider.name) { queue.yield(.owner($0)) },
            ]
            self.connection = connection
            guard let owner = try await connection.owner(of: SecretProvider.name, within: SecretServiceStore.callLimit)
            else {
                isGone = true
                return nil
            }
            await follow(owner)
            defer { isGone = false }
            return isGone ? .appeared : nil
        } catch {
            isGone = true
            connection = nil
            try? await GLibLoop.shared.sleep(for: Self.retryInterval)
            return nil
        }
    }

    /// Subscribes before it looks, so that nothing is missed in between.
    private func follow(_ owner: String) async {
        guard let connection else { return }
        let queue = queue
        let properties = BusObject(destination: owner, path: nil, interface: "org.freedesktop.DBus.Properties")
        let service = BusObject(destination: owner, path: nil, interface: "org.freedesktop.Secret.Service")
        changes = [
            connection.onSignal(
                "PropertiesChanged", of: properties, argument0: "org.freedesktop.Secret.Collection"
            ) { _ in queue.yield(.changed) },
            connection.onSignal("CollectionChanged", of: service) { _ in queue.yield(.changed) },
        ]
        await look()
    }

    private func look() async {
        let deadline = Deadline(in: SecretServiceStore.callLimit)
        guard let provider = try? await SecretProvider.find(on: bus, by: deadline),
            let places = try? await RecordPlaces(collection, of: provider, by: deadline)
        else { return locked = nil }
        var seen: [Bool] = []
        for place in [places.main, places.former].compactMap({ $0 }) {
            guard let isLocked = try? await place.isLocked() else { return locked = nil }
            seen.append(isLocked)
        }
        locked = seen
    }
}
