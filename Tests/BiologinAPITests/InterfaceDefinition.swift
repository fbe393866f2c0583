/// An interface definition of varlink.org, read far enough to compare it with the types.
struct InterfaceDefinition {
    indirect enum Shape: Sendable {
        case string, int, bool, object
        case named(String)
        case optional(Shape)
        case array(Shape)
        case fields([Field])
        case names([String])
    }

    struct Field: Sendable {
        let name: String
        let shape: Shape
    }

    var types: [String: Shape] = [:]
    /// In the order in which they are defined.
    var methods: [(name: String, parameters: [Field], reply: [Field])] = []
    /// With the code that the comment before each begins with.
    var errors: [(name: String, code: Int, fields: [Field])] = []

    private var words: ArraySlice<Substring>

    init(_ text: String) {
        words = Self.words(text)[...]
        var code: Int?
        while let word = words.popFirst() {
            switch word {
            case "interface": _ = words.popFirst()
            case "type": types[take()] = group()
            case "method":
                let name = take(), parameters = fields()
                precondition(words.popFirst() == "->")
                methods.append((name, parameters, fields()))
            case "error":
                let name = take()
                errors.append((name, code!, fields()))
            default:
                precondition(word.hasPrefix("#"), "unexpected: \(word)")
                code = word.split(separator: ":").first.flatMap { Int($0.dropFirst().filter { $0 != " " }) }
            }
        }
    }

    /// Names, marks, and whole comments.
    private static func words(_ text: String) -> [Substring] {
        text.split(separator: "\n").flatMap { line in
            line.hasPrefix("#")
                ? [line]
                : line.split { $0 == " " || $0 == "," }.flatMap { $0.split(separating: "():?") }
        }
    }

    private mutating func take() -> String { String(words.popFirst()!) }

    private mutating func fields() -> [Field] {
        guard case .fields(let fields) = group() else { preconditionFailure("not a list of fields") }
        return fields
    }

    /// What stands in parentheses: fields, or the names of an enumeration.
    private mutating func group() -> Shape {
        precondition(words.popFirst() == "(")
        var names: [String] = [], fields: [Field] = []
        while let word = words.popFirst(), word != ")" {
            guard words.first == ":" else { names.append(String(word)); continue }
            words.removeFirst()
            fields.append(Field(name: String(word), shape: shape()))
        }
        return names.isEmpty ? .fields(fields) : .names(names)
    }

    private mutating func shape() -> Shape {
        guard words.first != "(" else { return group() }
        switch take() {
        case "?": return .optional(shape())
        case "string": return .string
        case "int": return .int
        case "bool": return .bool
        case "object": return .object
        case let word where word.hasPrefix("[]"): return .array(.named(String(word.dropFirst(2))))
        case let word: return .named(word)
        }
    }
}

extension Substring {
    /// The text cut before and after each of the marks.
    fileprivate func split(separating marks: String) -> [Substring] {
        var parts: [Substring] = [], rest = self
        while let mark = rest.firstIndex(where: marks.contains) {
            if mark > rest.startIndex { parts.append(rest[..<mark]) }
            parts.append(rest[mark...mark])
            rest = rest[rest.index(after: mark)...]
        }
        return rest.isEmpty ? parts : parts + [rest]
    }
}
