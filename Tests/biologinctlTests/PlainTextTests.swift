import Testing

@testable import biologinctl

struct PlainTextTests {
    @Test(arguments: ["Ada Lovelace", "Жанна", "日本語", "عربي", "e\u{301}", "👩‍👩‍👧"]) func leavesTextOfAnyScriptAlone(
        _ text: String
    ) {
        #expect(PlainText(text).description == text)
    }

    @Test(arguments: [
        "\n", "\r", "\t", "\u{1B}", "\u{0}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}",
        "\u{2028}",
    ]) func replacesWhatMovesOrTurns(_ text: String) {
        #expect(PlainText("a\(text)b").description == "a\u{FFFD}b")
    }

    @Test(arguments: [("ada", "“ada”"), ("a” is “b", "“a\" is \"b”"), ("a\nb", "“a\u{FFFD}b”")])
    func isQuotedInASentence(_ text: String, _ quoted: String) { #expect(PlainText(text).quoted == quoted) }

    @Test func cutsWhatIsTooLong() {
        let text = String(repeating: "x", count: 256)
        #expect(PlainText(text).description == text)
        #expect(PlainText(text + "x").description == text + "…")
    }
}
