import Testing

@testable import BiologinLinux

struct VariantTests {
    @Test(arguments: [
        (Variant.tuple(.string("a"), .uint32(7)), "('a', uint32 7)"),
        (.array(of: "s", []), "@as []"),
        (.dictionary(["k": .bool(true)]), "{'k': <true>}"),
        (.tuple(), "()"),
        (.objectPath("/a"), "objectpath '/a'"),
    ])
    func printsAsGLibWritesIt(value: Variant, text: String) { #expect(value.description == text) }

    @Test func readsWhatIsThere() {
        let value = Variant.tuple(.array(of: "s", [.string("a"), .string("b")]), .variant(.variant(.uint32(1))))
        #expect(value[0]?.strings == ["a", "b"])
        #expect(value[1]?.unboxed.uint32 == 1)
    }

    @Test func readsNothingOfAnotherType() {
        let value = Variant.tuple(.uint32(1))
        #expect(value.string == nil)
        #expect(value[0]?.string == nil)
        #expect(value[1] == nil)
        #expect(value[0]?.children.isEmpty == true)
    }
}
