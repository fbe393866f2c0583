import Foundation

/// The built biologin-enrollmentd, on a directory of templates.
package final class EnrollmentProgram: Sendable {
    package let socket: String
    package let program: Program

    /// Returns once its socket accepts. What is in `directory` (its socket and its key) outlasts it.
    package init(templates: String, in directory: String) async throws {
        socket = Self.socket(in: directory)
        program = try Program(
            BuiltProgram.path("biologin-enrollmentd"),
            ["--socket", socket, "--templates", templates, "--state", directory + "/enrollment-state"])
        guard await program.errors.next(containing: "listening on") != nil else {
            throw Desktop.Failure(description: await program.ending().errors)
        }
    }

    private static func socket(in directory: String) -> String { directory + "/enrollment" }

    /// Where one on that desktop listens.
    package static func socket(on desktop: Desktop) -> String { socket(in: desktop.directory) }

    /// On a desktop's fprintd.
    package convenience init(on desktop: Desktop) async throws {
        try await self.init(templates: desktop.directory + "/prints", in: desktop.directory)
    }

    package func kill() async {
        program.signal(SIGKILL)
        _ = await program.ending()
    }
}
