package import BiologinCore

extension Fprintd {
    package nonisolated func events() -> AsyncStream<ReaderEvent> {
        let changes = FprintdChanges(bus: bus, enrollments: enrollments, pause: limit)
        return AsyncStream { await changes.next() }
    }
}

/// Hears when fprintd comes and goes, when its devices do, and when somebody is enrolled. It starts nothing for that.
@GLibThread private final class FprintdChanges {
    /// Nothing tells that a finger was deleted: while somebody may be at it, the fingers are read again and again.
    private static let readings: (interval: Duration, duration: Duration) = (.seconds(1), .seconds(60))

    private let bus: Bus
    private let enrollments: FprintdEnrollments
    /// Between two tries to reach the bus.
    private let pause: Duration
    private var connection: BusConnection?
    private var subscriptions: [BusSubscription] = []
    private var isChanged = false
    private var isEnrolled = false
    private var readingsLeft = 0
    private var lastRead: [String: Enrollment] = [:]
    private var continuation: CheckedContinuation<Void, Never>?

    nonisolated init(bus: Bus, enrollments: FprintdEnrollments, pause: Duration) {
        (self.bus, self.enrollments, self.pause) = (bus, enrollments, pause)
    }

    /// The next event, or nil once the task is cancelled.
    func next() async -> ReaderEvent? {
        while !Task.isCancelled {
            if isEnrolled {
                isEnrolled = false
                return .enrolled(enrollments.count.counts)
            }
            if isChanged {
                isChanged = false
                return .changed
            }
            if let connection, !connection.isClosed { await waitOrRead() } else { await connect() }
        }
        return nil
    }

    private func connect() async {
        guard let made = try? await bus.connection(within: pause) else {
            try? await GLibLoop.shared.sleep(for: pause)
            return
        }
        // Whatever happened while there was no bus went unheard.
        if connection != nil { change() }
        connection = made
        // First, so that it has counted when this hears of it.
        enrollments.listen(on: made)
        let manager = BusObject(
            destination: FprintdService.name, path: nil, interface: "org.freedesktop.DBus.ObjectManager")
        let devices = BusObject(destination: FprintdService.name, path: nil, interface: FprintdDevice.interface)
        subscriptions = [
            made.onOwnerChange(of: FprintdService.name) { [weak self] _ in self?.change() },
            made.onSignal("InterfacesAdded", of: manager) { [weak self] _ in self?.change() },
            made.onSignal("InterfacesRemoved", of: manager) { [weak self] _ in self?.change() },
            made.onSignal("EnrollStatus", of: devices) { [weak self] arguments in
                if arguments[0]?.string == "enroll-completed" { self?.isEnrolled = true }
                self?.change()
            },
            made.onClose { [weak self] in self?.change() },
        ]
        readingsLeft = Self.readingsAtMost
    }

    private static var readingsAtMost: Int { Int(readings.duration / readings.interval) }

    private func change() {
        isChanged = true
        readingsLeft = Self.readingsAtMost
        wake()
    }

    private func waitOrRead() async {
        guard readingsLeft > 0 else { return await wait() }
        readingsLeft -= 1
        let timer = GLibLoop.shared.timer(after: Self.readings.interval) { [weak self] in self?.wake() }
        await wait()
        timer.cancel()
        guard !isChanged, !isEnrolled, !Task.isCancelled else { return }
        await enrollments.renewIfOld()
        let read = enrollments.known.mapValues { Enrollment(reader: $0.reader, fingers: $0.fingers) }
        if read != lastRead { isChanged = !lastRead.isEmpty }
        lastRead = read
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
