package import Foundation

/// A program that is ended when the last reference to it goes, or this process.
package final class Program: Sendable {
    package struct Ending: Sendable {
        /// The exit status, or 128 and the number of the signal that ended it, as a shell has it.
        package let status: Int32
        package let output: [UInt8]
        package let errors: String
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    package let processID: pid_t
    package let output = Lines()
    package let errors = Lines()
    private let input: InputPipe
    private let life: Life

    /// The kernel sends `lastSignal` when this process is gone.
    package init(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = Program.environment,
        lastSignal: String = "KILL"
    ) throws {
        let command = ["setpriv", "--pdeathsig", lastSignal, "--", path] + arguments
        let spawned = try Spawner.shared.spawn(command, environment: environment)
        processID = spawned.processID
        input = InputPipe(spawned.input)
        life = Life(spawned.processID)
        Thread.detachNewThread { [output, errors, life] in
            relay([(spawned.output, output), (spawned.errors, errors)])
            life.reap(output: output, errors: errors)
        }
    }

    deinit { life.signal(SIGKILL) }

    /// Runs a program to its end.
    package static func run(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = Program.environment,
        input: [UInt8] = []
    ) async throws -> Ending {
        let program = try Program(path, arguments, environment: environment)
        await onThread { program.write(input) }
        program.closeInput()
        return await program.ending()
    }

    /// This process's own.
    package static var environment: [String: String] { ProcessInfo.processInfo.environment }

    package func write(_ bytes: [UInt8]) { input.write(bytes) }
    package func write(_ text: String) { input.write(Array(text.utf8)) }
    package func closeInput() { input.close() }

    /// Does nothing once it has ended.
    package func signal(_ number: Int32) { life.signal(number) }

    /// Waits for its end; a task that is cancelled meanwhile kills it.
    package func ending() async -> Ending {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                life.whenEnded { continuation.resume(returning: $0) }
            }
        } onCancel: {
            life.signal(SIGKILL)
        }
    }

    /// Calls back once, from another thread; at once where it has ended already.
    func whenEnded(_ told: @escaping @Sendable () -> Void) { life.whenEnded { _ in told() } }
}

/// Runs what blocks on a thread of its own, so that it takes none from the tasks.
func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

/// Reads until all of them have ended, and closes them.
private func relay(_ sources: [(descriptor: Int32, lines: Lines)]) {
    var sources = sources
    var chunk = [UInt8](repeating: 0, count: 65536)
    while !sources.isEmpty {
        var polled = sources.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
        for (source, result) in zip(sources, polled) where result.revents != 0 {
            let count = read(source.descriptor, &chunk, chunk.count)
            if count > 0 { source.lines.append(chunk[..<count]); continue }
            source.lines.end()
            close(source.descriptor)
            sources.removeAll { $0.descriptor == source.descriptor }
        }
    }
}
