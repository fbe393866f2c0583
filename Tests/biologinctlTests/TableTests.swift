import Testing

@testable import biologinctl

struct TableTests {
    @Test func alignsColumnsAndLeavesNoSpacesAtTheEnd() {
        #expect(Table.rows([["A", "LONG"], ["abc", "d"], ["é"]]) == ["A    LONG", "abc  d", "é"])
        #expect(Table.rows([]) == [])
    }
}
