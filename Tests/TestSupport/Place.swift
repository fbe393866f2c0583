import Foundation

/// One of the few desktops that may run at a time: all tests start at once, and each desktop is six processes.
final class Place: Sendable {
    private static let waitingRoom = WaitingRoom(places: 6)

    static func taken() async -> Place {
        await withCheckedContinuation { waitingRoom.enter($0) }
        return Place()
    }

    private init() {}
    deinit { Place.waitingRoom.leave() }
}

private final class WaitingRoom: @unchecked Sendable {
    // Only the thread that holds the lock touches the rest.
    private let lock = NSLock()
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { self.places = places }

    func enter(_ continuation: CheckedContinuation<Void, Never>) {
        let free = lock.withLock {
            if places == 0 { waiting.append(continuation); return false }
            places -= 1
            return true
        }
        if free { continuation.resume() }
    }

    func leave() {
        let next: CheckedContinuation<Void, Never>? = lock.withLock {
            if waiting.isEmpty { places += 1; return nil }
            return waiting.removeFirst()
        }
        next?.resume()
    }
}
