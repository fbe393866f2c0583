import Foundation

/// Starts programs, all from one thread that stays.
///
/// `setpriv --pdeathsig`, by which the kernel ends a program when its parent is gone, goes by the *thread* that started
/// it, and the threads of the pool come and go.
final class Spawner: @unchecked Sendable {
    // Only the thread that holds the condition touches `jobs`.
    static let shared = Spawner()
    private let condition = NSCondition()
    private var jobs: [() -> Void] = []

    struct Spawned: Sendable {
        let processID: pid_t
        let input: Int32
        let output: Int32
        let errors: Int32
    }

    private init() {
        signal(SIGPIPE, SIG_IGN)  // a program that ends without reading all its input is no reason to end too
        Thread.detachNewThread { [self] in while true { next()() } }
    }

    func spawn(_ command: [String], environment: [String: String]) throws -> Spawned {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Result<Spawned, POSIXError>?
        condition.withLock {
            jobs.append {
                result = Result { () throws(POSIXError) in try Self.start(command, environment) }
                done.signal()
            }
            condition.signal()
        }
        done.wait()
        return try result!.get()
    }

    private func next() -> () -> Void {
        condition.withLock {
            while jobs.isEmpty { condition.wait() }
            return jobs.removeFirst()
        }
    }

    private static func start(_ command: [String], _ environment: [String: String]) throws(POSIXError) -> Spawned {
        let pipes = try (0..<3).map { _ throws(POSIXError) in try makePipe() }
        let (theirs, ours) = (
            [pipes[0].read, pipes[1].write, pipes[2].write], [pipes[0].write, pipes[1].read, pipes[2].read]
        )
        defer { for descriptor in theirs { close(descriptor) } }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in theirs.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (defaults, mask) = (sigset_t(), sigset_t())
        sigfillset(&defaults)
        sigemptyset(&mask)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setsigmask(&attributes, &mask)
        // A process group of its own: Ctrl-C at the terminal is for the tests, and they end it.
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var processID: pid_t = 0
        let status = posix_spawnp(&processID, command[0], &actions, &attributes, &arguments, &variables)
        guard status == 0 else {
            for descriptor in ours { close(descriptor) }
            throw POSIXError(POSIXErrorCode(rawValue: status)!)
        }
        return Spawned(processID: processID, input: ours[0], output: ours[1], errors: ours[2])
    }

    /// Kept from other programs: they are started by this same thread, after the flags are set.
    private static func makePipe() throws(POSIXError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno)!) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
