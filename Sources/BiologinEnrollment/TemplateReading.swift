import BiologinAPI
import BiologinVault

/// What one reading of a user's template files found: `<driver>/<device>/<finger>` below the user's directory, which is
/// where fprintd keeps them. Times, owners and modes are not read.
struct TemplateReading: Equatable {
    /// fprintd takes a file of another name, such as one that is being written, for none of its own.
    private static let fingers: Set<FileName> = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "a"]
    /// The directories between the user's and the files: driver and device.
    private static let levels = 2
    /// Names in all the directories together.
    static let nameLimit = 1024
    /// Bytes in all the files together; a template has some kilobytes.
    static let byteLimit = 16 << 20

    /// A template: where it is, and a keyed hash of what is in it.
    struct Template: Equatable {
        let path: [UInt8]
        let content: [UInt8]
    }

    private(set) var templates: [Template] = []
    private var names = 0
    private var bytes = 0

    /// Reads what is in the user's directory; nothing, if there is none.
    init(of user: UserName, in directory: String, key: borrowing SecretBytes) throws(EnrollmentFailure) {
        guard let all = try OpenFile.directory(directory) else {
            // Whether anybody is enrolled is unknown then: it may be on a disk that is not there yet.
            throw .templatesUnreadable("\(directory): no such directory")
        }
        guard let own = try all.directory(FileName(user.text)) else { return }
        try read(own, path: [], levels: Self.levels, key: key)
    }

    private mutating func read(
        _ directory: borrowing OpenFile, path: [UInt8], levels: Int, key: borrowing SecretBytes
    ) throws(EnrollmentFailure) {
        let found = try directory.names(atMost: Self.nameLimit - names)
        names += found.count
        for name in found {
            if levels > 0 {
                guard let inner = try directory.directory(name) else { continue }
                try read(inner, path: path + name.bytes + [UInt8(ascii: "/")], levels: levels - 1, key: key)
            } else if Self.fingers.contains(name) {
                let content = try hash(try directory.file(name), key: key)
                templates.append(Template(path: path + name.bytes, content: content))
            }
        }
    }

    private mutating func hash(
        _ file: borrowing OpenFile, key: borrowing SecretBytes
    ) throws(EnrollmentFailure) -> [UInt8] {
        let hash = KeyedHash("biologin 1 template", key: key)
        try file.read { piece throws(EnrollmentFailure) in
            bytes += piece.count
            guard bytes <= Self.byteLimit else { throw .templatesTooLarge("\(Self.byteLimit) bytes") }
            hash.add(piece)
        }
        return hash.finish()
    }

    /// One hash of all: each path, ended by a NUL, which no path holds, and the hash behind it.
    func digest(of user: UserName, key: borrowing SecretBytes) -> [UInt8] {
        let hash = KeyedHash("biologin 1 templates", key: key)
        // Two users with the same templates have not the same digest.
        hash.add(Array("\(user.uid)".utf8) + [0])
        for template in templates { hash.add(template.path + [0] + template.content) }
        return hash.finish()
    }
}
