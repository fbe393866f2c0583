import CLinux
import Glibc

/// A new directory that is removed, with all that is in it, when the last reference to it goes.
final class Folder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/biologin-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template)!)
    }

    deinit { Folder.remove(path) }

    /// The names in the directory, sorted.
    func names(in directory: String = ".") -> [String] { Folder.names("\(path)/\(directory)") }

    func read(_ name: String) -> [UInt8] { Folder.read("\(path)/\(name)") }

    func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) {
        Folder.write(bytes, to: "\(path)/\(name)", mode: mode)
    }

    /// As the disk is now, which is what a process that is killed now leaves.
    func copy() -> Folder {
        let copy = Folder()
        Folder.copy(path, to: copy.path)
        return copy
    }

    func mode(of name: String) -> mode_t {
        var status = stat()
        precondition(lstat("\(path)/\(name)", &status) == 0, name)
        return status.st_mode & 0o7777
    }

    private static func names(_ directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func remove(_ path: String) {
        guard isDirectory(path) else { unlink(path); return }
        for name in names(path) { remove("\(path)/\(name)") }
        rmdir(path)
    }

    private static func copy(_ source: String, to target: String) {
        for name in names(source) {
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            if isDirectory(from) {
                mkdir(to, 0o700)
                copy(from, to: to)
            } else {
                write(read(from), to: to, mode: 0o600)
            }
        }
    }

    private static func read(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY)
        precondition(file >= 0, path)
        defer { close(file) }
        return Array(unsafeUninitializedCapacity: 4 << 20) { buffer, count in
            count = Glibc.read(file, buffer.baseAddress!, buffer.count)
        }
    }

    private static func write(_ bytes: [UInt8], to path: String, mode: mode_t) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
        precondition(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count, path)
        close(file)
    }
}
