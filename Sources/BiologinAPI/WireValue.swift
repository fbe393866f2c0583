package import Varlink

/// A value of the interface, as it is written and read. Reading is strict: a field that is missing, unknown, or of another
/// type throws `ParameterError` with the field's path.
package protocol WireValue: Sendable {
    /// Reads the value that stands next; throws `ParameterError` unless it is one of this type.
    init(from json: inout JSONReader) throws(ParameterError)

    /// Writes the value; a field that is nil is left out.
    func write(to json: inout JSONWriter)
}

extension String: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) { self = try json.readString() }
    package func write(to json: inout JSONWriter) { json.string(self) }
}

extension Int: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) { self = try json.readInt() }
    package func write(to json: inout JSONWriter) { json.int(self) }
}

extension Bool: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) { self = try json.readBool() }
    package func write(to json: inout JSONWriter) { json.bool(self) }
}

extension Array: WireValue where Element: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var elements: [Element] = []
        try json.readArray { element throws(ParameterError) in elements.append(try Element(from: &element)) }
        self = elements
    }

    package func write(to json: inout JSONWriter) {
        json.array { json in for element in self { element.write(to: &json) } }
    }
}

/// An enumeration of the interface: its cases travel as their names.
package protocol WireName: WireValue, RawRepresentable, CaseIterable where RawValue == String {}

extension WireName {
    /// Throws `ParameterError` for a name that is not one of the cases.
    package init(from json: inout JSONReader) throws(ParameterError) {
        guard let name = Self(rawValue: try json.readString()) else { throw ParameterError("") }
        self = name
    }

    /// Writes the case's name.
    package func write(to json: inout JSONWriter) { json.string(rawValue) }
}
