import BiologinAPI
import BiologinCore
import BiologinVault
import Varlink

/// The calls that verify nobody.
extension LoginService {
    func status() async -> Status {
        let status = await manager.status()
        return Status(
            version: Version.current, simulated: simulated, deviceKey: status.deviceKey,
            memoryLocked: status.memoryLocked, secretService: status.store?.description,
            keyringLocked: status.store?.locked, lockedOutForSeconds: status.lockedOutSeconds, accounts: status.accounts
        )
    }

    func support() async -> Support {
        let readers = await manager.support()
        return Support(supported: readers.contains { $0.availability == .ready }, verifiers: readers.map(Verifier.init))
    }

    func isEnabled(_ selection: AccountSelection) async throws(LoginError) -> Enablement {
        let selector = try AccountSelector(selection)
        let refusal: LoginFailure
        switch try await manager.enablement(of: selector) {
        case .enabled: return Enablement(enabled: true)
        case .notOpen: refusal = Refusal.of(.notOpen)
        case .modified(let change): refusal = Refusal.of(.informationModified(change))
        }
        return Enablement(enabled: false, code: refusal.name.code, reason: refusal.message)
    }

    func userInfo(_ selection: AccountSelection) async throws(LoginError) -> Card {
        let selector = try AccountSelector(selection)
        return Card(userInfo: await manager.account(selector).map(BiologinAPI.UserInfo.init))
    }

    func update(_ parameters: UpdateUserInfo) async throws(LoginError) {
        let selector = try AccountSelector(application: parameters.application, account: parameters.account)
        try await manager.update(
            selector, uid: parameters.userInfo.uid, userInfo: try BiologinCore.UserInfo(parameters.userInfo))
    }

    func close(_ selection: AccountSelection, _ caller: BiologinCore.Caller) async throws(LoginError) {
        let selector = try AccountSelector(selection)
        try await manager.close(selector, caller: caller)
    }

    func list(_ selection: ApplicationSelection) async throws(LoginError) -> BiologinAPI.Accounts {
        if let application = selection.application { try BiologinCore.AccountID.check(application: application) }
        return BiologinAPI.Accounts(accounts: await manager.list(of: selection.application).map(Account.init))
    }

    /// The current account now, and every event until the client goes or the daemon stops.
    func monitor(_ selection: ApplicationSelection, _ call: ServerCall) async throws(LoginError) {
        if let application = selection.application { try BiologinCore.AccountID.check(application: application) }
        guard call.more else { return call.expectedMore() }
        await manager.watch(selection.application) { current, events in
            let initial = MonitorEvent(event: .initial, account: current.map(Account.init))
            call.progress { initial.write(to: &$0) }
            for await event in events {
                let told = MonitorEvent(event: MonitorEvent.Kind(event.kind), account: event.profile.map(Account.init))
                call.progress { told.write(to: &$0) }
            }
        }
        throw .systemCancel
    }
}
