package import Foundation

/// The writable memory of another process.
package struct ProcessMemory: Sendable {
    private let processID: pid_t

    /// Nil where this process may not look into it: that takes CAP_SYS_PTRACE.
    package init?(of processID: pid_t) {
        self.processID = processID
        let memory = open("/proc/\(processID)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { return nil }
        close(memory)
    }

    /// How many of the needles are in it. The process does not stand still meanwhile.
    package func count(of needles: [[UInt8]]) async -> Int { await onThread { countNow(needles) } }

    private func countNow(_ needles: [[UInt8]]) -> Int {
        let memory = open("/proc/\(processID)/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        var found = Set<[UInt8]>()
        for (start, end) in writableRegions() {
            var bytes = Data(count: end - start)
            let count = bytes.withUnsafeMutableBytes { pread(memory, $0.baseAddress, $0.count, off_t(start)) }
            guard count > 0 else { continue }
            for needle in needles where bytes.prefix(count).range(of: Data(needle)) != nil { found.insert(needle) }
        }
        return found.count
    }

    /// Larger ones are not the program's: sanitizers map terabytes for themselves.
    private func writableRegions() -> [(Int, Int)] {
        let maps = (try? String(contentsOfFile: "/proc/\(processID)/maps", encoding: .utf8)) ?? ""
        return maps.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            guard words[1].hasPrefix("rw"), ends.count == 2, ends[1] - ends[0] < 1 << 30 else { return nil }
            return (ends[0], ends[1])
        }
    }
}
