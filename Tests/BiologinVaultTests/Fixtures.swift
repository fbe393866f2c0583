@testable import BiologinVault
import Glibc

/// A vault with fixed keys: what it sealed once opens for ever.
enum Fixed {
    static let domain = "org.biologin.Login"
    static let tag = AccountTag("00112233445566778899aabbccddeeff")!
    static let binding = Binding(account: tag, generation: 7, verifier: "fprintd", strength: 1)
    static let snapshot: [UInt8] = [1] + Array("reader\0right-index-finger\0".utf8)
    static let terms = Array("terms".utf8)

    static func profileKey() throws -> SecretBytes { try SecretBytes(copying: [UInt8](0..<32).span.bytes) }

    static func vault(
        domain: String = domain, deviceKey: FixedProtector = FixedProtector()
    ) throws -> Vault {
        try Vault(domain: domain, profileKey: profileKey(), deviceKey: DeviceKey(deviceKey))
    }
}

/// A device key that is always at hand, made of a byte repeated.
struct FixedProtector: Protector {
    var name: String { "fixed" }
    var seed: UInt8 = 0x40
    /// Says it is the public half of another pair.
    var publicSeed: UInt8?
    var hidesSecretHalf = false

    func publicHalf() throws(VaultError) -> DevicePublicKey {
        DevicePublicKey(bytes: Sodium.publicHalf(of: try secret(publicSeed ?? seed)))
    }

    func secretHalf() throws(VaultError) -> SecretBytes {
        guard !hidesSecretHalf else { throw .deviceKeyUnavailable("hidden") }
        return try secret(seed)
    }

    func prepare(create: Bool) throws(VaultError) {}

    private func secret(_ seed: UInt8) throws(VaultError) -> SecretBytes {
        try SecretBytes(copying: [UInt8](repeating: seed, count: 32).span.bytes)
    }
}

extension SecretBytes {
    /// Only a test takes a secret out.
    var exposed: [UInt8] { withBytes { Array(copying: $0) } }

    init(_ bytes: [UInt8]) throws(VaultError) { try self.init(copying: bytes.span.bytes) }
}

/// A directory of its own for one test, gone with it.
final class TemporaryDirectory {
    let path: String

    init() {
        var template = Array("/tmp/biologin-vault-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template)!)
    }

    deinit {
        for name in names { unlink(self / name) }
        rmdir(path)
    }

    static func / (directory: TemporaryDirectory, name: String) -> String { directory.path + "/" + name }

    var names: [String] {
        let directory = Descriptor(open(path, O_RDONLY | O_DIRECTORY))
        return ((try? directory.names()) ?? []).filter { $0 != "." && $0 != ".." }.sorted()
    }

    func read(_ name: String) -> [UInt8] { bytes(of: self / name) }

    func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) {
        let file = Descriptor(open(self / name, O_WRONLY | O_CREAT | O_TRUNC, mode))
        _ = bytes.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
        fchmod(file.number, mode)
    }
}

/// The bytes of a file; none if it cannot be read.
func bytes(of path: String, limit: Int = 1 << 20) -> [UInt8] {
    let opened = open(path, O_RDONLY)
    guard opened >= 0 else { return [] }
    let file = Descriptor(opened)
    var buffer = [UInt8](repeating: 0, count: limit)
    var size = 0
    buffer.withUnsafeMutableBytes { buffer in
        while size < limit, case let more = read(file.number, buffer.baseAddress! + size, limit - size), more > 0 {
            size += more
        }
    }
    return Array(buffer[..<size])
}

/// What the body throws; nil if it does not.
func refused(_ body: () throws(VaultError) -> Void) -> VaultError? {
    do throws(VaultError) {
        try body()
        return nil
    } catch {
        return error
    }
}
