internal import CLinux
internal import Glibc

/// An event loop, and the executor that goes with it, on one thread that waits in poll(2).
public final class PollLoop: EventLoop, SerialExecutor {
    /// The one that clients use.
    static let shared = {
        let loop = PollLoop()
        loop.start()
        return loop
    }()

    private struct Watched {
        let descriptor: Int32
        var interest: Readiness
        let ready: @Sendable (Readiness) -> Void
    }

    private enum Job {
        case swift(UnownedJob)
        case work(@Sendable () -> Void)
    }

    private struct State {
        var jobs: [Job] = []
        var watched: [Int: Watched] = [:]
        var nextID = 0
        var isStopping = false
        var thread: pthread_t?
    }

    private struct PollWatch: Watch {
        let loop: PollLoop
        let id: Int
        func change(_ interest: Readiness) { loop.change(id) { $0?.interest = interest } }
        func cancel() { loop.change(id) { $0 = nil } }
    }

    private let state = Locked(State())
    private let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    /// A loop that does nothing until `run` or `start`.
    public init() {}

    deinit { close(wakeUp) }

    /// Runs the loop on a thread of its own.
    public func start() {
        let loop = unsafe Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        unsafe pthread_create(
            &thread, nil,
            { loop in
                unsafe Unmanaged<PollLoop>.fromOpaque(loop!).takeRetainedValue().run()
                return nil
            }, loop)
        pthread_detach(thread)
    }

    /// Runs the loop on this thread, until it is stopped.
    public func run() {
        state.withLock { $0.thread = pthread_self() }
        while true {
            runJobs()
            let (watched, mayWait, isStopping) = state.withLock { ($0.watched, $0.jobs.isEmpty, $0.isStopping) }
            if isStopping, mayWait { return }
            wait(for: watched, timeout: mayWait ? -1 : 0)
        }
    }

    /// Ends the loop, once it has run the jobs that it has.
    public func stop() {
        state.withLock { $0.isStopping = true }
        wake()
    }

    /// Runs the job on the loop's thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.swift(UnownedJob(job)))
    }

    /// Runs `work` on the loop's thread, after what was given before.
    public func perform(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

    /// Whether this is the loop's thread.
    public func isIsolatingCurrentContext() -> Bool? { state.withLock { $0.thread == pthread_self() } }

    /// Traps unless this is the loop's thread.
    public func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the loop's thread") }

    /// Watches a descriptor, from any thread.
    public func watch(
        _ descriptor: Int32, _ interest: Readiness, _ ready: @escaping @Sendable (Readiness) -> Void
    ) -> any Watch {
        let id = state.withLock { state in
            state.nextID += 1
            state.watched[state.nextID] = Watched(descriptor: descriptor, interest: interest, ready: ready)
            return state.nextID
        }
        wake()
        return PollWatch(loop: self, id: id)
    }

    private func add(_ job: Job) {
        state.withLock { $0.jobs.append(job) }
        wake()
    }

    private func change(_ id: Int, _ change: (inout Watched?) -> Void) {
        state.withLock { change(&$0.watched[id]) }
        wake()
    }

    /// Makes the thread look at the state again; the thread itself does so anyway.
    private func wake() {
        if isIsolatingCurrentContext() != true { eventfd_write(wakeUp, 1) }
    }

    private func runJobs() {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs {
            switch job {
            case .swift(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            case .work(let work): work()
            }
        }
    }

    private func wait(for watched: [Int: Watched], timeout: Int32) {
        let ids = Array(watched.keys)
        var polled = ids.map { pollfd(fd: watched[$0]!.descriptor, events: watched[$0]!.interest.events, revents: 0) }
        polled.append(pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0))
        guard unsafe poll(&polled, nfds_t(polled.count), timeout) > 0 else { return }
        if polled.last!.revents != 0 {
            var count: eventfd_t = 0
            unsafe eventfd_read(wakeUp, &count)
        }
        for (id, polled) in zip(ids, polled) where polled.revents != 0 {
            // One before it may have canceled this one.
            let ready = state.withLock { $0.watched[id]?.ready }
            ready?(Readiness(events: polled.revents))
        }
    }
}

extension Readiness {
    fileprivate var events: Int16 {
        Int16((contains(.read) ? POLLIN : 0) | (contains(.write) ? POLLOUT : 0))
    }

    fileprivate init(events: Int16) {
        self = []
        if events & Int16(POLLIN) != 0 { insert(.read) }
        if events & Int16(POLLOUT) != 0 { insert(.write) }
        if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { insert(.hangUp) }
    }
}
