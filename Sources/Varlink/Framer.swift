internal import Glibc

/// A frame longer than the limit.
struct FrameTooLarge: Error {}

/// Cuts what was received into frames: JSON texts, each ended by a NUL.
struct Framer: ~Copyable {
    private let limit: Int
    private var received = WipedBuffer()
    /// Where the first frame that was not taken begins, and up to where no NUL was found after it.
    private var start = 0
    private var scanned = 0

    /// Frames of at most `limit` bytes, the NUL not counted.
    init(limit: Int) { self.limit = limit }

    /// How many bytes wait to be taken.
    var count: Int { received.count - start }

    /// Appends what `fill` writes into `room` bytes and says the number of.
    mutating func receive(room: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        dropTaken()
        unsafe received.append(room: room, fill)
    }

    /// The next whole frame, without its NUL.
    mutating func next() throws(FrameTooLarge) -> WipedBytes? {
        guard let end = firstNUL() else {
            scanned = received.count
            guard count <= limit else { throw FrameTooLarge() }
            // What is idle holds no memory.
            if count == 0 { dropTaken() }
            return nil
        }
        guard end - start <= limit else { throw FrameTooLarge() }
        let frame = WipedBytes(copying: received.bytes.extracting(start..<end))
        start = end + 1
        scanned = start
        return frame
    }

    private mutating func dropTaken() {
        guard start > 0 else { return }
        var rest = WipedBuffer(capacity: count)
        rest.append(received.bytes.extracting(start..<received.count))
        swap(&rest, &received)
        scanned -= start
        start = 0
    }

    private func firstNUL() -> Int? {
        guard scanned < received.count else { return nil }
        return received.withBytes { bytes in
            unsafe bytes.extracting(scanned..<bytes.byteCount).withUnsafeBytes { rest in
                guard let found = unsafe memchr(rest.baseAddress!, 0, rest.count) else { return nil }
                return unsafe scanned + (UnsafeRawPointer(found) - rest.baseAddress!)
            }
        }
    }
}
