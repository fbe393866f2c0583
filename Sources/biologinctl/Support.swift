internal import BiologinAPI
internal import BiologinClient

extension Command {
    /// Whether this computer can do biometric login.
    static let support = Command(
        name: "support", summary: "tell whether this computer can do biometric login, and with what",
        details: "Exits with 15 where it cannot."
    ) { request in
        let support = try await request.manager.support()
        try request.answer(
            support,
            orLines: Table.of(
                [("supported", support.supported ? "yes" : "no")] + support.verifiers.map { ($0.name, $0.words) }))
        if !support.supported { throw Answered(.cannotVerify) }
    }
}

extension Verifier {
    /// Reader, availability and fingers on one line.
    fileprivate var words: String {
        let fingers = enrolled.map(Progress.finger)
        return [
            device.map { "\(PlainText($0))" }, availability.words,
            fingers.isEmpty ? nil : fingers.joined(separator: ", "),
        ]
        .compactMap(\.self).joined(separator: "; ")
    }
}
