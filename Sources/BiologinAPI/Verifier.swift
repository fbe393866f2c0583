package import Varlink

/// What can verify the user, as found just now.
public struct Verifier: Sendable {
    /// "fprintd".
    public var name: String
    /// The name of the reader; nil where there is none.
    public var device: String?
    /// Whether the reader can be used now.
    public var availability: Availability
    /// The enrolled fingers, by fprintd's names.
    public var enrolled: [String]
    /// How surely a change of them is noticed.
    public var changeDetection: ChangeDetection

    package init(
        name: String, device: String? = nil, availability: Availability, enrolled: [String],
        changeDetection: ChangeDetection
    ) {
        (self.name, self.device, self.availability, self.enrolled) = (name, device, availability, enrolled)
        self.changeDetection = changeDetection
    }
}

extension Verifier: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var name: String?
        var device: String?
        var availability: Availability?
        var enrolled: [String]?
        var changeDetection: ChangeDetection?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "name": name = try json.readOptional()
            case "device": device = try json.readOptional()
            case "availability": availability = try json.readOptional()
            case "enrolled": enrolled = try json.readOptional()
            case "changeDetection": changeDetection = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            name: try name.required("name"), device: device, availability: try availability.required("availability"),
            enrolled: try enrolled.required("enrolled"),
            changeDetection: try changeDetection.required("changeDetection"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("name", name)
            json.field("device", device)
            json.field("availability", availability)
            json.field("enrolled", enrolled)
            json.field("changeDetection", changeDetection)
        }
    }
}

/// Whether a reader can be used now, and why not.
public enum Availability: String, CaseIterable, Sendable {
    case ready
    case notEnrolled
    case noDevice
    case busy
    case notLocal
    case inaccessible
    case permissionDenied
    case lockedOut
    case unavailable
}

extension Availability: WireName {}

/// How surely a change of the enrolled templates is noticed, weakest first.
public enum ChangeDetection: String, CaseIterable, Sendable {
    case none
    /// A finger was added or removed.
    case names
    /// Also any enrollment while the daemon ran.
    case watched
    /// Also the same finger enrolled anew, at any time.
    case content
}

extension ChangeDetection: WireName {}
