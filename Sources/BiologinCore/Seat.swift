/// Whether the user can be asked at this computer now.
package enum SeatState: Equatable, Sendable {
    /// Nothing speaks against it, or nothing is known.
    case usable
    /// The user's session is locked, inactive or remote.
    case notLocal
    /// The lid is closed, and the computer is used without another display.
    case inaccessible
    /// The computer is about to sleep.
    case sleeping
}

package enum SeatEvent: Sendable {
    /// The computer is about to sleep, and waits until the delay has ended.
    case sleeping(any SleepDelay)
    /// Another state; `usable` after sleep too.
    case changed(SeatState)
}

/// Keeps the computer awake until it ends, as far as the system lets it.
package protocol SleepDelay: Sendable {
    /// Lets the computer sleep as soon as everything that can run now has run. It ends by itself where nobody ends it.
    func end()
}

/// The session and the computer before which the user sits.
package protocol Seat: Sendable {
    /// As last heard: what was heard before this is asked is in it.
    var known: SeatState { get }

    /// Asked now, within 1 s; a seat that does not answer is `usable`, so that others decide.
    func current() async -> SeatState

    /// What happens from now on, to one reader.
    func events() -> AsyncStream<SeatEvent>
}

extension SeatState {
    /// Throws why nobody can be asked.
    func check() throws(LoginError) {
        switch self {
        case .usable: return
        case .notLocal: throw .notAvailable(.notLocal)
        case .inaccessible: throw .notAvailable(.inaccessible)
        case .sleeping: throw .systemCancel
        }
    }

    /// That of a reader, which by itself is found to be `availability`.
    func availability(of availability: Availability) -> Availability {
        switch (self, availability) {
        // It says more to a person than where they sit.
        case (_, .noDevice), (_, .unavailable), (_, .silent), (.usable, _): availability
        case (.notLocal, _): .notLocal
        case (.inaccessible, _): .inaccessible
        case (.sleeping, _): .unavailable
        }
    }
}
