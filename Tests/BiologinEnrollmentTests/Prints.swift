import Foundation
import TestSupport

@testable import BiologinEnrollment

/// A directory as fprintd keeps it, and one for the key.
struct Prints {
    private let directory = TemporaryDirectory()
    let user: String

    /// With one template of this process's user.
    init() throws {
        user = String(cString: getpwuid(geteuid()).pointee.pw_name)
        for name in [templates, state] { try make(directory: name) }
        try write("one", to: "\(user)/driver/0/7")
    }

    var templates: String { directory.path + "/prints" }
    var state: String { directory.path + "/state" }
    var digest: TemplateDigest { TemplateDigest(templates: templates, state: state) }

    func digested() throws -> [UInt8] { try digest.digest(of: geteuid()).digest }

    func path(_ name: String) -> String { "\(templates)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try make(directory: (path(name) as NSString).deletingLastPathComponent)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func move(_ name: String, to other: String) throws {
        try make(directory: (path(other) as NSString).deletingLastPathComponent)
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    private func make(directory: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
