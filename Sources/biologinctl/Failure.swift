internal import BiologinClient
internal import CommandLineOptions

/// Why a subcommand did not do what it was asked, in the words and with the status that it ends with.
struct Failure: Error {
    let status: ExitStatus
    /// Lower case, without a full stop.
    let message: String
    var hint: String?

    init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        (self.status, self.message, self.hint) = (status, message, hint)
    }

    static func usage(_ message: String, of command: String = "biologinctl") -> Failure {
        Failure(.usage, message, hint: "run \(command) --help")
    }

    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as BiometricLoginError:
            self.init(ExitStatus(error.kind), error.message, hint: error.remedy)
        case CommandLineExit.usage(let message): self = .usage(message)
        default: self.init(.fault, "\(error)")
        }
    }
}

/// An answer that was given in full, and means no.
struct Answered: Error {
    let status: ExitStatus
    init(_ status: ExitStatus) { self.status = status }
}
