import BiologinCore
import Glibc
import TestSupport
import Testing

@testable import BiologinLinux

struct ProcessFactsTests {
    @Test func namesTheExecutable() throws {
        let caller = ProcessFacts.caller(getpid())
        #expect(caller.executable == String(cString: realpath("/proc/self/exe", nil)))
        #expect(caller.pid == getpid())
        #expect([.path, .unit].contains(caller.strength))
    }

    @Test func namesAnExecutableThatWasReplaced() async throws {
        let folder = TemporaryDirectory()
        let copy = folder.path + "/cat"
        _ = try await Program.run("/bin/cp", ["/bin/cat", copy])
        let program = try Program(copy)
        program.write("running\n")
        #expect(await program.output.next() == "running")
        unlink(copy)
        #expect(ProcessFacts.caller(program.processID).executable == copy)
    }

    @Test(arguments: [Int32(-1), 0, .max]) func saysNothingOfAProcessThatIsNotThere(pid: Int32) {
        let caller = ProcessFacts.caller(pid)
        #expect(caller == Caller(pid: pid, executable: nil, unit: nil, sandbox: nil, strength: .unknown))
    }
}
