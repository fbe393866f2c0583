import BiologinAPI
import Glibc

/// An open file or directory, closed when it goes. Nothing is opened through a symbolic link.
struct OpenFile: ~Copyable {
    /// What is read at once.
    private static let chunkSize = 64 << 10

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Nil if there is nothing, or no directory.
    static func directory(_ path: String) throws(EnrollmentFailure) -> OpenFile? {
        try directory(FileName(path), in: AT_FDCWD)
    }

    /// A directory in this one; nil if there is nothing of that name, or something else.
    func directory(_ name: FileName) throws(EnrollmentFailure) -> OpenFile? { try Self.directory(name, in: descriptor) }

    private static func directory(_ name: FileName, in parent: Int32) throws(EnrollmentFailure) -> OpenFile? {
        let opened = openat(parent, name.characters, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if opened >= 0 { return OpenFile(opened) }
        guard errno != ENOENT else { return nil }
        guard errno == ENOTDIR || errno == ELOOP else { throw .unreadable(name) }
        // fprintd would follow a link, and what is behind it would change unseen.
        var status = stat()
        guard fstatat(parent, name.characters, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .templatesChanging }
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .templatesUnreadable("\(name): a symbolic link") }
        return nil
    }

    /// A regular file in this directory. Throws `templatesChanging` if there is nothing of that name.
    func file(_ name: FileName) throws(EnrollmentFailure) -> OpenFile {
        // Without O_NONBLOCK a FIFO would wait for its other end.
        let opened = openat(descriptor, name.characters, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard opened >= 0 else { throw errno == ENOENT ? .templatesChanging : .unreadable(name) }
        let file = OpenFile(opened)
        var status = stat()
        guard fstat(opened, &status) == 0 else { throw .unreadable(name) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .templatesUnreadable("\(name): no regular file") }
        return file
    }

    /// The names in this directory, sorted. Throws `templatesTooLarge` if there are more than `limit`.
    func names(atMost limit: Int) throws(EnrollmentFailure) -> [FileName] {
        // Its own descriptor: closedir(3) closes it, and the position is not shared.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw .unreadable("a directory") }
        defer { closedir(stream) }
        var names: [FileName] = []
        while let entry = readdirClearingErrno(stream) {
            let name = FileName(entry)
            if name == "." || name == ".." { continue }
            guard names.count < limit else { throw .templatesTooLarge("\(limit) files") }
            names.append(name)
        }
        // Its end is told from an error by errno alone.
        guard errno == 0 else { throw .unreadable("a directory") }
        return names.sorted()
    }

    /// Hands the content over in pieces, of which no copy is left in memory.
    func read(_ take: (UnsafeRawBufferPointer) throws(EnrollmentFailure) -> Void) throws(EnrollmentFailure) {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 1)
        defer {
            explicit_bzero(chunk.baseAddress!, chunk.count)
            chunk.deallocate()
        }
        while true {
            let count = Glibc.read(descriptor, chunk.baseAddress, chunk.count)
            if count == 0 { return }
            if count > 0 { try take(UnsafeRawBufferPointer(rebasing: chunk[..<count])) }
            if count < 0, errno != EINTR { throw .unreadable("a template") }
        }
    }
}

private func readdirClearingErrno(_ stream: OpaquePointer) -> UnsafeMutablePointer<dirent>? {
    errno = 0
    return readdir(stream)
}

extension EnrollmentFailure {
    /// With the system's reason, from errno.
    fileprivate static func unreadable(_ name: FileName) -> Self {
        .templatesUnreadable("\(name): \(String(cString: strerror(errno)))")
    }
}
