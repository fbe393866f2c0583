import BiologinAPI
import BiologinCore
import BiologinVault
import Varlink

/// The calls for which the user is verified.
extension LoginService {
    /// Unicode scalars.
    static let reasonLimit = 256

    func open(_ parameters: Open, _ call: ServerCall) async throws(LoginError) -> Opening {
        let id: BiologinCore.AccountID
        do {
            id = try BiologinCore.AccountID(application: parameters.application, uid: parameters.userInfo.uid)
        } catch .invalidParameter("uid") { throw .invalidParameter("userInfo.uid") }
        let card = try BiologinCore.UserInfo(parameters.userInfo)
        try check(reason: parameters.localizedReason)
        // There is no way yet to log in at a server: a key must not be kept as if there were.
        guard parameters.server == nil else { throw .invalidParameter("server") }
        guard parameters.loginKey.count > 0 else { throw .invalidParameter("loginKey") }
        let key: SecretBytes
        do throws(VaultError) {
            key = try parameters.loginKey.withBytes { bytes throws(VaultError) in try SecretBytes(copying: bytes) }
        } catch { throw .internal("\(error)") }
        let profile = try await manager.open(
            id, userInfo: card, loginKey: key, policy: BiologinCore.Policy(parameters.policy),
            request(call, reason: parameters.localizedReason) { Opening(progress: $0) })
        return Opening(account: Account(profile))
    }

    /// A oneway login would light the sensor for a key that nobody receives.
    func login(_ parameters: Login, _ call: ServerCall) async throws(LoginError) {
        let selector = try AccountSelector(application: parameters.application, account: parameters.account)
        try check(reason: parameters.localizedReason)
        guard !call.oneway else { return call.reply() }
        let released = try await manager.login(
            selector, policy: parameters.policy.map(BiologinCore.Policy.init), fallback: parameters.fallback ?? false,
            request(call, reason: parameters.localizedReason) { LoggingIn(progress: $0) })
        let key = released.unsealed.loginKey.withBytes { WipedBytes(copying: $0) }
        reply(LoggingIn(userInfo: BiologinAPI.UserInfo(released.profile), loginKey: key), to: call)
    }

    private func check(reason: String) throws(LoginError) {
        guard reason.unicodeScalars.contains(where: \.isVisible) else { throw .invalidParameter("localizedReason") }
        guard reason.unicodeScalars.count <= Self.reasonLimit else {
            throw .limitExceeded("localizedReason: \(Self.reasonLimit) characters")
        }
    }
}

extension Unicode.Scalar {
    /// Whether a person would see anything of it.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
            .paragraphSeparator:
            false
        default: !properties.isDefaultIgnorableCodePoint
        }
    }
}
