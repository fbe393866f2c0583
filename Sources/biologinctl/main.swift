internal import Glibc

// A write to a closed pipe is an error of that write.
signal(SIGPIPE, SIG_IGN)
Terminal.occupyStandardDescriptors()
Terminal.forbidCoreDumps()

// Blocked in every thread that is started from here on; this one waits for them below.
var interrupts = sigset_t()
unsafe sigemptyset(&interrupts)
unsafe sigaddset(&interrupts, SIGINT)
unsafe sigaddset(&interrupts, SIGTERM)
unsafe pthread_sigmask(SIG_BLOCK, &interrupts, nil)

let work = Task.detached {
    do {
        try await Command.run(CommandLine.arguments.dropFirst())
        exit(ExitStatus.success.rawValue)
    } catch let answered as Answered {
        exit(answered.status.rawValue)
    } catch {
        let failure = Failure(error)
        Talk.complain(failure)
        exit(failure.status.rawValue)
    }
}

// The first one cancels, and what runs says so and exits; a second one does not wait for that.
var interrupt: Int32 = 0
unsafe sigwait(&interrupts, &interrupt)
work.cancel()
unsafe sigwait(&interrupts, &interrupt)
Terminal.restoreEcho()
exit(ExitStatus.canceled.rawValue)
