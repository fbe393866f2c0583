package import Varlink

/// What a person would be shown while a call runs.
public struct Progress: Sendable {
    /// How far the call has come.
    public var state: State
    /// "fprintd".
    public var verifier: String?
    /// The name of the reader.
    public var device: String?
    /// The one finger to touch with, by fprintd's name; nil: any enrolled one.
    public var finger: String?
    /// What was wrong with a scan.
    public var hint: String?
    /// Scans that may still fail in this call.
    public var attemptsLeft: Int?
    /// The reason that the caller gave.
    public var localizedReason: String?
    /// The program that asked.
    public var caller: Caller?

    package init(
        state: State, verifier: String? = nil, device: String? = nil, finger: String? = nil, hint: String? = nil,
        attemptsLeft: Int? = nil, localizedReason: String? = nil, caller: Caller? = nil
    ) {
        (self.state, self.verifier, self.device, self.finger) = (state, verifier, device, finger)
        (self.hint, self.attemptsLeft) = (hint, attemptsLeft)
        (self.localizedReason, self.caller) = (localizedReason, caller)
    }

    /// How far a call has come; the first is `loading`.
    public enum State: String, CaseIterable, Sendable {
        /// The request was admitted.
        case loading
        /// Another verification is running.
        case queued
        /// The keyring asks for its password.
        case unlocking
        /// The sensor waits for a touch.
        case waiting
        /// A bad scan, which does not count.
        case retry
        /// The password is asked for.
        case fallback
        /// Verified; the key is unsealed and checked with the server.
        case processing
    }
}

extension Progress: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var state: State?
        var verifier: String?
        var device: String?
        var finger: String?
        var hint: String?
        var attemptsLeft: Int?
        var localizedReason: String?
        var caller: Caller?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "state": state = try json.readOptional()
            case "verifier": verifier = try json.readOptional()
            case "device": device = try json.readOptional()
            case "finger": finger = try json.readOptional()
            case "hint": hint = try json.readOptional()
            case "attemptsLeft": attemptsLeft = try json.readOptional()
            case "localizedReason": localizedReason = try json.readOptional()
            case "caller": caller = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            state: try state.required("state"), verifier: verifier, device: device, finger: finger, hint: hint,
            attemptsLeft: attemptsLeft, localizedReason: localizedReason, caller: caller)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("state", state)
            json.field("verifier", verifier)
            json.field("device", device)
            json.field("finger", finger)
            json.field("hint", hint)
            json.field("attemptsLeft", attemptsLeft)
            json.field("localizedReason", localizedReason)
            json.field("caller", caller)
        }
    }
}

extension Progress.State: WireName {}
