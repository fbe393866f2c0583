package import BiologinCore
internal import CSystemd
internal import Glibc

/// What the kernel and systemd say of a process. The process may have ended and its number be another's by now, and a
/// program of the same user can pose as another: this is shown to people, and decides nothing.
package enum ProcessFacts {
    package static func caller(_ pid: Int32) -> Caller {
        guard pid > 0 else { return Caller(pid: pid, executable: nil, unit: nil, sandbox: nil, strength: .unknown) }
        let executable = executable(of: pid), unit = unit(of: pid)
        let strength: Caller.Strength = unit != nil ? .unit : executable != nil ? .path : .unknown
        return Caller(pid: pid, executable: executable, unit: unit, sandbox: nil, strength: strength)
    }

    /// The path of its program; nil where that cannot be read.
    static func executable(of pid: Int32) -> String? {
        let path = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            let length = buffer.withMemoryRebound(to: CChar.self) {
                readlink("/proc/\(pid)/exe", $0.baseAddress!, $0.count)
            }
            count = max(0, length)
        }
        // An upgrade replaced the file meanwhile; see proc(5).
        let text = String(decoding: path, as: UTF8.self), mark = " (deleted)"
        let name = text.hasSuffix(mark) ? String(text.dropLast(mark.count)) : text
        return name.isEmpty ? nil : name
    }

    /// The user's unit, or else the system's; a session or a user manager as a whole is no program.
    private static func unit(of pid: Int32) -> String? {
        if let unit = unit(of: pid, sd_pid_get_user_unit) { return unit }
        let unit = unit(of: pid, sd_pid_get_unit)
        let isProgram = unit.map { !$0.hasPrefix("session-") && !$0.hasPrefix("user@") && $0 != "init.scope" }
        return isProgram == true ? unit : nil
    }

    private static func unit(
        of pid: Int32, _ get: (pid_t, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32
    ) -> String? {
        var unit: UnsafeMutablePointer<CChar>?
        guard get(pid, &unit) >= 0, let unit else { return nil }
        defer { free(unit) }
        return String(cString: unit)
    }
}
