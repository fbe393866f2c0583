internal import CLinux
internal import Glibc

/// A growing run of bytes that may hold secrets: whatever it leaves behind, when it grows or goes away, is
/// overwritten first (explicit_bzero(3)).
@safe struct WipedBuffer: ~Copyable, @unchecked Sendable {
    // One owner, and no pointer leaves a call: as sendable as an array.
    private var base: UnsafeMutableRawPointer?
    private var capacity: Int

    private(set) var count = 0

    /// Room for that many bytes from the start; none is allocated for 0.
    init(capacity: Int = 0) {
        self.capacity = capacity
        unsafe base = capacity > 0 ? .allocate(byteCount: capacity, alignment: 1) : nil
    }

    deinit {
        guard let base = unsafe base else { return }
        unsafe explicit_bzero(base, count)
        unsafe base.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    /// The bytes that were appended.
    var bytes: RawSpan {
        @_lifetime(borrow self) borrowing get {
            guard let base = unsafe base else { return RawSpan() }
            return unsafe _overrideLifetime(RawSpan(_unsafeStart: base, byteCount: count), borrowing: self)
        }
    }

    /// Lends the bytes for the time of the call, where the buffer is a part of something else.
    borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try body(bytes)
    }

    var last: UInt8? { isEmpty ? nil : bytes.octets[count - 1] }

    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        unsafe base!.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    mutating func append(_ bytes: RawSpan) {
        guard bytes.byteCount > 0 else { return }
        reserve(bytes.byteCount)
        unsafe bytes.withUnsafeBytes { unsafe (base! + count).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        count += bytes.byteCount
    }

    mutating func append(_ text: StaticString) {
        guard text.utf8CodeUnitCount > 0 else { return }
        reserve(text.utf8CodeUnitCount)
        unsafe (base! + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    /// Lends `room` bytes after the last one to `fill`, which says how many of them it has written.
    mutating func append(room: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        guard room > 0 else { return }
        reserve(room)
        let written = unsafe fill(UnsafeMutableRawBufferPointer(start: base! + count, count: room))
        precondition(0...room ~= written)
        count += written
    }

    /// The bytes as they are, without a copy; the buffer is empty afterwards.
    mutating func take() -> WipedBuffer {
        var taken = WipedBuffer()
        swap(&self, &taken)
        return taken
    }

    private mutating func reserve(_ more: Int) {
        if more > capacity - count { grow(by: more) }
    }

    private mutating func grow(by more: Int) {
        var larger = WipedBuffer(capacity: max(count + more, 2 * capacity, 64))
        larger.append(bytes)
        swap(&self, &larger)
    }
}
