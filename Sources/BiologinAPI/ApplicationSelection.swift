package import Varlink

/// The accounts that `List` and `Monitor` are about.
package struct ApplicationSelection: Sendable {
    /// Nil: of every application.
    package var application: String?

    package init(application: String? = nil) {
        self.application = application
    }
}

extension ApplicationSelection: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var application: String?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "application": application = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(application: application)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("application", application)
        }
    }
}
