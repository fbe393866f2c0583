internal import Glibc

/// One end of a connected stream socket: frames in, frames out, never waiting.
struct Channel: ~Copyable {
    /// The most that one readiness event reads, so that no peer keeps the others waiting.
    private static let readSize = 64 << 10

    enum Received { case bytes, nothing, end }

    let descriptor: Int32
    private var framer: Framer
    private var output = WipedBuffer()
    private var sent = 0

    /// Takes the descriptor over, which is non-blocking from now on.
    init(_ descriptor: Int32, frameLimit: Int) {
        self.descriptor = descriptor
        framer = Framer(limit: frameLimit)
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// How many bytes were received and not taken as frames.
    var unread: Int { framer.count }

    /// How many bytes are still to be sent.
    var unsent: Int { output.count - sent }

    /// Reads once; an error is an end.
    mutating func receive() -> Received {
        var result = Received.nothing
        unsafe framer.receive(room: Self.readSize) { room in
            let count = unsafe read(descriptor, room.baseAddress, room.count)
            if count > 0 { result = .bytes } else if count == 0 || (errno != EAGAIN && errno != EINTR) { result = .end }
            return max(count, 0)
        }
        return result
    }

    mutating func nextFrame() throws(FrameTooLarge) -> WipedBytes? { try framer.next() }

    /// Puts a frame behind those that are still to be sent.
    mutating func enqueue(_ frame: WipedBytes) {
        frame.withBytes { output.append($0) }
    }

    /// Writes once as much as the socket takes; false if the peer is gone.
    mutating func flush() -> Bool {
        guard unsent > 0 else { return true }
        let count = output.withBytes { bytes in
            unsafe bytes.extracting(sent..<bytes.byteCount).withUnsafeBytes { rest in
                unsafe send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
        }
        guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
        sent += count
        if unsent == 0 {
            output = WipedBuffer()
            sent = 0
        }
        return true
    }
}
