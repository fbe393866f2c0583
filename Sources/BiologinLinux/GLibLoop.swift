internal import CGio

/// Everything that touches a GLib object is isolated to this actor, which runs on the thread of `GLibLoop.shared`.
@globalActor package actor GLibThread {
    package static let shared = GLibThread()

    nonisolated package var unownedExecutor: UnownedSerialExecutor {
        GLibLoop.shared.asUnownedSerialExecutor()
    }

    /// For C callbacks, which the loop makes on its thread: calls `operation` at once, and traps on any other thread.
    static func assumeIsolated<Value: Sendable>(_ operation: @GLibThread () -> Value) -> Value {
        GLibLoop.shared.checkIsolated()
        return withoutActuallyEscaping(operation) { operation in
            // As `MainActor.assumeIsolated` does it: the isolation was checked, and is no part of how a closure is called.
            unsafeBitCast(operation, to: (() -> Value).self)()
        }
    }
}

/// Runs Swift's jobs and GLib's sources on one thread, which iterates a main context of its own.
///
/// From its first use it has a thread of its own, unless `run` has given it the caller's before.
// Unchecked: the queue is locked, the rest is constant, and contexts and sources may be used from any thread.
package final class GLibLoop: SerialExecutor, @unchecked Sendable {
    package static let shared = GLibLoop()

    /// How many batches of jobs run before other sources get their turn.
    private static let batches = 16

    private struct Queue {
        var jobs: [UnownedJob] = []
        /// Whether the source that runs jobs is ready, or running.
        var scheduled = false
        var hasThread = false
    }

    let context: OpaquePointer
    private let loop: OpaquePointer
    private var source: UnsafeMutablePointer<GSource>!
    private let queue = Locked(Queue())

    private init() {
        context = g_main_context_new()
        loop = g_main_loop_new(context, 0)
        source = makeSource { [unowned self] source in
            g_source_set_ready_time(source, -1)
            runJobs()
            return true
        }
        g_source_attach(source, context)
    }

    /// Runs the loop on the calling thread until `body` has returned; only possible before the loop's first use.
    package func run(_ body: @escaping @GLibThread @Sendable () async -> Void) {
        let first = queue.withLock { queue in
            defer { queue.hasThread = true }
            return !queue.hasThread
        }
        precondition(first, "the GLib loop has a thread already")
        Task { @GLibThread in
            await body()
            g_main_loop_quit(loop)
        }
        iterate()
    }

    private func iterate() {
        // GIO answers in the thread-default context of the thread that asked.
        g_main_context_push_thread_default(context)
        g_main_loop_run(loop)
        g_main_context_pop_thread_default(context)
    }

    /// Adds a source, which may be dispatched before this returns.
    func attach(_ source: UnsafeMutablePointer<GSource>) {
        g_source_attach(source, context)
        startThread()
    }

    private func startThread() {
        let first = queue.withLock { queue in
            defer { queue.hasThread = true }
            return !queue.hasThread
        }
        guard first else { return }
        let thread = g_thread_new(
            "glib",
            { _ in
                GLibLoop.shared.iterate()
                return nil
            }, nil)
        g_thread_unref(thread)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (wake, start) = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.scheduled = true }
            return (!queue.scheduled, !queue.hasThread)
        }
        // Not `g_main_context_invoke`, which would run the job inside another one.
        if wake { g_source_set_ready_time(source, 0) }
        if start { startThread() }
    }

    private func runJobs() {
        let executor = asUnownedSerialExecutor()
        var batch: [UnownedJob] = []
        for _ in 0..<Self.batches {
            batch.removeAll(keepingCapacity: true)
            queue.withLock { queue in
                swap(&batch, &queue.jobs)
                if batch.isEmpty { queue.scheduled = false }
            }
            if batch.isEmpty { return }
            for job in batch { job.runSynchronously(on: executor) }
        }
        g_source_set_ready_time(source, 0)
    }

    package func checkIsolated() {
        precondition(g_main_context_is_owner(context) != 0, "not on the GLib thread")
    }

    package func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(context) != 0 }
}
