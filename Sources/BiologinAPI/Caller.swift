package import Varlink

/// The program that asked: what the kernel and the sandbox say of it.
public struct Caller: Sendable {
    /// Its process.
    public var pid: Int
    /// The path of its executable.
    public var executable: String?
    /// Its systemd unit.
    public var unit: String?
    /// Its name in its sandbox, such as a Flatpak id.
    public var sandbox: String?
    /// What it is known by.
    public var strength: Strength

    package init(pid: Int, executable: String? = nil, unit: String? = nil, sandbox: String? = nil, strength: Strength) {
        (self.pid, self.executable, self.unit, self.sandbox) = (pid, executable, unit, sandbox)
        self.strength = strength
    }

    /// What a caller is known by, surest first.
    public enum Strength: String, CaseIterable, Sendable {
        case sandbox
        case unit
        case path
        case unknown
    }
}

extension Caller: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var pid: Int?
        var executable: String?
        var unit: String?
        var sandbox: String?
        var strength: Strength?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "pid": pid = try json.readOptional()
            case "executable": executable = try json.readOptional()
            case "unit": unit = try json.readOptional()
            case "sandbox": sandbox = try json.readOptional()
            case "strength": strength = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            pid: try pid.required("pid"), executable: executable, unit: unit, sandbox: sandbox,
            strength: try strength.required("strength"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("pid", pid)
            json.field("executable", executable)
            json.field("unit", unit)
            json.field("sandbox", sandbox)
            json.field("strength", strength)
        }
    }
}

extension Caller.Strength: WireName {}
