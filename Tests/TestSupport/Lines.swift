import Foundation

/// What a program writes: line by line as it comes, and as a whole.
package final class Lines: @unchecked Sendable {
    // Only the thread that holds the lock touches `bytes` and `lineStart`.
    private let lock = NSLock()
    private var bytes: [UInt8] = []
    private var lineStart = 0
    private let (stream, continuation) = AsyncStream.makeStream(of: String.self)

    /// The next line, or nil at the end. One task at a time.
    package func next() async -> String? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }

    /// The next line with that text in it; those before it are passed over.
    package func next(containing text: String) async -> String? {
        while let line = await next() {
            if line.contains(text) { return line }
        }
        return nil
    }

    /// All that has come so far.
    package var soFar: [UInt8] { lock.withLock { bytes } }

    func append(_ chunk: some Collection<UInt8>) {
        lock.withLock {
            bytes += chunk
            while let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
                continuation.yield(String(decoding: bytes[lineStart..<end], as: UTF8.self))
                lineStart = end + 1
            }
        }
    }

    func end() {
        lock.withLock {
            if lineStart < bytes.count { continuation.yield(String(decoding: bytes[lineStart...], as: UTF8.self)) }
            continuation.finish()
        }
    }
}
