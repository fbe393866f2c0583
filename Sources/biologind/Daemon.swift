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
    private let socket: Socket
    private let domain: String

    /// What keeps simulated and real keys from opening for each other.
    private static let domain = "org.biologin.Login", simulatedDomain = "org.biologin.Login.Simulated"

    /// Takes the state directory and the socket, which no other instance may have.
    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        domain = invocation.isSimulated ? Self.simulatedDomain : Self.domain
        let lock: StateLock
        do throws(DirectoryError) {
            lock = try StateLock(invocation.state)
            socket = try Socket(invocation.socket)
        } catch { throw .place(error.description) }
        do throws(VaultError) {
            vault = try Vault.open(directory: lock.path, domain: domain, create: lock.isNew)
        } catch {
            throw .state("\(lock.path): \(error)", hint: "nothing was overwritten: put the key back from a backup")
        }
        do throws(DirectoryError) { directory = try StateDirectory(lock, vault: vault) } catch {
            throw .place(error.description)
        }
    }

    /// Serves until a signal ends it.
    @GLibThread func run() async throws(Failure) {
        let saved: SavedState
        do { saved = try await directory.load() } catch {
            throw .state(error.description, hint: "nothing was overwritten: put the file back from a backup")
        }
        // Without an account there is nothing that a lost device key would be needed for.
        if saved.accounts.isEmpty, saved.damaged.isEmpty { try? vault.makeDeviceKeyIfMissing() }
        let loop = GLibLoop.shared, journal = SystemdJournal()
        let bus = Bus(address: invocation.simulatedBus ?? Bus.systemAddress)
        let sessionBus = Bus(address: Bus.sessionAddress)
        let manager = LoginManager(
            executor: loop, vault: vault, verifier: Fprintd(bus: bus, clock: SystemClock()),
            records: SecretServiceStore(bus: sessionBus, domain: domain), state: directory, saved: saved,
            clock: SystemClock(),
            journal: journal)
        let service = LoginService(
            manager: manager, owner: geteuid(), simulated: invocation.isSimulated,
            caller: { ProcessFacts.caller($0.pid) })
        let server = Server(service: service, executor: loop, loop: LoopAdapter())
        await server.listen(on: socket.descriptor)

        await withDiscardingTaskGroup { group in
            group.addTask { await manager.run() }
            let watchdog = Watchdog()
            if invocation.isSimulated { Systemd.notifyStatus("simulated: nothing is verified for real") }
            Systemd.notifyReady()
            await Self.termination()
            Systemd.notifyStopping()
            withExtendedLifetime(watchdog) {}
            await manager.shutDown()
            await server.stop()
        }
        socket.remove()
    }

    /// Returns at SIGTERM or SIGINT.
    @GLibThread private static func termination() async {
        let (signals, caught) = AsyncStream<Never>.makeStream()
        let sources = [SIGTERM, SIGINT].map { GLibLoop.shared.onSignal($0) { caught.finish() } }
        for await _ in signals {}
        for source in sources { source.cancel() }
    }
}
