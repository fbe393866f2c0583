internal import BiologinCore
internal import BiologinVault
internal import Glibc

/// What has just happened on the disk, told to a test that wants to stop there.
enum FileStep: CaseIterable, Sendable { case created, written, synced, renamed, removed }

typealias FileObserver = @Sendable (FileStep) throws(StateError) -> Void

/// Small files that only this user can read. A file is replaced as a whole: whoever is killed leaves the old one or the
/// new one.
struct PrivateFiles: Sendable {
    /// Bytes of one file; more than any of ours needs.
    static let sizeLimit = 2 << 20
    private static let temporaryPrefix = ".new-"

    let directory: PrivateDirectory
    private let afterStep: FileObserver

    /// Removes what a killed process left half-written; nobody else may use the directory meanwhile.
    init(
        in directory: PrivateDirectory,
        afterStep: @escaping FileObserver = { (_) throws(StateError) in }
    ) throws(StateError) {
        (self.directory, self.afterStep) = (directory, afterStep)
        for name in try self.directory.names() where name.hasPrefix(Self.temporaryPrefix) { try remove(name) }
    }

    /// The names of the files.
    func names() throws(StateError) -> [String] { try directory.names() }

    /// The file's bytes, or nil if there is none. One that is not ours alone, or too large, is refused.
    func read(_ name: String) throws(StateError) -> [UInt8]? {
        // A pipe of that name must not block.
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let raw = retrying { openat(directory.descriptor.number, name, flags) }
        if raw < 0, errno == ENOENT { return nil }
        guard raw >= 0 else { throw failure("open", name) }
        let file = Descriptor(raw)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw failure("stat", name) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw refusal("not a file", name) }
        guard status.st_uid == geteuid() else { throw refusal("owned by another user", name) }
        guard status.st_mode & 0o077 == 0 else { throw refusal("open to other users", name) }
        guard status.st_size <= Self.sizeLimit else { throw refusal("larger than \(Self.sizeLimit) bytes", name) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                retrying { Glibc.read(file.number, buffer.baseAddress! + filled, buffer.count - filled) }
            }
            guard count > 0 else {
                throw count == 0 ? refusal("cut short while it was read", name) : failure("read", name)
            }
            filled += count
        }
        return bytes
    }

    /// Puts `bytes` in the place of the file, or makes it; on disk when this returns. If it throws, the old file is there,
    /// or, where only the directory could not be synced, the new one.
    func replace(_ name: String, with bytes: [UInt8]) throws(StateError) {
        let temporary = Self.temporaryPrefix + name
        do throws(StateError) {
            let file = try write(bytes, to: temporary, for: name)
            guard retrying({ fsync(file.number) }) == 0 else { throw failure("sync", name) }
            try afterStep(.synced)
            guard renameat(directory.descriptor.number, temporary, directory.descriptor.number, name) == 0 else {
                throw failure("rename", name)
            }
            try afterStep(.renamed)
        } catch {
            _ = unlinkat(directory.descriptor.number, temporary, 0)
            throw error
        }
        try sync(name)
    }

    /// Removes the file, if there is one; gone from the disk when this returns.
    func remove(_ name: String) throws(StateError) {
        guard unlinkat(directory.descriptor.number, name, 0) == 0 || errno == ENOENT else {
            throw failure("remove", name)
        }
        try afterStep(.removed)
        try sync(name)
    }

    /// Throws where a small file could not be put in the place of this one now; nothing is synced.
    func checkWritable(_ name: String) throws(StateError) {
        let temporary = Self.temporaryPrefix + name
        defer { _ = unlinkat(directory.descriptor.number, temporary, 0) }
        _ = try write([UInt8](repeating: 0, count: 4096), to: temporary, for: name)
    }

    private func write(_ bytes: [UInt8], to temporary: String, for name: String) throws(StateError) -> Descriptor {
        // Nobody else writes here, so one that is there was left by a failure to remove it.
        _ = unlinkat(directory.descriptor.number, temporary, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let raw = retrying { openat(directory.descriptor.number, temporary, flags, 0o600) }
        guard raw >= 0 else { throw failure("create", name) }
        let file = Descriptor(raw)
        try afterStep(.created)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retrying { Glibc.write(file.number, buffer.baseAddress! + written, buffer.count - written) }
            }
            guard count > 0 else { throw failure("write", name) }
            written += count
        }
        try afterStep(.written)
        return file
    }

    private func sync(_ name: String) throws(StateError) {
        guard retrying({ fsync(directory.descriptor.number) }) == 0 else {
            throw failure("sync the directory of", name)
        }
    }

    private func failure(_ verb: String, _ name: String) -> StateError {
        StateError("cannot \(verb) \(directory.path)/\(name): \(systemErrorText)")
    }

    private func refusal(_ reason: String, _ name: String) -> StateError {
        StateError("\(directory.path)/\(name): \(reason)")
    }
}
