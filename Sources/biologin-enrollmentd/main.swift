import BiologinAPI
import BiologinEnrollment
import CLinux
import Glibc
import Varlink

/// Connections of one user; a daemon of his needs one.
private let connectionsPerUser = 16

private func prepare(_ invocation: Invocation) throws(Failure) -> Socket {
    umask(0o077)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0, linux_set_not_dumpable() == 0 else {
        throw .place(failed: "memory dumps")
    }
    guard mkdir(invocation.state, 0o700) == 0 || errno == EEXIST else { throw .place(failed: invocation.state) }
    return try Socket(invocation.socket)
}

let listener: Socket
let invocation: Invocation
do throws(Failure) {
    invocation = try Invocation(Array(CommandLine.arguments.dropFirst()))
    switch invocation.action {
    case .help:
        print(Invocation.usage, terminator: "")
        exit(0)
    case .version:
        print("biologin-enrollmentd \(Version.current)")
        exit(0)
    case .serve: listener = try prepare(invocation)
    }
} catch { error.report() }

let loop = PollLoop()
let service = EnrollmentService(
    digest: TemplateDigest(templates: invocation.templates, state: invocation.state),
    log: { complain("error: \($0)") })
let server = Server(service: service, executor: loop, loop: loop, limitPerUser: connectionsPerUser)
loop.perform {
    server.assumeIsolated { $0.listen(on: listener.descriptor) }
    if listener.isActivated { Idleness(of: server).watch(on: loop) }
}
if let path = invocation.socket { complain("listening on \(path)") }
loop.run()
