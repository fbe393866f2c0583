import Foundation

/// The package's own programs, as they were built together with the tests.
package enum BuiltProgram {
    /// The path of the executable target of that name.
    package static func path(_ name: String) -> String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = tests.appendingPathComponent(name).path
        if access(beside, X_OK) == 0 { return beside }
        return "\(root)/.build/debug/\(name)"
    }

    /// The top of the source tree.
    package static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized.path
}
