import BiologinCore
import BiologinVault
import Testing

@testable import BiologinLinux

struct SystemdJournalTests {
    private static let event = JournalEvent(
        .lockedOut, account: AccountTag(String(repeating: "0a", count: 16)),
        caller: Caller(pid: 7, executable: "/usr/bin/a\nb\u{202e}", unit: "a.scope", sandbox: nil, strength: .unit),
        detail: "fifth\nfailure")

    @Test func saysWhatHappenedInOneLine() {
        #expect(
            Self.event.line
                == "biologind: locked out account \(String(repeating: "0a", count: 16)) for /usr/bin/a?b? (7): fifth?failure"
        )
        #expect(JournalEvent(.failed, account: nil, caller: nil).line == "biologind: failed")
    }

    @Test(arguments: [
        ("PRIORITY", "4"), ("BIOLOGIN_EVENT", "lockedOut"), ("BIOLOGIN_ACCOUNT", String(repeating: "0a", count: 16)),
        ("BIOLOGIN_CALLER_EXE", "/usr/bin/a\nb\u{202e}"), ("BIOLOGIN_CALLER_UNIT", "a.scope"),
        ("BIOLOGIN_CALLER_PID", "7"), ("BIOLOGIN_DETAIL", "fifth\nfailure"),
    ])
    func hasAFieldForEachThing(name: String, value: String) {
        #expect(Self.event.fields.first { $0.name == name }?.value == value)
    }

    @Test func leavesOutWhatIsNotKnown() {
        let names = JournalEvent(.failed, account: nil, caller: nil).fields.map(\.name)
        #expect(names == ["MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER", "BIOLOGIN_EVENT"])
    }
}
