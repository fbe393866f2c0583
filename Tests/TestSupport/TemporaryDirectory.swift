import Foundation

/// A new directory with a short path, removed with all that is in it when the last reference to it goes.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/biologin-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no directory in /tmp: \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
