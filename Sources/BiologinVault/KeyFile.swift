import Glibc

/// A key in a small file of its own: a line that says what it is, then the content. It is made once and complete, is never
/// overwritten, and is refused where anybody else could have read or written it.
struct KeyFile: Sendable {
    let directory: String
    let name: String
    /// The first line, without its newline.
    let title: String
    /// Bytes after the first line.
    let contentSize: Int

    private var head: [UInt8] { Array(title.utf8) + [UInt8(ascii: "\n")] }

    /// Whether something of that name is there, or may be: only what is surely missing may be made.
    var exists: Bool {
        guard let directory = try? openDirectory() else { return true }
        return faccessat(directory.number, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT
    }

    /// A part of the content. Throws `missing`, or `refused`.
    func read(_ part: Range<Int>) throws(KeyFileError) -> SecretBytes {
        let file = try openChecked()
        let start = try file.read(head.count, at: 0)
        guard start.withBytes({ Array(copying: $0) == head }) else {
            throw .refused("\(name) does not begin with “\(title)”")
        }
        return try file.read(part.count, at: head.count + part.lowerBound)
    }

    private func openChecked() throws(KeyFileError) -> Descriptor {
        let directory = try openDirectory()
        // Without O_NONBLOCK a FIFO would wait for its other end.
        let opened = openat(directory.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard opened >= 0 else {
            switch errno {
            case ENOENT: throw .missing
            case ELOOP: throw .refused("\(name) is a symbolic link")
            default: throw .failed("cannot open \(name)")
            }
        }
        let file = Descriptor(opened)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw .refused("\(name) is no regular file") }
        guard status.st_uid == geteuid() else { throw .refused("\(name) belongs to another user") }
        guard status.st_mode & 0o077 == 0 else { throw .refused("\(name) is open to others; its mode must be 0600") }
        guard status.st_size == head.count + contentSize else { throw .refused("\(name) has not the size of a key") }
        return file
    }

    /// Where others can write, they can put a file of ours in the place of another.
    private func openDirectory() throws(KeyFileError) -> Descriptor {
        let opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw .failed("cannot open the state directory") }
        let directory = Descriptor(opened)
        let status = try directory.status()
        guard status.st_uid == geteuid() else { throw .refused("the state directory belongs to another user") }
        guard status.st_mode & 0o022 == 0 else { throw .refused("others can write to the state directory") }
        return directory
    }
}

// MARK: Making

extension KeyFile {
    /// What the name of a file in the making begins with.
    private var draftPrefix: String { "\(name).new-" }

    /// Puts a file in place unless something of that name is there, which is left alone whatever it is. Complete and on
    /// disk when it returns; killed before, there is no file of that name. Throws `refused`.
    func make(_ content: borrowing SecretBytes) throws(KeyFileError) {
        precondition(content.count == contentSize)
        let directory = try openDirectory()
        let draft = draftPrefix + String(UInt64.random(in: .min ... .max), radix: 16)
        do throws(KeyFileError) {
            try write(content, to: draft, in: directory)
            try link(draft, in: directory)
        } catch {
            unlinkat(directory.number, draft, 0)
            throw error
        }
        try clearUp()
    }

    /// Removes what makers left behind that were killed: a draft may be a second name of the key. A draft in the making
    /// is removed too, for it comes too late. Without a file in place it does nothing. Throws `refused`.
    func clearUp() throws(KeyFileError) {
        let directory = try openDirectory()
        guard exists else { return }
        for draft in try directory.names() where draft.hasPrefix(draftPrefix) {
            guard unlinkat(directory.number, draft, 0) == 0 || errno == ENOENT else {
                throw .failed("cannot remove \(draft)")
            }
        }
        try directory.sync()
    }

    private func write(
        _ content: borrowing SecretBytes, to draft: String, in directory: borrowing Descriptor
    ) throws(KeyFileError) {
        let opened = openat(directory.number, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .failed("cannot make \(name)") }
        let file = Descriptor(opened)
        try file.write(head.span.bytes)
        try content.withBytes { content throws(KeyFileError) in try file.write(content) }
        try file.sync()
    }

    /// Unlike rename(2), link(2) never takes the place of a file. A draft that is gone was cleared up by whoever came
    /// first.
    private func link(_ draft: String, in directory: borrowing Descriptor) throws(KeyFileError) {
        guard linkat(directory.number, draft, directory.number, name, 0) == 0 || errno == EEXIST || errno == ENOENT
        else { throw .failed("cannot put \(name) in place") }
    }
}
