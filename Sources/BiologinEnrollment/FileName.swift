import Glibc

/// The name of a file, or a path, byte for byte as the system has it: it need not be UTF-8.
struct FileName: Hashable, Sendable {
    /// Ended by a NUL.
    let characters: [CChar]

    init(_ text: String) { characters = Array(text.utf8CString) }

    init(_ entry: UnsafePointer<dirent>) {
        let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
        let start = name.assumingMemoryBound(to: CChar.self)
        characters = Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
    }

    /// Without the NUL.
    var bytes: [UInt8] { characters.dropLast().map(UInt8.init(bitPattern:)) }
}

extension FileName: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self.init(text) }
}

extension FileName: Comparable {
    /// By their bytes, whatever the locale.
    static func < (left: FileName, right: FileName) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

extension FileName: CustomStringConvertible {
    var description: String { String(decoding: bytes, as: UTF8.self) }
}
