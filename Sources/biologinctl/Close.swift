internal import BiologinAPI
internal import BiologinClient

extension Command {
    /// Turns biometric login off.
    static let close = Command(
        name: "close", summary: "turn biometric login off and erase all that is kept of the account"
    ) { request in
        try await request.manager.closeBiometricLogin()
        try request.answer(Nothing(), orLines: ["biometric login is off"])
    }
}
