/// A field that is missing, unknown, or holds a value of another kind.
public struct ParameterError: Error, Equatable, Sendable {
    /// The path of the field, as in `userInfo.icon` or `names[2]`; empty for the whole.
    public var name: String
    /// Whether the value is of the right kind and merely too long.
    public var tooLarge: Bool
    /// Whether `name` lies within a value that a reader was in; one that a caller made names a field of its own object.
    var isPath = false

    /// An error of the object's field of that name.
    public init(_ name: String, tooLarge: Bool = false) { (self.name, self.tooLarge) = (name, tooLarge) }

    /// A value of another kind than was asked for.
    static var mismatch: ParameterError {
        var error = ParameterError("")
        error.isPath = true
        return error
    }

    /// The same error, seen from the object in which it happened at `field`.
    func inside(_ field: String) -> ParameterError {
        var error = self
        error.isPath = true
        if name.isEmpty || (!isPath && name == field) {
            error.name = field
        } else {
            error.name = name.first == "[" ? field + name : "\(field).\(name)"
        }
        return error
    }
}
