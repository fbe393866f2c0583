import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// For tests among the real programs. Where those cannot run the test says why and is skipped; under CI it runs all
    /// the same, and fails.
    package static var realParts: Self {
        let missing = missingPart()
        return .enabled(
            if: missing == nil || ProcessInfo.processInfo.environment["CI"] == "true",
            Comment(rawValue: missing ?? "every part is there"))
    }
}

/// What stands in the way of a private desktop, if anything.
private func missingPart() -> String? {
    guard geteuid() == 0 else { return "a private desktop needs root, for polkitd and its mount namespace" }
    let programs = [
        "/usr/bin/dbus-daemon", "/usr/bin/gnome-keyring-daemon", "/usr/lib/polkit-1/polkitd", "/usr/libexec/fprintd",
        "/usr/bin/python3", "/usr/lib/python3/dist-packages/gi",
    ]
    let missing = programs.filter { access($0, F_OK) != 0 }
    return missing.isEmpty ? nil : "missing, see `make deps`: \(missing.joined(separator: " "))"
}
