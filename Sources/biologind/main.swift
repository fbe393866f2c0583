import BiologinAPI
import BiologinLinux
import CommandLineOptions
import Glibc

let invocation: Invocation
do throws(CommandLineExit) { invocation = try Invocation(Array(CommandLine.arguments.dropFirst())) } catch {
    switch error {
    case .help(let text):
        print(text, terminator: "")
        exit(0)
    case .usage(let text): Failure.usage(text).report()
    }
}
if invocation.printsVersion {
    print("biologind \(Version.current)")
    exit(0)
}
if let missing = ProcessHardening.apply() { complain("warning: \(missing)") }

let daemon: Daemon
do throws(Failure) { daemon = try Daemon(invocation) } catch { error.report() }
GLibLoop.shared.run {
    do throws(Failure) { try await daemon.run() } catch { error.report() }
}
