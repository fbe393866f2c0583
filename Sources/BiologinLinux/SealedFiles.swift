internal import BiologinCore
internal import BiologinVault

/// Files whose content the vault has sealed for one tag each: another file put in the place of one is refused.
struct SealedFiles: Sendable {
    let files: PrivateFiles
    let vault: Vault

    /// What `decode` makes of the file, or nil if there is none. A file that the vault or `decode` refuses stays as it is.
    func read<Value>(
        _ name: String, tag: AccountTag, _ decode: ([UInt8]) throws(VaultError) -> Value
    ) throws(StateError) -> Value? {
        guard let sealed = try files.read(name) else { return nil }
        do throws(VaultError) {
            return try decode(try vault.openProfile(sealed, tag: tag))
        } catch {
            let reason = error == .unknownVersion ? "written by another version" : "damaged"
            throw StateError("\(files.directory.path)/\(name): \(reason)")
        }
    }

    func write(_ bytes: [UInt8], to name: String, tag: AccountTag) throws(StateError) {
        let sealed: [UInt8]
        do { sealed = try vault.sealProfile(bytes, tag: tag) } catch {
            throw StateError("cannot seal \(files.directory.path)/\(name): \(error)")
        }
        try files.replace(name, with: sealed)
    }
}

/// A file beside the accounts; each is sealed for a reserved tag, which no hash of an account will ever be.
enum StateFile: String, CaseIterable {
    case generation, attempts, store, enrollments, collection

    var tag: AccountTag {
        let number =
            switch self {
            case .generation: "1"
            case .attempts: "2"
            case .store: "3"
            case .enrollments: "4"
            case .collection: "5"
            }
        return AccountTag(String(repeating: "0", count: 2 * AccountTag.byteCount - 1) + number)!
    }
}

extension SealedFiles {
    func read<Value>(
        _ file: StateFile, _ decode: ([UInt8]) throws(VaultError) -> Value
    ) throws(StateError) -> Value? {
        try read(file.rawValue, tag: file.tag, decode)
    }

    func write(_ bytes: [UInt8], to file: StateFile) throws(StateError) {
        try write(bytes, to: file.rawValue, tag: file.tag)
    }
}
