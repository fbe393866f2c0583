import BiologinAPI
import Foundation
import Testing

@testable import BiologinEnrollment

@Suite struct KeyTests {
    let prints: Prints
    var key: String { prints.state + "/digest-key" }

    init() throws { prints = try Prints() }

    @Test func isMadeAtFirstUseForItsUserAlone() throws {
        #expect(!FileManager.default.fileExists(atPath: key))
        let digest = try prints.digested()
        var status = stat()
        #expect(lstat(key, &status) == 0)
        #expect(status.st_mode == S_IFREG | 0o600)
        let made = FileManager.default.contents(atPath: key)
        #expect(try prints.digested() == digest)
        #expect(FileManager.default.contents(atPath: key) == made)
        #expect(try FileManager.default.contentsOfDirectory(atPath: prints.state) == ["digest-key"])
    }

    @Test func withAnotherKeyTheSameTemplatesHaveAnotherDigest() throws {
        let other = try Prints()
        #expect(try prints.digested() != other.digested())
    }

    static let mistreatments = [
        Deed("readable by others") { chmod($0.state + "/digest-key", 0o640) },
        Deed("damaged") { prints in
            let path = prints.state + "/digest-key"
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
        },
        Deed("cut") { truncate($0.state + "/digest-key", 20) },
        Deed("emptied") { truncate($0.state + "/digest-key", 0) },
        Deed("a link") { prints in
            rename(prints.state + "/digest-key", prints.state + "/moved")
            symlink(prints.state + "/moved", prints.state + "/digest-key")
        },
        Deed("in a directory that others can write to") { chmod($0.state, 0o777) },
        Deed("without its directory") { try FileManager.default.removeItem(atPath: $0.state) },
    ]

    @Test(arguments: mistreatments) func isRefusedAndNeverOverwritten(_ deed: Deed) throws {
        _ = try prints.digested()
        try deed.body(prints)
        let before = FileManager.default.contents(atPath: key)
        let error = #expect(throws: EnrollmentFailure.self) { try prints.digested() }
        guard case .keyUnavailable = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(FileManager.default.contents(atPath: key) == before)
    }
}
