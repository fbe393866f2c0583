internal import BiologinCore

extension Fprintd {
    package nonisolated func changes() -> AsyncStream<Void> {
        let changes = FprintdChanges(bus: bus, pause: limit)
        return AsyncStream { await changes.next() }
    }
}

/// Hears when fprintd comes and goes, and when its devices do. It starts nothing for that.
@GLibThread private final class FprintdChanges {
    private let bus: Bus
    /// Between two tries to reach the bus.
    private let pause: Duration
    private var connection: BusConnection?
    private var subscriptions: [BusSubscription] = []
    private var isChanged = false
    private var continuation: CheckedContinuation<Void, Never>?

    nonisolated init(bus: Bus, pause: Duration) { (self.bus, self.pause) = (bus, pause) }

    /// The next change, or nil once the task is cancelled.
    func next() async -> Void? {
        while !isChanged {
            guard !Task.isCancelled else { return nil }
            if let connection, !connection.isClosed {
                await wait()
            } else {
                await connect()
            }
        }
        isChanged = false
        return ()
    }

    private func connect() async {
        guard let made = try? await bus.connection(within: pause) else {
            try? await GLibLoop.shared.sleep(for: pause)
            return
        }
        // Whatever happened while there was no bus went unheard.
        isChanged = connection != nil
        connection = made
        let devices = BusObject(
            destination: FprintdService.name, path: nil, interface: "org.freedesktop.DBus.ObjectManager")
        subscriptions = [
            made.onOwnerChange(of: FprintdService.name) { [weak self] _ in self?.change() },
            made.onSignal("InterfacesAdded", of: devices) { [weak self] _ in self?.change() },
            made.onSignal("InterfacesRemoved", of: devices) { [weak self] _ in self?.change() },
            made.onClose { [weak self] in self?.change() },
        ]
    }

    private func change() {
        isChanged = true
        wake()
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation = $0 }
        } onCancel: {
            GLibLoop.shared.perform { self.wake() }
        }
    }

    private func wake() {
        continuation?.resume()
        continuation = nil
    }
}
