internal import BiologinCore

/// What is known from one logind. Nothing is, at first.
struct LogindFacts: Equatable, Sendable {
    var isPreparingForSleep = false
    var session: LogindSession? {
        didSet { sessionIsOver = session == nil && (sessionIsOver || oldValue != nil) }
    }
    /// The lid is closed, and nothing else is looked at.
    var isShut = false
    /// fprintd waits for sleep too, to suspend its readers itself.
    var suspendsReaders = false
    /// There was a session. Where there never was one, others decide.
    private(set) var sessionIsOver = false

    init(isPreparingForSleep: Bool = false, suspendsReaders: Bool = false) {
        (self.isPreparingForSleep, self.suspendsReaders) = (isPreparingForSleep, suspendsReaders)
    }

    var state: SeatState {
        if isPreparingForSleep { return .sleeping }
        if sessionIsOver || session?.isLocal == false { return .notLocal }
        return isShut ? .inaccessible : .usable
    }

    /// logind does not answer any more: its word on sleep is still good, since it will say when that is over.
    mutating func forgetWhatChanges() {
        self = LogindFacts(isPreparingForSleep: isPreparingForSleep, suspendsReaders: suspendsReaders)
    }
}
