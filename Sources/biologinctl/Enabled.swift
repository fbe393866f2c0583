internal import BiologinAPI
internal import BiologinClient

extension Command {
    /// Whether an account can log in by touch.
    static let enabled = Command(
        name: "enabled", summary: "tell whether biometric login is on for the account",
        details: "Exits with 10 where it was not opened, with 11 where it has to be opened again."
    ) { request in
        let answer = try await request.manager.enablement()
        try request.answer(
            answer, orLines: [answer.enabled ? "yes" : "no" + (answer.reason.map { ": \(PlainText($0))" } ?? "")])
        if !answer.enabled {
            let modified = LoginErrorName.biometricLoginInfoModified.code
            throw Answered(answer.code == modified ? .informationModified : .notOpen)
        }
    }
}
