package import Foundation

/// A disk of 128 KiB that only those programs see that enter it; it is gone with the last reference to it.
package final class SmallDisk: Sendable {
    package let path: String
    /// Whose mount namespace it is in.
    private let holder: Program

    private static let mounting =
        "mkdir -p \"$1\"; mount -t tmpfs -o size=128k,mode=700 small \"$1\"; echo mounted; exec cat"

    package init(at path: String) async throws {
        self.path = path
        holder = try Program("unshare", ["--mount", "sh", "-euc", Self.mounting, "sh", path])
        guard await holder.output.next() == "mounted" else { throw Desktop.Failure(description: "no disk at \(path)") }
    }

    package var processID: pid_t { holder.processID }

    /// What a program is run by to see it.
    package var entering: [String] { ["nsenter", "--target", "\(processID)", "--mount", "--"] }

    /// Where this process sees a file of it.
    package func url(_ name: String) -> URL { URL(filePath: "/proc/\(processID)/root\(path)/\(name)") }

    /// Leaves room for nothing.
    package func fill() throws {
        let file = open(url("filler").path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw Desktop.Failure(description: "cannot fill \(path): \(errno)") }
        defer { close(file) }
        let page = [UInt8](repeating: 0, count: 4096)
        while write(file, page, page.count) > 0 {}
    }

    package func makeRoom() throws { try FileManager.default.removeItem(at: url("filler")) }

    package func remount(_ option: String) async throws {
        let command = entering + ["mount", "-o", "remount,\(option)", path]
        let ending = try await Program.run(command[0], Array(command.dropFirst()))
        guard ending.status == 0 else { throw Desktop.Failure(description: ending.errors) }
    }
}
