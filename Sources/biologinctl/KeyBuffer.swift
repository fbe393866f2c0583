internal import BiologinAPI
internal import BiologinClient
internal import Glibc

/// Room for one login key and a byte more; overwritten when it is let go of.
@safe final class KeyBuffer {
    private let memory: UnsafeMutableRawBufferPointer
    private var count = 0

    init() { unsafe memory = .allocate(byteCount: Open.loginKeyLimit + 1, alignment: 1) }

    deinit {
        unsafe explicit_bzero(memory.baseAddress!, memory.count)
        unsafe memory.deallocate()
    }

    var isFull: Bool { unsafe count == memory.count }

    var last: UInt8? { count > 0 ? unsafe memory[count - 1] : nil }

    /// Reads once, at most so many bytes as there is room for; false at the end of the file.
    func read(from descriptor: Int32, atMost limit: Int = .max) throws(Failure) -> Bool {
        let added = unsafe Glibc.read(descriptor, memory.baseAddress! + count, min(memory.count - count, limit))
        guard added >= 0 || errno == EINTR else {
            throw Failure(.usage, "the login key cannot be read: \(Terminal.lastError)")
        }
        count += max(added, 0)
        return added != 0
    }

    func removeLast(_ bytes: Int) { count = max(count - bytes, 0) }

    func removeAll() { count = 0 }

    /// Refuses what the daemon would refuse.
    func key() throws(Failure) -> LoginKey {
        guard count > 0 else { throw Failure(.usage, "the login key is empty") }
        guard count <= Open.loginKeyLimit else { throw Failure(.usage, "the login key is larger than 16 KiB") }
        return unsafe LoginKey(copying: RawSpan(_unsafeBytes: memory[..<count]))
    }
}
