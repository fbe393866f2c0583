import Glibc

@testable import Varlink

/// One end of a connection, byte by byte.
final class Wire: Sendable {
    let descriptor: Int32
    private let received = Locked<[UInt8]>([])

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Sends frames, each followed by a NUL.
    func send(_ frames: String...) async { await send(bytes: frames.flatMap { Array($0.utf8) + [0] }) }

    /// Sends bytes as they are; the other end may close before it has them all.
    func send(bytes: [UInt8]) async {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                guard errno == EAGAIN else { return }
                await ready(for: .write)
            }
        }
    }

    /// The next frame, or nil at the end, however it came.
    func receive() async -> String? {
        while true {
            if let frame = nextFrame() { return frame }
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                received.withLock { $0 += chunk[..<count] }
            } else {
                guard count < 0, errno == EAGAIN else { return nil }
                await ready(for: .read)
            }
        }
    }

    func call(_ frame: String) async -> String? {
        await send(frame)
        return await receive()
    }

    /// Half-closes: the other end can still answer.
    func endOfSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes both directions, which is a hang-up.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func nextFrame() -> String? {
        received.withLock { received in
            guard let end = received.firstIndex(of: 0) else { return nil }
            defer { received.removeSubrange(...end) }
            return String(decoding: received[..<end], as: UTF8.self)
        }
    }

    private func ready(for interest: Readiness) async {
        await withCheckedContinuation { continuation in
            PollLoop.shared.perform { [descriptor] in
                let watch = Locked<(any Watch)?>(nil)
                let new = PollLoop.shared.watch(descriptor, interest) { _ in
                    watch.withLock { $0 }?.cancel()
                    continuation.resume()
                }
                watch.withLock { $0 = new }
            }
        }
    }
}
