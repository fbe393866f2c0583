/// A JSON value made for a type of the interface definition.
enum Sample: Sendable {
    case scalar(String)
    case array([Sample])
    case object([(name: String, value: Sample)])

    var text: String {
        switch self {
        case .scalar(let text): text
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let fields): "{" + fields.map { "\"\($0.name)\":\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }

    func with(_ name: String, _ value: Sample) -> Sample {
        guard case .object(let fields) = self else { return self }
        return .object(
            fields.contains { $0.name == name }
                ? fields.map { $0.name == name ? (name, value) : $0 } : fields + [(name, value)])
    }

    func without(_ name: String) -> Sample {
        guard case .object(let fields) = self else { return self }
        return .object(fields.filter { $0.name != name })
    }
}

extension InterfaceDefinition {
    /// An object with those fields: all of them, or only those that are required.
    func sample(_ fields: [Field], full: Bool) -> Sample {
        .object(
            fields.compactMap { field in
                if case .optional = field.shape, !full { return nil }
                return (field.name, sample(field.shape, full: full))
            })
    }

    func sample(_ shape: Shape, full: Bool = true) -> Sample {
        switch shape {
        // Good as base64 too.
        case .string: .scalar("\"QUJD\"")
        case .int: .scalar("7")
        case .bool: .scalar("true")
        case .object: .scalar(#"{"token":"x","list":[1,null]}"#)
        case .named("string"): sample(.string)
        case .named(let name): sample(types[name]!, full: full)
        case .optional(let shape): sample(shape, full: full)
        case .array(let shape): .array([sample(shape, full: full), sample(shape, full: full)])
        case .fields(let fields): sample(fields, full: full)
        case .names(let names): .scalar("\"\(names[0])\"")
        }
    }

    /// Values of every other kind of JSON, and an unknown name where the shape is an enumeration.
    func mistakes(for shape: Shape) -> [Sample] {
        let others = [Sample.scalar("1.5"), .array([.scalar("1")])]
        return switch shape {
        case .string: others + [.scalar("7"), .scalar("true"), .object([])]
        case .int: others + [.scalar("\"7\""), .scalar("9223372036854775808")]
        case .bool: others + [.scalar("\"true\""), .scalar("0")]
        case .object, .fields: others + [.scalar("\"\"")]
        case .named("string"): mistakes(for: .string)
        case .named(let name): mistakes(for: types[name]!)
        case .optional(let shape): mistakes(for: shape)
        case .array: [.scalar("\"\""), .object([])]
        case .names: others + [.scalar("\"\""), .scalar("\"none of them\"")]
        }
    }
}
