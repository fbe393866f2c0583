internal import BiologinCore

/// What is known from one logind. Nothing is, at first.
struct LogindFacts: Equatable, Sendable {
    /// Nil while it is not known.
    var isPreparingForSleep: Bool?
    var session: LogindSession? {
        didSet { sessionIsOver = session == nil && (sessionIsOver || oldValue != nil) }
    }
    /// The lid is closed, and nothing else is looked at.
    var isShut = false
    /// There was a session. Where there never was one, others decide.
    private(set) var sessionIsOver = false

    var state: SeatState {
        if isPreparingForSleep == true { return .sleeping }
        if sessionIsOver || session?.isLocal == false { return .notLocal }
        return isShut ? .inaccessible : .usable
    }

    /// logind does not answer any more: its word on sleep is still good, since it will say when that is over.
    mutating func forgetWhatChanges() {
        let isPreparingForSleep = isPreparingForSleep
        self = LogindFacts()
        self.isPreparingForSleep = isPreparingForSleep
    }
}
