internal import CGio

/// A D-Bus value. What it holds is only known after it was looked at: others made it.
// Unchecked: a GVariant never changes, and its reference count is atomic.
final class Variant: @unchecked Sendable, CustomStringConvertible {
    /// Good only as long as this object: keep it alive with `withExtendedLifetime` meanwhile.
    let pointer: OpaquePointer

    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    /// Takes a floating reference, as every `g_variant_new_…` returns one.
    init(sinking pointer: OpaquePointer) { self.pointer = g_variant_ref_sink(pointer) }

    init(referencing pointer: OpaquePointer) { self.pointer = g_variant_ref(pointer) }

    deinit { g_variant_unref(pointer) }

    var type: String { String(cString: g_variant_get_type_string(pointer)) }

    var description: String {
        let text = g_variant_print(pointer, 1)!
        defer { g_free(text) }
        return String(cString: text)
    }
}

extension Variant {
    static func string(_ value: String) -> Variant { Variant(sinking: g_variant_new_string(value)) }

    /// Traps if `value` is no object path.
    static func objectPath(_ value: String) -> Variant { Variant(sinking: g_variant_new_object_path(value)) }

    static func bool(_ value: Bool) -> Variant { Variant(sinking: g_variant_new_boolean(value ? 1 : 0)) }
    static func uint32(_ value: UInt32) -> Variant { Variant(sinking: g_variant_new_uint32(value)) }

    static func variant(_ value: Variant) -> Variant {
        withExtendedLifetime(value) { Variant(sinking: g_variant_new_variant(value.pointer)) }
    }

    /// An entry of a dictionary.
    static func entry(_ key: Variant, _ value: Variant) -> Variant {
        withExtendedLifetime((key, value)) { Variant(sinking: g_variant_new_dict_entry(key.pointer, value.pointer)) }
    }

    static func tuple(_ values: Variant...) -> Variant { tuple(values) }

    static func tuple(_ values: [Variant]) -> Variant {
        var pointers = values.map { Optional($0.pointer) }
        return withExtendedLifetime(values) { Variant(sinking: g_variant_new_tuple(&pointers, gsize(pointers.count))) }
    }

    static func array(of type: String, _ values: [Variant]) -> Variant {
        var pointers = values.map { Optional($0.pointer) }
        return withExtendedLifetime(values) {
            withVariantType(type) { Variant(sinking: g_variant_new_array($0, &pointers, gsize(pointers.count))) }
        }
    }

    /// `a{sv}`.
    static func dictionary(_ values: [String: Variant]) -> Variant {
        array(of: "{sv}", values.map { entry(.string($0.key), .variant($0.value)) })
    }
}

extension Variant {
    var string: String? {
        guard ["s", "o", "g"].contains(type) else { return nil }
        return String(cString: g_variant_get_string(pointer, nil))
    }

    var bool: Bool? { type == "b" ? g_variant_get_boolean(pointer) != 0 : nil }
    var uint32: UInt32? { type == "u" ? g_variant_get_uint32(pointer) : nil }

    /// The elements of an array, a tuple or a dictionary's entry; of a variant, what is in it; otherwise nothing.
    var children: [Variant] {
        guard g_variant_is_container(pointer) != 0 else { return [] }
        return (0..<g_variant_n_children(pointer)).map { Variant(taking: g_variant_get_child_value(pointer, $0)) }
    }

    subscript(index: Int) -> Variant? {
        guard g_variant_is_container(pointer) != 0, gsize(index) < g_variant_n_children(pointer) else { return nil }
        return Variant(taking: g_variant_get_child_value(pointer, gsize(index)))
    }

    /// The strings, or object paths, of an array of them.
    var strings: [String] { children.compactMap(\.string) }

    /// What is in a variant, and in a variant in it.
    var unboxed: Variant { type == "v" ? self[0]!.unboxed : self }
}

/// Lends the type to `body`; traps if `string` is no type, which are literals of ours.
func withVariantType<Result>(_ string: String, _ body: (OpaquePointer) -> Result) -> Result {
    let type = g_variant_type_new(string)!
    defer { g_variant_type_free(type) }
    return body(type)
}
