package import Varlink

/// Gives the device key another protector.
package struct Rekey: Sendable {
    /// "file", "credential" or "tpm2".
    package var protector: String
    /// Shown to the user; not empty.
    package var localizedReason: String

    package init(protector: String, localizedReason: String) {
        (self.protector, self.localizedReason) = (protector, localizedReason)
    }
}

extension Rekey: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var protector: String?
        var localizedReason: String?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "protector": protector = try json.readOptional()
            case "localizedReason": localizedReason = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            protector: try protector.required("protector"),
            localizedReason: try localizedReason.required("localizedReason"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("protector", protector)
            json.field("localizedReason", localizedReason)
        }
    }
}

/// A reply to `Rekey`.
package struct Rekeying: Sendable {
    /// Nil in the last reply.
    package var progress: Progress?

    package init(progress: Progress? = nil) {
        self.progress = progress
    }
}

extension Rekeying: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var progress: Progress?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "progress": progress = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(progress: progress)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("progress", progress)
        }
    }
}
