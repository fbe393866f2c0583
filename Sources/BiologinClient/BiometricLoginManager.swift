public import BiologinAPI

/// Biometric login for the front end of an application, after the manager that iOS applications have.
///
///     let manager = BiometricLoginManager(application: "com.example.mail")
///     let attempt = manager.loginByBiometric(localizedReason: "to sign in")
///     for await step in attempt.progress { show(step) }   // "touch the reader"
///     let login = try await attempt.value
///
/// Each operation connects to the daemon anew, and throws `BiometricLoginError`. Canceling the task that waits for one
/// closes its connection, and a verification ends with it.
public struct BiometricLoginManager: Sendable {
    /// A reverse-DNS name, such as "com.example.mail".
    public let application: String?
    /// The account that the operations are about; nil: the one that the application opened last.
    public let uid: String?
    private let socket: String?

    /// `application` nil means the account opened last of all, of any application; only a program outside any sandbox is
    /// answered then, and it cannot open. `socket` nil is `$XDG_RUNTIME_DIR/biologin/org.biologin.Login`.
    public init(application: String?, uid: String? = nil, socket: String? = nil) {
        precondition(uid == nil || application != nil, "a uid is one of an application")
        (self.application, self.uid, self.socket) = (application, uid, socket)
    }

    /// Whether this computer can do biometric login now.
    public func hardwareSupportsBiometricLogin() async throws(BiometricLoginError) -> Bool {
        try await support().supported
    }

    /// The same with every reader and its state.
    public func support() async throws(BiometricLoginError) -> Support { try await ask(.getSupport) }

    /// What the daemon is and how it protects what it keeps.
    public func status() async throws(BiometricLoginError) -> Status { try await ask(.getStatus) }

    /// Whether a login key is kept for the account and no change of the enrolled templates is known. No touch is needed.
    public func isBiometricLoginEnabled() async throws(BiometricLoginError) -> Bool { try await enablement().enabled }

    /// The same, and why not: -5001 or -5002.
    public func enablement() async throws(BiometricLoginError) -> Enablement {
        try await ask(.isEnabled(selection))
    }

    /// The card to show before anyone is verified; nil: the account is not open.
    public func biometricLoginUserAccountInfo() async throws(BiometricLoginError) -> UserInfo? {
        let card: Card = try await ask(.getUserInfo(selection))
        return card.userInfo
    }

    /// Replaces the card: name, nickname, picture and country. Its uid must be the account's.
    public func updateCurrentAccountBiometricLoginInformation(
        _ userInfo: UserInfo
    ) async throws(BiometricLoginError) {
        let update = UpdateUserInfo(application: application, account: account, userInfo: userInfo)
        let _: Nothing = try await ask(.updateUserInfo(update))
    }

    /// Turns biometric login on for the user that `userInfo` names: verifies the user, then keeps `loginKey`, of 1 to
    /// 16,384 bytes. An earlier key is replaced at the very end. `localizedReason` is shown to the user, and not empty.
    public func openBiometricLogin(
        userInfo: UserInfo, loginKey: LoginKey, policy: Policy = .deviceOwnerAuthenticationWithBiometrics,
        localizedReason: String, server: LoginServer? = nil
    ) -> Attempt<Account> {
        let open = Open(
            application: application ?? "", userInfo: userInfo, loginKey: loginKey.bytes, policy: policy,
            localizedReason: localizedReason, server: server)
        return Attempt(.open(open), at: socket) { (reply: Opening) in
            reply.progress.map(Step.progress) ?? reply.account.map(Step.end)
        }
    }

    /// Turns biometric login off and erases all that is kept of the account; throws `notOpen` if nothing is.
    public func closeBiometricLogin() async throws(BiometricLoginError) {
        let _: Nothing = try await ask(.close(selection))
    }

    /// Verifies the user, and gives the login key or, where the account has a login server, the session it answered with.
    /// `policy` nil is the account's own, which it may narrow. `fallback` goes straight to the login password.
    public func loginByBiometric(
        policy: Policy? = nil, localizedReason: String, fallback: Bool = false
    ) -> Attempt<BiometricLogin> {
        let login = Login(
            application: application, account: account, policy: policy, localizedReason: localizedReason,
            fallback: fallback ? true : nil)
        return Attempt(.login(login), at: socket) { (reply: LoggingIn) in
            reply.progress.map(Step.progress) ?? BiometricLogin(reply).map(Step.end)
        }
    }

    /// Every account of the application; all of them where it is nil.
    public func accounts() async throws(BiometricLoginError) -> [Account] {
        let reply: Accounts = try await ask(.list(ApplicationSelection(application: application)))
        return reply.accounts
    }

    /// Changes of the application's accounts, or of all, and of the support for biometric login, from now on. The first
    /// event is `initial`. It ends only by an error, or with its task.
    public func changes() -> MonitorEvents { MonitorEvents(of: application, at: socket) }

    private var account: AccountID? {
        guard let application, let uid else { return nil }
        return AccountID(application: application, uid: uid)
    }

    private var selection: AccountSelection { AccountSelection(application: application, account: account) }

    private func ask<Reply: WireValue>(_ call: Call) async throws(BiometricLoginError) -> Reply {
        let connection = try await Connection(to: socket)
        defer { connection.close() }
        return try await connection.reply(to: call)
    }
}
