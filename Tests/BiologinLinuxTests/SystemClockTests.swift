import TestSupport
import Testing

@testable import BiologinLinux

struct SystemClockTests {
    @Test func knowsTheBoot() {
        #expect(SystemClock().bootID.count == 36)
        #expect(SystemClock().bootID == SystemClock().bootID)
    }

    @Test(arguments: ["/nonexistent", "/dev/null"]) func takesAnUnknownBootForNoOther(file: String) {
        let bootID = SystemClock(bootIDFile: file).bootID
        #expect(bootID.count > 16)
        #expect(bootID == SystemClock(bootIDFile: file).bootID)
    }
}
