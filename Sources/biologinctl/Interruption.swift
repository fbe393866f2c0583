internal import BiologinClient
internal import Glibc

/// Lets a task be canceled while it waits for a file or a terminal: a byte in a pipe is the news.
struct Interruption {
    private let listening: Int32
    private let telling: Int32

    private init() throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure(.fault, "no pipe can be made: \(Terminal.lastError)") }
        (listening, telling) = (ends[0], ends[1])
    }

    /// Runs `body`, whose waits throw when the task is canceled.
    static func during<R>(_ body: (Interruption) throws -> R) async throws -> R {
        let interruption = try Interruption()
        defer {
            close(interruption.listening)
            close(interruption.telling)
        }
        return try await withTaskCancellationHandler {
            try body(interruption)
        } onCancel: {
            _ = unsafe write(interruption.telling, [UInt8(0)], 1)
        }
    }

    /// Waits until there is something to read, or an end or an error to be read.
    func waitForInput(on descriptor: Int32) throws(Failure) {
        var polled = [descriptor, listening].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while unsafe poll(&polled, 2, -1) < 0, errno == EINTR {}
        if polled[1].revents != 0 { throw Failure(.canceled, "canceled") }
    }
}
