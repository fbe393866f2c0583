import CSodium
import Synchronization

/// A secret in guarded memory: out of core dumps, between guard pages, overwritten when it goes, and locked against
/// being swapped out as far as the system allows.
// Sendable: nobody else has the pointer, and it is written through `mutating` only.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    package let count: Int

    /// Bytes of no particular value, to be filled. Throws `noMemory`.
    package init(count: Int) throws(VaultError) { try self.init(count: count, in: .process) }

    init(count: Int, in memory: LockedMemory) throws(VaultError) {
        Sodium.start()
        guard let base = sodium_malloc(count) else { throw .noMemory }
        // sodium_malloc locks too, but does not say whether it could.
        memory.lock(base, count)
        self.base = base
        self.count = count
    }

    /// Copies the bytes; overwriting the original is up to its owner. Throws `noMemory`.
    package init(copying bytes: RawSpan) throws(VaultError) {
        try self.init(count: bytes.byteCount)
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: base, count: count).copyMemory(from: $0) }
    }

    /// A secret between bytes that are none. Throws `noMemory`.
    init(_ before: [UInt8], _ secret: borrowing SecretBytes, _ after: [UInt8] = []) throws(VaultError) {
        try self.init(count: before.count + secret.count + after.count)
        base.copyMemory(from: before, byteCount: before.count)
        (base + before.count).copyMemory(from: secret.base, byteCount: secret.count)
        (base + before.count + secret.count).copyMemory(from: after, byteCount: after.count)
    }

    /// Bytes nobody can foretell. Throws `noMemory`.
    package static func random(count: Int) throws(VaultError) -> SecretBytes {
        let secret = try SecretBytes(count: count)
        randombytes_buf(secret.base, count)
        return secret
    }

    /// Overwrites the bytes before it gives the memory back.
    deinit { sodium_free(base) }

    /// Lends the bytes until `body` returns.
    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(RawSpan(_unsafeStart: base, byteCount: count))
    }

    /// For calls of C; the pointer is good until `body` returns.
    borrowing func withPointer<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafePointer(base.assumingMemoryBound(to: UInt8.self)))
    }

    /// For calls of C; the pointer is good until `body` returns.
    mutating func withMutablePointer<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(base.assumingMemoryBound(to: UInt8.self))
    }

    /// Whether every secret of this process so far could be locked, the first of them now if there was none.
    package static var areLocked: Bool { LockedMemory.process.isLocked }
}

/// Locks memory, and remembers whether it ever failed: what was in the swap once may be there for long.
final class LockedMemory: Sendable {
    static let process = {
        let memory = LockedMemory { base, count in sodium_mlock(base, count) == 0 }
        _ = try? SecretBytes(count: 1, in: memory)
        return memory
    }()

    private let attempt: @Sendable (UnsafeMutableRawPointer, Int) -> Bool
    private let hasFailed = Atomic(false)

    init(_ attempt: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Bool) { self.attempt = attempt }

    var isLocked: Bool { !hasFailed.load(ordering: .relaxed) }

    func lock(_ base: UnsafeMutableRawPointer, _ count: Int) {
        if !attempt(base, count) { hasFailed.store(true, ordering: .relaxed) }
    }
}

extension [UInt8] {
    /// For what is no secret, or no longer needs to be one.
    init(copying bytes: RawSpan) { self = bytes.withUnsafeBytes { Array($0) } }
}
