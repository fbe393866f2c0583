import Glibc
import Testing

@testable import BiologinLinux

struct StateLockTests {
    let folder = Folder()
    var path: String { "\(folder.path)/a/b/state" }

    @Test func makesTheDirectoryAndItsParentsPrivate() throws {
        let lock = try StateLock(path + "//")
        #expect(lock.isNew)
        #expect(lock.path == path)
        for name in ["a", "a/b", "a/b/state", "a/b/state/accounts"] { #expect(folder.mode(of: name) == 0o700) }
    }

    @Test func isTakenByOneAtATime() throws {
        do {
            let held = try StateLock(path)
            #expect(throws: DirectoryError.inUse(held.path)) { try StateLock(path) }
            _ = consume held
        }
        _ = try StateLock(path)
    }

    @Test func closesADirectoryThatOthersMayRead() throws {
        mkdir("\(folder.path)/open", 0o700)
        chmod("\(folder.path)/open", 0o755)
        _ = try StateLock("\(folder.path)/open")
        #expect(folder.mode(of: "open") == 0o700)
    }

    @Test func refusesADirectoryThatOthersMayWriteTo() throws {
        mkdir("\(folder.path)/open", 0o700)
        for mode: mode_t in [0o720, 0o770, 0o702, 0o777] {
            chmod("\(folder.path)/open", mode)
            #expect(throws: DirectoryError.self) { try StateLock("\(folder.path)/open") }
            #expect(folder.mode(of: "open") == mode)
        }
        #expect(folder.names(in: "open").isEmpty)
    }

    @Test(arguments: ["", "/", "///"]) func refusesASymbolicLink(ending: String) throws {
        mkdir("\(folder.path)/real", 0o700)
        symlink("\(folder.path)/real", "\(folder.path)/link")
        #expect(throws: DirectoryError.self) { try StateLock("\(folder.path)/link" + ending) }
        #expect(folder.names(in: "real").isEmpty)
    }

    @Test func refusesWhatIsNoDirectory() {
        folder.write([], to: "file")
        #expect(throws: DirectoryError.self) { try StateLock("\(folder.path)/file") }
        #expect(throws: DirectoryError.self) { try StateLock("\(folder.path)/file/below") }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
    func refusesADirectoryOfAnotherUser() {
        mkdir("\(folder.path)/theirs", 0o700)
        chown("\(folder.path)/theirs", 65534, 65534)
        #expect(throws: DirectoryError.self) { try StateLock("\(folder.path)/theirs") }
    }

    @Test func refusesALockFileThatIsALink() throws {
        mkdir("\(folder.path)/state", 0o700)
        symlink("\(folder.path)/elsewhere", "\(folder.path)/state/lock")
        #expect(throws: DirectoryError.self) { try StateLock("\(folder.path)/state") }
        #expect(!folder.names().contains("elsewhere"))
    }

    @Test(arguments: ["generation", "attempts", "store", "accounts/\(String(repeating: "a", count: 32))"])
    func isNotNewOnceSomethingIsKept(_ name: String) throws {
        do { _ = try StateLock(path) }
        folder.write([], to: "a/b/state/\(name)")
        #expect(try !StateLock(path).isNew)
    }
}
