import Glibc

/// An open file, closed when it goes.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}

extension Descriptor {
    func status() throws(KeyFileError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .failed("fstat") }
        return status
    }

    /// Exactly `count` bytes, straight into guarded memory.
    func read(_ count: Int, at offset: Int) throws(KeyFileError) -> SecretBytes {
        guard var bytes = try? SecretBytes(count: count) else { throw .noMemory }
        try bytes.withMutablePointer { bytes throws(KeyFileError) in
            var done = 0
            while done < count {
                switch pread(number, bytes + done, count - done, off_t(offset + done)) {
                case 0: throw .refused("a key file was cut while it was read")
                case let more where more > 0: done += more
                default: if errno != EINTR { throw .failed("read") }
                }
            }
        }
        return bytes
    }

    func write(_ bytes: RawSpan) throws(KeyFileError) {
        try bytes.withUnsafeBytes { bytes throws(KeyFileError) in
            var done = 0
            while done < bytes.count {
                let written = Glibc.write(number, bytes.baseAddress! + done, bytes.count - done)
                if written >= 0 { done += written } else if errno != EINTR { throw .failed("write") }
            }
        }
    }

    /// Returns when it is on disk.
    func sync() throws(KeyFileError) {
        guard fsync(number) == 0 else { throw .failed("fsync") }
    }

    /// The names in this directory.
    func names() throws(KeyFileError) -> [String] {
        // Its own descriptor: closedir(3) closes it, and the position is not shared.
        let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw .failed("open") }
        guard let stream = fdopendir(copy) else {
            close(copy)
            throw .failed("opendir")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
            names.append(String(cString: name.assumingMemoryBound(to: UInt8.self)))
        }
        return names
    }
}
