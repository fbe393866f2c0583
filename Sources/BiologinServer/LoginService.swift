import BiologinAPI
package import BiologinCore
import BiologinVault
package import Varlink

/// Answers the calls of `org.biologin.Login` from programs of one user: unpack, check, ask the manager, reply.
package struct LoginService: Service {
    package let identity = Identity(
        vendor: "Biologin", product: "biologind", version: Version.current, url: "https://biologin.org")
    package let interfaces = [
        Interface(
            name: LoginInterface.name, description: LoginInterface.description,
            methods: Set(LoginInterface.Method.allCases.map(\.rawValue)))
    ]

    let manager: LoginManager
    private let owner: UInt32
    let simulated: Bool
    private let caller: @Sendable (Peer) -> BiologinCore.Caller

    /// - Parameters:
    ///   - owner: the uid whose programs are served; every other one is refused.
    ///   - caller: says who a peer is.
    package init(
        manager: LoginManager, owner: UInt32, simulated: Bool,
        caller: @escaping @Sendable (Peer) -> BiologinCore.Caller
    ) {
        (self.manager, self.owner, self.simulated, self.caller) = (manager, owner, simulated, caller)
    }

    package func admit(_ peer: Peer) -> Bool { peer.uid == owner }

    package func handle(_ call: ServerCall) async {
        guard let method = LoginInterface.Method(qualifiedName: call.method) else { return call.methodNotImplemented() }
        do throws(LoginError) {
            try await answer(try parameters(of: call, method), call)
        } catch .invalidParameter(let name) {
            call.invalidParameter(name)
        } catch {
            let refusal = Refusal.of(error)
            call.fail(refusal.name.qualifiedName) { refusal.write(to: &$0) }
        }
    }

    private func parameters(of call: ServerCall, _ method: LoginInterface.Method) throws(LoginError) -> Call {
        do {
            return try call.withParameters { json throws(ParameterError) in try Call(method, from: &json) }
        } catch {
            throw error.tooLarge ? .limitExceeded("\(error.name): too large") : .invalidParameter(error.name)
        }
    }

    private func answer(_ parameters: Call, _ call: ServerCall) async throws(LoginError) {
        switch parameters {
        case .getStatus: reply(await status(), to: call)
        case .getSupport: reply(await support(), to: call)
        case .isEnabled(let parameters): reply(try await isEnabled(parameters), to: call)
        case .getUserInfo(let parameters): reply(try await userInfo(parameters), to: call)
        case .updateUserInfo(let parameters):
            try await update(parameters)
            reply(Nothing(), to: call)
        case .open(let parameters): reply(try await open(parameters, call), to: call)
        case .login(let parameters): try await login(parameters, call)
        case .close(let parameters):
            try await close(parameters, caller(call.peer))
            reply(Nothing(), to: call)
        case .rekey: call.methodNotImplemented()
        case .list(let parameters): reply(try await list(parameters), to: call)
        case .monitor(let parameters): try await monitor(parameters, call)
        }
    }

    func reply(_ value: some WireValue, to call: ServerCall) { call.reply { value.write(to: &$0) } }

    /// A request of the manager's, whose progress goes to the caller with what it gave as its reason.
    func request(
        _ call: ServerCall, reason: String,
        reply: @escaping @Sendable (BiologinAPI.Progress) -> some WireValue
    ) -> Request {
        let caller = caller(call.peer)
        return Request(caller: caller) { [verifier = manager.verifier.name] progress in
            let told = reply(BiologinAPI.Progress(progress, verifier: verifier, reason: reason, caller: caller))
            call.progress { told.write(to: &$0) }
        }
    }
}
