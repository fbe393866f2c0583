import BiologinVault
import CSodium

/// BLAKE2b (RFC 7693) with a key, of bytes that come in pieces.
struct KeyedHash: ~Copyable {
    static let byteCount = 32

    private let memory: UnsafeMutableRawPointer
    private var state: OpaquePointer { OpaquePointer(memory) }

    /// `purpose` is what the hash is made for: no hash made for one thing can serve for another.
    init(_ purpose: String, key: borrowing SecretBytes) {
        // Swift does not know its type, for its alignment.
        memory = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        let state = OpaquePointer(memory)
        let status = key.withBytes { key in
            key.withUnsafeBytes {
                crypto_generichash_init(
                    state, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count, Self.byteCount)
            }
        }
        precondition(status == 0, "lengths that BLAKE2b knows")
        add(Array(purpose.utf8) + [0])
    }

    deinit {
        sodium_memzero(memory, crypto_generichash_statebytes())
        memory.deallocate()
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        crypto_generichash_update(state, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    /// To be asked for once, at the end.
    consuming func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { output, filled in
            crypto_generichash_final(state, output.baseAddress!, Self.byteCount)
            filled = Self.byteCount
        }
    }
}
