internal import CSystemd
internal import Glibc

/// What systemd and a service that it started tell each other: sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3).
/// Without systemd nothing is told.
package enum Systemd {
    package struct SocketError: Error, CustomStringConvertible {
        package let description: String
    }

    /// The listening socket that systemd passed, non-blocking: the one of that `FileDescriptorName=`, or else the first. nil
    /// if it passed none. Asked for once; it throws if what was passed is no listening Unix stream socket.
    package static func takeSocket(named name: String) throws(SocketError) -> Int32? {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count != 0 else { return nil }
        guard count > 0, let names else {
            throw SocketError(description: "sockets of systemd: \(String(cString: strerror(-count)))")
        }
        let all = (0..<Int(count)).map { String(cString: names[$0]!) }
        for index in all.indices { free(names[index]) }
        free(names)
        let descriptor = SD_LISTEN_FDS_START + Int32(all.firstIndex(of: name) ?? 0)
        guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
            throw SocketError(description: "sockets of systemd: no listening Unix stream socket")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return descriptor
    }

    package static func notifyReady() { notify("READY=1") }
    package static func notifyStopping() { notify("STOPPING=1") }

    /// One line for `systemctl status`.
    package static func notifyStatus(_ text: String) {
        notify("STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    fileprivate static func notify(_ state: String) { sd_notify(0, state) }
}

/// Tells systemd that the loop still turns, twice in each interval of `WatchdogSec=`, until the last reference to it goes.
@GLibThread package final class Watchdog {
    private let interval: Duration
    private var timer: LoopSource?

    /// nil if systemd does not watch this process.
    package init?() {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        interval = .microseconds(Int64(clamping: microseconds / 2))
        tell()
    }

    private func tell() {
        Systemd.notify("WATCHDOG=1")
        timer = GLibLoop.shared.timer(after: interval) { [weak self] in self?.tell() }
    }
}
