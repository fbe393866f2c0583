import Glibc
import Testing

@testable import BiologinLinux

struct ProviderProcessTests {
    @Test(arguments: [
        "/usr/bin/gnome-keyring-daemon": "gnome-keyring", "gnome-keyring-d": "gnome-keyring",
        "/usr/bin/keepassxc": "keepassxc", "": "unknown",
    ])
    func hasANameForPeople(executable: String, title: String) {
        #expect(ProviderProcess(executable: executable).title == title)
    }

    @Test func isKnownByItsExecutable() {
        #expect(ProviderProcess(UInt32(getpid())).executable.hasPrefix("/"))
    }

    @Test func isUnknownOnceItIsGone() {
        #expect(ProviderProcess(UInt32(Int32.max)).executable == "")
    }
}
