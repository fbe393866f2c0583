import CLinux
import Glibc
import Varlink

/// Ends the process when nobody has been connected for a while: systemd starts it again for the next who comes.
final class Idleness: @unchecked Sendable {
    // Everything is used on the loop's thread.
    /// How often it is looked at: the process ends after one to two intervals without a connection.
    private static let interval = 5

    private let timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    private let server: Server
    private var connectionsBefore = 0

    init(of server: Server) {
        self.server = server
        let period = timespec(tv_sec: Self.interval, tv_nsec: 0)
        var setting = itimerspec(it_interval: period, it_value: period)
        timerfd_settime(timer, 0, &setting, nil)
    }

    func watch(on loop: PollLoop) {
        _ = loop.watch(timer, .read) { [self] _ in
            var expirations: UInt64 = 0
            read(timer, &expirations, MemoryLayout.size(ofValue: expirations))
            look()
        }
    }

    /// Whoever connects meanwhile waits in the listening socket, which is systemd's.
    private func look() {
        let (now, soFar) = server.assumeIsolated { ($0.connectionCount, $0.connectionsSoFar) }
        if now == 0, soFar == connectionsBefore { exit(0) }
        connectionsBefore = soFar
    }
}
