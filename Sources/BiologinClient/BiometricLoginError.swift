public import BiologinAPI
internal import Glibc
internal import Varlink

/// Why an operation has no result.
public struct BiometricLoginError: Error, Sendable, CustomStringConvertible {
    /// Who says no.
    public enum Kind: Equatable, Sendable {
        /// The daemon, by one of the errors that its interface defines.
        case login(LoginErrorName)
        /// The daemon, about a parameter that it names: "userInfo.icon".
        case invalidParameter(String)
        /// No daemon listens.
        case notRunning
        /// The daemon went away in the middle of the call.
        case connectionLost
        /// The task was canceled, and the verification with it.
        case canceled
        /// The daemon does not speak as its interface says; it may be of another version.
        case notUnderstood
    }

    /// Who says no, to be switched on.
    public let kind: Kind
    /// What happened, for people: lower case, without a full stop.
    public let message: String
    /// What they can do about it.
    public let remedy: String?
    /// What some errors tell besides, such as the seconds of a lock-out.
    public let detail: LoginFailure.Detail?

    /// The number that front ends know the daemon's errors by, such as -5001; nil for the other kinds.
    public var code: Int? {
        guard case .login(let name) = kind else { return nil }
        return name.code
    }

    /// The message.
    public var description: String { message }

    package init(_ kind: Kind, _ message: String, remedy: String? = nil, detail: LoginFailure.Detail? = nil) {
        (self.kind, self.message, self.remedy, self.detail) = (kind, message, remedy, detail)
    }

    init(_ error: ClientError) {
        switch error {
        case _ where Task.isCancelled: self = .canceled
        case .noServer(ENOENT), .noServer(ECONNREFUSED): self = .notRunning
        case .noServer(let code):
            self.init(.notRunning, "biologind cannot be reached: \(unsafe String(cString: strerror(code)))")
        case .connectionLost: self.init(.connectionLost, "biologind went away", remedy: "try again")
        case .malformedReply: self = .notUnderstood
        case .error(let name, let parameters): self.init(name, parameters)
        }
    }

    static let canceled = BiometricLoginError(.canceled, "canceled")
    static let notRunning = BiometricLoginError(
        .notRunning, "biologind is not running", remedy: "run systemctl --user start biologin.socket")
    static let notUnderstood = BiometricLoginError(
        .notUnderstood, "the daemon does not answer as \(LoginInterface.name) says",
        remedy: "see that biologind and this program are of the same version")

    private init(_ name: String, _ parameters: Reply) {
        do throws(ParameterError) {
            if let known = LoginErrorName(qualifiedName: name) {
                let failure = try parameters.read { json throws(ParameterError) in try LoginFailure(known, from: &json)
                }
                self.init(.login(known), failure.message, remedy: failure.remedy, detail: failure.detail)
            } else if name == "org.varlink.service.InvalidParameter" {
                let parameter = try parameters.read(Self.readParameter)
                self.init(.invalidParameter(parameter), "biologind does not accept this \(parameter)")
            } else {
                self = .notUnderstood
            }
        } catch { self = .notUnderstood }
    }

    private static func readParameter(_ json: inout JSONReader) throws(ParameterError) -> String {
        var parameter = ""
        try json.readObject { field, json throws(ParameterError) in
            guard field == "parameter" else { throw ParameterError(field) }
            parameter = try json.readString()
        }
        return parameter
    }
}
