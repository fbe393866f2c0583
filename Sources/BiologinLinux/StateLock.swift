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
        let raw = retrying {
            openat(directory.descriptor.number, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        }
        guard raw >= 0 else { throw .refused("cannot open \(directory.path)/lock: \(systemErrorText)") }
        file = Descriptor(raw)
        // flock(2): gone with the process, however it ends.
        guard retrying({ flock(raw, LOCK_EX | LOCK_NB) }) == 0 else {
            if errno == EWOULDBLOCK { throw .inUse(directory.path) }
            throw .refused("cannot lock \(directory.path)/lock: \(systemErrorText)")
        }
        let accounts = try directory.subdirectory("accounts")
        do throws(StateError) {
            let (names, tags) = (try directory.names(), try accounts.names().compactMap(AccountTag.init))
            isNew = tags.isEmpty && !StateFile.allCases.contains { names.contains($0.rawValue) }
        } catch {
            throw .refused(error.description)
        }
        (self.directory, self.accounts) = (directory, accounts)
    }

    // Closing alone would leave the lock to a child that was forked a moment ago and runs no program of its own yet.
    deinit { flock(file.number, LOCK_UN) }
}
