import BiologinCore
import BiologinLinux
import BiologinServer
import BiologinVault
import Glibc
import Varlink

/// All parts, wired together.
struct Daemon {
    private let invocation: Invocation
    private let directory: StateDirectory
    private let vault: Vault
    private let domain: String
    /// Nil in a simulation without it.
    private let contents: EnrollmentHelper?
    private let collection: SecretCollection

    /// What keeps simulated and real keys from opening for each other.
    private static let domain = "org.biologin.Login", simulatedDomain = "org.biologin.Login.Simulated"
    /// For everything to end by itself after a signal.
    private static let endLimit: Duration = .milliseconds(800)

    /// Takes the state directory, which no other instance may have.
    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        domain = invocation.isSimulated ? Self.simulatedDomain : Self.domain
        contents = invocation.enrollment.map { EnrollmentHelper(path: $0, clock: SystemClock()) }
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration =
                if let file = invocation.config { try Configuration(file: file) } else {
                    try Configuration(firstOf: Invocation.usualConfigs)
                }
        } catch { throw .configuration(error.description) }
        let lock: StateLock
        do throws(DirectoryError) { lock = try StateLock(invocation.state) } catch { throw .place(error.description) }
        do throws(VaultError) {
            vault = try Vault.open(directory: lock.path, domain: domain, create: lock.isNew)
        } catch {
            let problem = "\(lock.path): \(LoginError(error))"
            throw lock.isNew ? .place(problem) : .state(problem)
        }
        do throws(DirectoryError) { directory = try StateDirectory(lock, vault: vault) } catch {
            throw .place(error.description)
        }
        do {
            let own = try OwnCollection(
                label: invocation.isSimulated ? "Biologin (simulated)" : "Biologin",
                startingIn: configuration.collection, lock, vault: vault)
            collection = SecretCollection(configuration.collection, own: own)
        } catch { throw .place(error.description) }
    }

    /// Serves until a signal ends it. The socket comes last: whoever connects is answered.
    @GLibThread func run() async throws(Failure) {
        let saved: SavedState
        do { saved = try await directory.load() } catch { throw .state(error.description) }
        // Without an account there is nothing that a lost device key would be needed for.
        if saved.accounts.isEmpty, saved.damaged.isEmpty { try? vault.makeDeviceKeyIfMissing() }

        let bus = Bus(address: invocation.simulatedBus ?? Bus.systemAddress)
        let logind = Logind(bus: bus), manager = manager(saved, bus, logind)
        let service = LoginService(
            manager: manager, owner: geteuid(), simulated: invocation.isSimulated,
            caller: { ProcessFacts.caller($0.pid) })
        let server = Server(service: service, executor: GLibLoop.shared, loop: LoopAdapter())
        // What is known of the session is known to the first call.
        async let seat = logind.current()
        await manager.settle()
        _ = await seat
        let socket = try Socket(invocation.socket)
        await server.listen(on: socket.descriptor)

        await withDiscardingTaskGroup { group in
            group.addTask { await manager.run() }
            group.addTask { await logind.run() }
            let watchdog = Watchdog()
            if invocation.isSimulated { Systemd.notifyStatus("simulated: nothing is verified for real") }
            Systemd.notifyReady()
            await Self.termination()
            Systemd.notifyStopping()
            withExtendedLifetime(watchdog) {}
            // A part that hangs does not keep the daemon: what it has claimed ends with the connection.
            let limit = GLibLoop.shared.timer(after: Self.endLimit) {
                socket.remove()
                exit(0)
            }
            await manager.shutDown()
            await server.stop()
            group.cancelAll()
            withExtendedLifetime(limit) {}
        }
        socket.remove()
    }

    private func manager(_ saved: SavedState, _ bus: Bus, _ logind: Logind) -> LoginManager {
        LoginManager(
            executor: GLibLoop.shared, vault: vault,
            verifier: Fprintd(bus: bus, clock: SystemClock(), logind: logind, enrollments: saved.enrollments),
            contents: contents, seat: logind,
            records: SecretServiceStore(
                bus: Bus(address: Bus.sessionAddress), domain: domain, collection: collection,
                journal: SystemdJournal()),
            state: directory, saved: saved, clock: SystemClock(), journal: SystemdJournal(),
            touchLimit: invocation.verifyTimeout)
    }

    /// Returns at SIGTERM or SIGINT.
    @GLibThread private static func termination() async {
        let (signals, caught) = AsyncStream<Never>.makeStream()
        let sources = [SIGTERM, SIGINT].map { GLibLoop.shared.onSignal($0) { caught.finish() } }
        for await _ in signals {}
        for source in sources { source.cancel() }
    }
}
