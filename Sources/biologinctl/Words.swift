internal import BiologinAPI

// How values of the interface are put for people.

extension Availability {
    var words: String {
        switch self {
        case .ready: "ready"
        case .notEnrolled: "no finger is enrolled"
        case .noDevice: "no reader"
        case .busy: "in use"
        case .notLocal: "only for a local session"
        case .inaccessible: "cannot be reached"
        case .permissionDenied: "not permitted"
        case .lockedOut: "locked out"
        case .unavailable: "not available"
        }
    }
}

extension Progress {
    /// Nil for what nobody needs to be told.
    var words: String? {
        switch state {
        case .loading: nil
        case .queued: "waiting for another verification to end"
        case .unlocking: "waiting for the keyring to be unlocked"
        case .waiting: "touch the fingerprint reader" + (finger.map { " (\(Self.finger($0)))" } ?? "") + tries
        case .retry: "try again" + (hint.map { ": \(PlainText($0))" } ?? "")
        case .fallback: "waiting for the login password"
        case .processing: "verified"
        }
    }

    private var tries: String {
        switch attemptsLeft {
        case 1: ", last try"
        case let left?: ", \(left) tries left"
        case nil: ""
        }
    }

    /// fprintd's name of a finger, in words: "right-index-finger" is "right index finger".
    static func finger(_ name: String) -> String {
        PlainText(String(name.map { $0 == "-" ? " " : $0 })).description
    }
}

extension Account {
    /// Application, uid, name and state, for a table.
    var cells: [String] {
        [id.application, id.uid, userInfo.userName ?? "-", state.rawValue].map { PlainText($0).description }
    }
}
