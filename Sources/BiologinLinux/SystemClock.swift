package import BiologinCore
internal import Glibc

package struct SystemClock: Clock {
    package let bootID: String

    package init() {
        bootID =
            readSmallFile("/proc/sys/kernel/random/boot_id").map { String(decoding: $0.prefix(36), as: UTF8.self) }
            ?? ""
    }

    package var now: Timestamp { Timestamp(seconds: Int64(Self.time(CLOCK_REALTIME).tv_sec)) }

    package var sinceBoot: Duration {
        let time = Self.time(CLOCK_BOOTTIME)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func time(_ clock: Int32) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}

/// The first 4 KiB of a file of /proc, or nil with `errno`.
func readSmallFile(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        let length = read(file, buffer.baseAddress, buffer.count)
        (count, failed) = (max(0, length), length < 0)
    }
    return failed ? nil : bytes
}
