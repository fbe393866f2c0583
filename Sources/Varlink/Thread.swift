internal import Glibc

/// Threads of pthreads(7), for what blocks.
enum Thread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a thread of its own; here if there can be none.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { work in
                unsafe Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        if status == 0 { pthread_detach(thread) } else { unsafe work.takeRetainedValue().run() }
    }
}
