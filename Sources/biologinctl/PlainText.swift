/// Text of other programs, as it may be shown on a terminal: on one line, without what moves the cursor or turns the
/// direction of writing, and not without end.
struct PlainText: CustomStringConvertible {
    /// Unicode scalars.
    static let limit = 256

    let description: String

    init(_ text: String) {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard shown.count < Self.limit else {
                shown.append("…")
                break
            }
            shown.append(Self.isPlain(scalar) ? scalar : "\u{FFFD}")
        }
        description = String(shown)
    }

    /// As it stands in a sentence; what it says ends where the mark does.
    var quoted: String { "“" + String(description.map { "“”".contains($0) ? "\"" : $0 }) + "”" }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: !scalar.properties.isBidiControl
        }
    }
}
