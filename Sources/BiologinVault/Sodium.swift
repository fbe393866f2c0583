import CSodium

/// The few functions of libsodium that the vault uses, on bytes that know their length.
enum Sodium {
    static let keySize = 32
    /// What a sealed data key is larger than the key: an ephemeral public key and a tag.
    static let sealOverhead = Int(crypto_box_PUBLICKEYBYTES) + Int(crypto_box_MACBYTES)
    static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    /// What an encrypted message is larger than the message: a nonce and a tag.
    static let boxOverhead = nonceSize + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

    private static let isReady = sodium_init() >= 0

    /// libsodium aborts or is not thread-safe before this; any number of calls will do.
    static func start() { precondition(isReady, "libsodium does not start") }

    /// Compares in a time that depends on the lengths alone.
    static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }

    // MARK: BLAKE2b (RFC 7693)

    static func hash(_ input: [UInt8], key: borrowing SecretBytes, count: Int) -> [UInt8] {
        key.withPointer { key in hash(input, key: key, count: count) }
    }

    static func hash(_ input: [UInt8], count: Int) -> [UInt8] { hash(input, key: nil, count: count) }

    /// A key out of a key.
    static func derive(_ input: [UInt8], key: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        var derived = try SecretBytes(count: keySize)
        key.withPointer { key in
            derived.withMutablePointer { hash(input, key: key, into: $0, count: keySize) }
        }
        return derived
    }

    private static func hash(_ input: [UInt8], key: UnsafePointer<UInt8>?, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            hash(input, key: key, into: output.baseAddress!, count: count)
            filled = count
        }
    }

    private static func hash(
        _ input: [UInt8], key: UnsafePointer<UInt8>?, into output: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        start()
        let status = crypto_generichash(output, count, input, UInt64(input.count), key, key == nil ? 0 : keySize)
        precondition(status == 0, "lengths that BLAKE2b knows")
    }

    // MARK: X25519, sealed boxes

    /// Makes a pair, and returns its public half.
    static func makePair(secret: inout SecretBytes) -> [UInt8] {
        precondition(secret.count == keySize)
        return [UInt8](unsafeUninitializedCapacity: keySize) { output, filled in
            secret.withMutablePointer { _ = crypto_box_keypair(output.baseAddress!, $0) }
            filled = keySize
        }
    }

    static func publicHalf(of secret: borrowing SecretBytes) -> [UInt8] {
        precondition(secret.count == keySize)
        return [UInt8](unsafeUninitializedCapacity: keySize) { output, filled in
            secret.withPointer { _ = crypto_scalarmult_base(output.baseAddress!, $0) }
            filled = keySize
        }
    }

    /// Nil if the public half is none that anything can be sealed to.
    static func seal(_ secret: borrowing SecretBytes, to publicHalf: [UInt8]) -> [UInt8]? {
        precondition(publicHalf.count == keySize)
        var sealed = [UInt8](repeating: 0, count: secret.count + sealOverhead)
        let status = secret.withPointer { crypto_box_seal(&sealed, $0, UInt64(secret.count), publicHalf) }
        return status == 0 ? sealed : nil
    }

    /// Throws `damaged`.
    static func unseal(
        _ sealed: [UInt8], publicHalf: [UInt8], secretHalf: borrowing SecretBytes
    ) throws(VaultError) -> SecretBytes {
        precondition(publicHalf.count == keySize && secretHalf.count == keySize)
        guard sealed.count >= sealOverhead else { throw .damaged }
        var secret = try SecretBytes(count: sealed.count - sealOverhead)
        let status = secretHalf.withPointer { secretHalf in
            secret.withMutablePointer { crypto_box_seal_open($0, sealed, UInt64(sealed.count), publicHalf, secretHalf) }
        }
        guard status == 0 else { throw .damaged }
        return secret
    }

    // MARK: XChaCha20-Poly1305

    /// A random nonce, the ciphertext, and its tag.
    static func encrypt(_ plain: RawSpan, key: borrowing SecretBytes, bound: [UInt8]) -> [UInt8] {
        precondition(key.count == keySize)
        start()
        return [UInt8](unsafeUninitializedCapacity: plain.byteCount + boxOverhead) { output, filled in
            let box = output.baseAddress!
            randombytes_buf(box, nonceSize)
            plain.withUnsafeBytes { plain in
                key.withPointer { key in
                    _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                        box + nonceSize, nil, plain.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        UInt64(plain.count), bound, UInt64(bound.count), nil, box, key)
                }
            }
            filled = output.count
        }
    }

    /// Throws `damaged`.
    static func decrypt(_ box: [UInt8], key: borrowing SecretBytes, bound: [UInt8]) throws(VaultError) -> SecretBytes {
        precondition(key.count == keySize)
        guard box.count >= boxOverhead else { throw .damaged }
        var plain = try SecretBytes(count: box.count - boxOverhead)
        let status = box.withUnsafeBufferPointer { box in
            key.withPointer { key in
                plain.withMutablePointer { plain in
                    crypto_aead_xchacha20poly1305_ietf_decrypt(
                        plain, nil, nil, box.baseAddress! + nonceSize, UInt64(box.count - nonceSize), bound,
                        UInt64(bound.count), box.baseAddress!, key)
                }
            }
        }
        guard status == 0 else { throw .damaged }
        return plain
    }
}
