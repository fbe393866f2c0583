package import Foundation

/// A private desktop: the real programs on buses of their own, headless. See the `desktop` script beside this file.
package final class Desktop: Sendable {
    /// `storage` identifies among all prints, and forgets them when fprintd restarts; `host` keeps them, and verifies one
    /// finger.
    package enum Reader: String, Sendable { case storage, host, none }
    package enum Keyring: String, Sendable { case unlocked, none }
    package enum Part: String, Sendable {
        case sessionBus = "session-bus"
        case systemBus = "system-bus"
        case keyring, polkit, fprintd, prompter, logind
    }
    /// What a person before the keyring's prompts does; where there is nobody, a prompt ends at once.
    package enum Prompter: String, Sendable { case answer, cancel, hang }
    package struct Failure: Error, CustomStringConvertible { package let description: String }

    /// What a program needs in its environment to be on this desktop.
    package let environment: [String: String]
    package let directory: String
    package var systemBus: String { environment["BIOLOGIN_SYSTEM_BUS"]! }
    private let supervisor: Program
    private let place: Place

    /// Waits for its place where many run already; returns when every part answers.
    package init(reader: Reader = .storage, keyring: Keyring = .unlocked) async throws {
        place = await Place.taken()
        supervisor = try Program(
            BuiltProgram.root + "/Tests/TestSupport/desktop",
            ["serve", "--reader", reader.rawValue, "--keyring", keyring.rawValue], lastSignal: "TERM")
        var environment: [String: String] = [:]
        while let line = await supervisor.output.next(), line != "ready" {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            environment[parts[0]] = parts.last
        }
        self.environment = environment
        directory = environment["BIOLOGIN_DESKTOP"] ?? ""
        if environment.isEmpty { throw Failure(description: await supervisor.ending().errors) }
    }

    deinit {
        // Waits, for some milliseconds: this process may be about to end.
        let ended = DispatchSemaphore(value: 0)
        supervisor.whenEnded { ended.signal() }
        supervisor.closeInput()
        ended.wait()
        // Where the supervisor was killed.
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Ends every part, and returns when they are gone.
    package func stop() async {
        supervisor.closeInput()
        _ = await supervisor.ending()
    }

    /// Leaves the parts to the kernel.
    package func killSupervisor() { supervisor.signal(SIGKILL) }

    /// A control command; its answer.
    @discardableResult
    package func command(_ words: String...) async throws -> String { try await command(words) }

    @discardableResult
    package func command(_ words: [String]) async throws -> String {
        let answer = await onThread { [path = directory + "/control"] in ask(words.joined(separator: " "), at: path) }
        guard let answer else { throw Failure(description: "the desktop is gone") }
        if answer == "ok" { return "" }
        guard answer.hasPrefix("ok ") else { throw Failure(description: "\(words[0]): \(answer)") }
        return String(answer.dropFirst(3))
    }
}

extension Desktop {
    /// Enrolls a finger (`right-index-finger`); fingers with the same print are the same finger to the reader.
    package func enroll(
        _ finger: String = "right-index-finger", print: String = "A", user: String? = nil
    ) async throws {
        _ = try await command(["enroll", finger, print] + (user.map { [$0] } ?? []))
    }

    /// Deletes one finger, or all.
    package func delete(_ finger: String? = nil) async throws {
        _ = try await command(["delete"] + (finger.map { [$0] } ?? []))
    }

    package func fingers() async throws -> [String] { try await command("list").split(separator: " ").map(String.init) }

    /// Touches the sensor as soon as it waits for a finger; what it made of that, as fprintd says it (`verify-match`).
    @discardableResult
    package func touch(_ print: String = "A") async throws -> String { try await command("touch", print) }

    /// A bad scan: 0 general, 1 too short, 2 not centered, 3 remove the finger.
    @discardableResult
    package func retry(_ kind: Int) async throws -> String { try await command("retry", "\(kind)") }

    package func lockKeyring(_ collection: String = "login") async throws {
        try await command("keyring", "lock", collection)
    }

    package func unlockKeyring(_ collection: String = "login") async throws {
        try await command("keyring", "unlock", collection)
    }

    package func keyringIsLocked(_ collection: String = "login") async throws -> Bool {
        try await command("keyring", "state", collection) == "locked"
    }

    package func deleteCollection(_ name: String) async throws { try await command("keyring", "delete", name) }

    package func restart(_ part: Part) async throws { try await command("restart", part.rawValue) }
    package func restartKeyringLocked() async throws { try await command("restart", "keyring", "locked") }
    package func startPrompter(_ prompter: Prompter) async throws {
        try await command("restart", "prompter", prompter.rawValue)
    }
    package func start(_ part: Part) async throws { try await command("start", part.rawValue) }
    package func end(_ part: Part) async throws { try await command("end", part.rawValue) }
    package func kill(_ part: Part) async throws { try await command("kill", part.rawValue) }
    package func freeze(_ part: Part) async throws { try await command("freeze", part.rawValue) }
    package func thaw(_ part: Part) async throws { try await command("thaw", part.rawValue) }
    package func processID(of part: Part) async throws -> pid_t { pid_t(try await command("pid", part.rawValue))! }
}

/// One line there, one line back.
private func ask(_ line: String, at path: String) -> String? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else { return nil }
    let request = Array((line + "\n").utf8)
    guard write(descriptor, request, request.count) == request.count else { return nil }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { answer += chunk[..<count] }
    return answer.last == UInt8(ascii: "\n") ? String(decoding: answer.dropLast(), as: UTF8.self) : nil
}
