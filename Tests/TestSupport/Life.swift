import Foundation

/// Whether a program still runs: a signal goes to it, or to nobody, but never to another that was given its number.
final class Life: @unchecked Sendable {
    private enum State {
        case running([@Sendable (Program.Ending) -> Void])
        case ended(Program.Ending)
    }
    // Only the thread that holds the lock touches the state.
    private let lock = NSLock()
    private var state = State.running([])
    private let processID: pid_t

    init(_ processID: pid_t) { self.processID = processID }

    func signal(_ number: Int32) {
        lock.withLock { if case .running = state { kill(processID, number) } }
    }

    /// At once where it has ended already.
    func whenEnded(_ told: @escaping @Sendable (Program.Ending) -> Void) {
        let ending: Program.Ending? = lock.withLock {
            switch state {
            case .running(let waiting):
                state = .running(waiting + [told])
                return nil
            case .ended(let ending): return ending
            }
        }
        if let ending { told(ending) }
    }

    /// Waits until the program has ended, and tells those who wait for it.
    func reap(output: Lines, errors: Lines) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        var status: Int32 = 0
        let (output, errors) = (output.soFar, String(decoding: errors.soFar, as: UTF8.self))
        let (ending, waiting) = lock.withLock {
            waitpid(processID, &status, 0)
            let signal = status & 0x7f
            let ending = Program.Ending(
                status: signal == 0 ? status >> 8 & 0xff : 128 + signal, output: output, errors: errors)
            guard case .running(let waiting) = state else { preconditionFailure("reaped twice") }
            state = .ended(ending)
            return (ending, waiting)
        }
        for told in waiting { told(ending) }
    }
}

/// The end of a pipe that a program reads its input from; closed once.
final class InputPipe: @unchecked Sendable {
    // Only the thread that holds the lock touches the descriptor.
    private let lock = NSLock()
    private var descriptor: Int32?

    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close() }

    /// What the program does not read is dropped.
    func write(_ bytes: [UInt8]) {
        lock.withLock {
            var rest = bytes[...]
            while let descriptor, !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    func close() {
        lock.withLock {
            if let descriptor { _ = Glibc.close(descriptor) }
            descriptor = nil
        }
    }
}
