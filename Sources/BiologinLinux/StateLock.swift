internal import BiologinCore
internal import BiologinVault
internal import Glibc

/// The state directory, made where it is missing and locked: as long as this lives, no other process that asks for the
/// lock uses the directory.
package final class StateLock: Sendable {
    package var path: String { directory.path }
    /// Whether nothing is kept in it yet: keys may be made then, and only then.
    package let isNew: Bool
    let directory: PrivateDirectory
    let accounts: PrivateDirectory
    private let file: Descriptor

    /// Throws `inUse` if another process holds the lock, `refused` for a directory that is not this user's alone.
    package init(_ path: String) throws(DirectoryError) {
        let directory = try PrivateDirectory(path)
        // For reading, so that it can be had of a disk that is read-only; NFS has it for writing alone.
        var file = try Self.open(O_RDONLY, in: directory)
        // flock(2): gone with the process, however it ends.
        if retrying({ flock(file.number, LOCK_EX | LOCK_NB) }) != 0 {
            if errno == EBADF { file = try Self.open(O_RDWR, in: directory) }
            guard retrying({ flock(file.number, LOCK_EX | LOCK_NB) }) == 0 else {
                if errno == EWOULDBLOCK { throw .inUse(directory.path) }
                throw .refused("cannot lock \(directory.path)/lock: \(systemErrorText)")
            }
        }
        self.file = file
        let accounts = try directory.subdirectory("accounts")
        do throws(StateError) {
            let (names, tags) = (try directory.names(), try accounts.names().compactMap(AccountTag.init))
            isNew = tags.isEmpty && !StateFile.allCases.contains { names.contains($0.rawValue) }
        } catch {
            throw .refused(error.description)
        }
        (self.directory, self.accounts) = (directory, accounts)
    }

    private static func open(_ mode: Int32, in directory: PrivateDirectory) throws(DirectoryError) -> Descriptor {
        let flags = mode | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let raw = retrying { openat(directory.descriptor.number, "lock", flags, 0o600) }
        guard raw >= 0 else { throw .refused("cannot open \(directory.path)/lock: \(systemErrorText)") }
        return Descriptor(raw)
    }

    // Closing alone would leave the lock to a child that was forked a moment ago and runs no program of its own yet.
    deinit { flock(file.number, LOCK_UN) }
}
