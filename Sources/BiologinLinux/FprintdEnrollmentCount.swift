/// How many enrollments were heard on each reader. fprintd broadcasts that somebody was enrolled, and neither who nor with
/// which finger; on which device it says by its path.
@GLibThread final class FprintdEnrollmentCount {
    /// For devices whose name was not known: it counts for every reader.
    private static let anyReader = ""

    private(set) var counts: [String: UInt64]
    /// The readers' names by the paths of their devices, of the fprintd that runs.
    private var names: [String: String] = [:]

    nonisolated init(_ counts: [String: UInt64]) { self.counts = counts }

    func heard(on reader: String) -> UInt64 { counts[reader, default: 0] + counts[Self.anyReader, default: 0] }

    func learn(_ name: String, of path: String) { names[path] = name }
    func name(of path: String) -> String? { names[path] }
    func forgetDevices() { names = [:] }

    func hear(_ path: String) { counts[names[path] ?? Self.anyReader, default: 0] += 1 }
}
