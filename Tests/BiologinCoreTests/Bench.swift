import BiologinVault
import Dispatch
import Synchronization

@testable import BiologinCore

/// A manager among fakes.
struct Bench: Sendable {
    let manager: LoginManager
    let verifier = FakeVerifier()
    let contents = FakeContents()
    let seat = FakeSeat()
    let store: FakeStore
    let state: FakeState
    let clock: FakeClock
    let journal = FakeJournal()
    let vault: Vault

    static let application = "org.example.mail"
    static let ada = AccountID.of("ada")
    static let caller = Caller(pid: 1, executable: "/usr/bin/mail", unit: nil, sandbox: nil, strength: .path)

    private init(store: FakeStore, state: FakeState, clock: FakeClock, vault: Vault) async {
        (self.store, self.state, self.clock, self.vault) = (store, state, clock, vault)
        manager = LoginManager(
            executor: QueueExecutor(), vault: vault, verifier: verifier, contents: contents, seat: seat,
            records: store, state: state,
            saved: await state.saved, clock: clock, journal: journal)
    }

    /// Runs `body` with a manager that does its chores meanwhile.
    static func run(_ body: (Bench) async throws -> Void) async throws {
        let bench = await Bench(store: FakeStore(), state: FakeState(), clock: FakeClock(), vault: try makeVault())
        try await bench.whileRunning(body)
    }

    /// The same parts after a restart of the daemon.
    func restarted(_ body: (Bench) async throws -> Void) async throws {
        try await Bench(store: store, state: state, clock: clock, vault: vault).whileRunning(body)
    }

    private func whileRunning(_ body: (Bench) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await manager.run() }
            do { try await body(self) } catch {
                await manager.shutDown()
                throw error
            }
            await manager.shutDown()
        }
    }

    private static func makeVault() throws -> Vault {
        try Vault(
            domain: "test", profileKey: try SecretBytes.random(count: 32), deviceKey: DeviceKey(try MemoryProtector()))
    }
}

/// Runs jobs one after the other.
final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "manager")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// What was reported of one call, to be waited for.
final class Reports: Sendable {
    let stream: AsyncStream<Progress>
    private let continuation: AsyncStream<Progress>.Continuation
    private let seen = Mutex<[Progress]>([])
    private let caller: Caller

    init(from caller: Caller = Bench.caller) {
        self.caller = caller
        (stream, continuation) = AsyncStream.makeStream()
    }

    var all: [Progress] { seen.withLock { $0 } }

    var request: Request {
        Request(caller: caller) { progress in
            self.seen.withLock { $0.append(progress) }
            self.continuation.yield(progress)
        }
    }

    /// Waits for the first report that is `wanted`.
    func first(_ wanted: (Progress) -> Bool) async {
        for await progress in stream where wanted(progress) { return }
    }

    func waiting() async {
        await first { if case .waiting = $0 { true } else { false } }
    }
}

extension Bench {
    static func card(_ name: String = "Ada") -> UserInfo {
        UserInfo.named(name)
    }

    func open(
        _ id: AccountID = ada, key: [UInt8] = Array("first key".utf8), policy: Policy = .biometrics,
        _ reports: Reports = Reports()
    ) async throws(LoginError) -> Profile {
        let secret: SecretBytes
        do throws(VaultError) { secret = try SecretBytes(copying: key.span.bytes) } catch {
            throw .internal("\(error)")
        }
        return try await manager.open(id, userInfo: Self.card(), loginKey: secret, policy: policy, reports.request)
    }

    /// Opens with a touch that is already waiting.
    func opened(
        _ id: AccountID = ada, key: [UInt8] = Array("first key".utf8), policy: Policy = .biometrics
    ) async throws -> Profile {
        await verifier.touch(.right)
        return try await open(id, key: key, policy: policy)
    }

    /// The bytes of the key that was released.
    func login(
        _ selector: AccountSelector = .account(ada), policy: Policy? = nil, fallback: Bool = false,
        reporting reports: Reports = Reports()
    ) async throws(LoginError) -> [UInt8] {
        let released = try await manager.login(selector, policy: policy, fallback: fallback, reports.request)
        return released.unsealed.loginKey.withBytes { span in span.withUnsafeBytes { Array($0) } }
    }

    func loggedIn(_ selector: AccountSelector = .account(ada)) async throws(LoginError) -> [UInt8] {
        await verifier.touch(.right)
        return try await login(selector)
    }
}

extension AccountID {
    static func of(_ uid: String) -> AccountID {
        do throws(LoginError) { return try AccountID(application: Bench.application, uid: uid) } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension UserInfo {
    static func named(_ name: String) -> UserInfo {
        do throws(LoginError) {
            return try UserInfo(userName: name, nickName: nil, icon: nil, countryCode: nil)
        } catch { preconditionFailure("\(error)") }
    }
}
