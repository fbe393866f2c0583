package import BiologinCore
internal import CLinux
internal import Glibc

package struct SystemClock: Clock {
    package let bootID: String

    /// What is not told is taken for a boot of this process's own, lest the next one be taken for the same.
    private static let unknownBoot = "unknown-\(UInt64.random(in: .min ... .max))"

    package init() { self.init(bootIDFile: "/proc/sys/kernel/random/boot_id") }

    init(bootIDFile: String) {
        let text = readSmallFile(bootIDFile).map { String(decoding: $0.prefix(36), as: UTF8.self) } ?? ""
        bootID = text.isEmpty ? Self.unknownBoot : text
    }

    package var now: Timestamp { Timestamp(seconds: linux_time(CLOCK_REALTIME) / 1_000_000_000) }
    package var sinceBoot: Duration { .nanoseconds(linux_time(CLOCK_BOOTTIME)) }
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
