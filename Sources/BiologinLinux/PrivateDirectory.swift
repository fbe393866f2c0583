internal import BiologinCore
internal import BiologinVault
internal import Glibc

/// Why a directory cannot be used.
package enum DirectoryError: Error, Equatable, CustomStringConvertible, Sendable {
    /// Another process uses it.
    case inUse(String)
    /// It cannot be made, or others could read or write it; says which and why.
    case refused(String)
    /// The path of a socket is longer than the system takes.
    case tooLong(String)

    package var description: String {
        switch self {
        case .inUse(let path): "\(path): another instance uses it"
        case .refused(let text): text
        case .tooLong(let path): "\(path): too long for a socket"
        }
    }
}

/// A directory that only this user can look into, held open: it stays the one that was checked, whatever its path leads
/// to later.
final class PrivateDirectory: Sendable {
    let path: String
    let descriptor: Descriptor

    /// Opens the directory, after making it and its parents (mode 0700) where they are missing. A symbolic link, a
    /// directory of another user, or one that others may write to is refused; one that others may read is closed to them.
    convenience init(_ path: String) throws(DirectoryError) {
        let path = Self.withoutTrailingSlashes(path)
        for parent in Self.parents(of: path) { _ = mkdir(parent, 0o700) }
        try self.init(path, at: AT_FDCWD, shown: path)
    }

    /// The same for a directory in this one.
    func subdirectory(_ name: String) throws(DirectoryError) -> PrivateDirectory {
        try PrivateDirectory(name, at: descriptor.number, shown: "\(path)/\(name)")
    }

    private init(_ name: String, at parent: Int32, shown path: String) throws(DirectoryError) {
        if mkdirat(parent, name, 0o700) != 0, errno != EEXIST { throw .refused("\(path): \(systemErrorText)") }
        let raw = retrying { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard raw >= 0 else { throw .refused("\(path): \(systemErrorText)") }
        let descriptor = Descriptor(raw)
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw .refused("\(path): \(systemErrorText)") }
        guard status.st_uid == geteuid() else { throw .refused("\(path): owned by another user") }
        guard status.st_mode & 0o022 == 0 else {
            throw .refused("\(path): other users can write to it; run chmod 700 on it")
        }
        // Nothing in it was readable for them: its files are 0600. So it is closed, and no more is made of it.
        if status.st_mode & 0o077 != 0, fchmod(raw, 0o700) != 0 { throw .refused("\(path): \(systemErrorText)") }
        self.path = path
        self.descriptor = descriptor
    }

    /// The names in it, without `.` and `..`, sorted.
    func names() throws(StateError) -> [String] {
        let raw = retrying { openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard raw >= 0 else { throw StateError("\(path): \(systemErrorText)") }
        guard let stream = fdopendir(raw) else {
            close(raw)
            throw StateError("\(path): \(systemErrorText)")
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw StateError("\(path): \(systemErrorText)") }
        return names.sorted()
    }

    /// A slash at the end would make the system follow a symbolic link.
    private static func withoutTrailingSlashes(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return String(path)
    }

    private static func parents(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" && $0 != path.startIndex }.map { String(path[..<$0]) }
    }
}
