internal import BiologinVault
internal import Glibc

/// The process that provides the Secret Service, as it can be told again after a restart.
struct ProviderProcess {
    /// The path of the executable; only its name where the path cannot be read.
    let executable: String

    init(_ pid: UInt32) {
        executable = ProcessFacts.executable(of: Int32(bitPattern: pid)) ?? Self.name(pid) ?? ""
    }

    init(executable: String) { self.executable = executable }

    /// For people: "gnome-keyring".
    var title: String {
        let name = executable.split(separator: "/").last.map(String.init) ?? "unknown"
        // The kernel keeps 15 bytes of a name.
        for ending in ["-daemon", "-d"] where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
        return name
    }

    /// gnome-keyring 42 aborts on an assertion then.
    var endsWithDismissedPrompt: Bool { title == "gnome-keyring" }

    /// A provider that keeps its memory from being read, as gnome-keyring does, hides its path with it.
    private static func name(_ pid: UInt32) -> String? {
        let raw = open("/proc/\(pid)/comm", O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let file = Descriptor(raw)
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(file.number, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let name = String(decoding: buffer[..<count], as: UTF8.self)
        return name.hasSuffix("\n") ? String(name.dropLast()) : name
    }
}
