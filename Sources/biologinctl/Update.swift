internal import BiologinAPI
internal import BiologinClient
internal import CommandLineOptions

extension Command {
    /// Changes the card.
    static let update = Command(
        name: "update", summary: "change what is shown of the account", options: CardOptions.all,
        details: "What is not given stays as it is; an empty text takes it away."
    ) { request in
        guard CardOptions.all.contains(where: request.arguments.has) else {
            throw CommandLineExit.usage("nothing to change was given")
        }
        guard let card = try await request.manager.biometricLoginUserAccountInfo() else {
            throw Failure(.notOpen, "biometric login is not open", hint: "run biologinctl open")
        }
        try await request.manager.updateCurrentAccountBiometricLoginInformation(
            CardOptions.apply(request.arguments, to: card))
        try request.answer(Nothing(), orLines: ["the card of \(PlainText(card.uid).quoted) is changed"])
    }
}
