internal import BiologinAPI
internal import BiologinClient
internal import CommandLineOptions

extension Command {
    private static let reason = Request.reasonOption(otherwise: defaultReason)
    private static let defaultReason = "to turn on biometric login"
    private static let keyFile = Option(
        "key-file", "FILE", help: "read the login key from there, not from standard input")

    /// Turns biometric login on.
    static let open = Command(
        name: "open", summary: "turn biometric login on: keep a login key behind a touch",
        options: CardOptions.all + [keyFile, Request.policyOption, reason],
        details: "The key, of 1 byte to 16 KiB, is read from standard input: to the byte from a file or a pipe;\n"
            + "typed at a terminal it is not shown, and ends before the newline."
    ) { request in
        let arguments = request.arguments
        _ = try request.required(Request.application, "application")
        let user = CardOptions.apply(arguments, to: UserInfo(uid: try request.required(Request.uid, "uid")))
        let policy = try request.policy() ?? .deviceOwnerAuthenticationWithBiometrics
        let key = try await (arguments[keyFile].map(KeySource.file) ?? .standardInput).read()
        let attempt = request.manager.openBiometricLogin(
            userInfo: user, loginKey: key, policy: policy, localizedReason: arguments[reason] ?? defaultReason)
        let account = try await attempt.told()
        try request.answer(
            Opening(account: account),
            orLines: [
                "biometric login is on for \(PlainText(account.id.uid).quoted)"
                    + " in \(PlainText(account.id.application).quoted)"
            ])
    }
}

extension Attempt {
    /// The value, after the progress was shown to the user.
    func told() async throws(BiometricLoginError) -> Value {
        for await step in progress { step.words.map(Talk.tell) }
        return try await value
    }
}
