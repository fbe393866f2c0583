import Glibc
import Testing

@testable import BiologinVault

@Suite struct KeyFileTests {
    let directory = TemporaryDirectory()

    func open(create: Bool) throws(VaultError) -> Vault {
        try Vault.open(directory: directory.path, domain: Fixed.domain, create: create)
    }

    /// What is said of the device key; nil if it can be used.
    func refusal() -> String? {
        let protector = FileProtector(directory: directory.path)
        let error = refused { () throws(VaultError) in
            _ = try protector.publicHalf()
            _ = try protector.secretHalf()
        }
        if case .deviceKeyUnavailable(let reason) = error { return reason }
        return error.map { "\($0)" }
    }

    // MARK: First use

    @Test func makesBothKeysForTheirUserAlone() throws {
        _ = try open(create: true)
        #expect(directory.names == ["device-key", "profile-key"])
        for name in directory.names {
            var status = stat()
            #expect(lstat(directory / name, &status) == 0)
            #expect(status.st_mode == S_IFREG | 0o600)
            #expect(status.st_nlink == 1)
        }
    }

    @Test func opensWhatItSealedBeforeARestart() throws {
        let record = try open(create: true).seal(
            SecretBytes([1, 2]), terms: [3], binding: Fixed.binding, snapshot: Fixed.snapshot)
        let kept = directory.names.map(directory.read)
        let unsealed = try open(create: true).unseal(record, binding: Fixed.binding, snapshot: Fixed.snapshot)
        #expect(unsealed.loginKey.exposed == [1, 2])
        #expect(directory.names.map(directory.read) == kept)
    }

    @Test func twoFirstUsesAtOnceEndWithOneKey() async throws {
        for _ in 0..<20 {
            let directory = TemporaryDirectory()
            let path = directory.path
            let tags = try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let vault = try Vault.open(directory: path, domain: Fixed.domain, create: true)
                        let half = try FileProtector(directory: path).publicHalf()
                        return vault.tag(application: "a.b", uid: "c").description + "\(half.id)"
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(tags.count == 1)
            #expect(directory.names == ["device-key", "profile-key"])
        }
    }

    @Test func makersThatAllFoundNothingEndWithOneKey() async throws {
        let file = KeyFile(directory: directory.path, name: "key", title: "title", contentSize: 32)
        let kept = try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    try file.make(SecretBytes.random(count: 32))
                    return try file.read(0..<32).exposed
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(kept.count == 1)
        #expect(directory.names == ["key"])
    }

    @Test(arguments: [0, 1, 107]) func aMakerKilledLeavesNoKeyBehind(afterWriting size: Int) throws {
        directory.write([UInt8](repeating: 0x55, count: size), to: "device-key.new-1")
        #expect(refusal() == "there is no device-key")
        _ = try open(create: true)
        #expect(refusal() == nil)
        #expect(directory.names == ["device-key", "profile-key"])
    }

    @Test func aMakerKilledLeavesNoSecondNameOfTheKeyBehind() throws {
        _ = try open(create: true)
        #expect(link(directory / "device-key", directory / "device-key.new-1") == 0)
        let kept = directory.read("device-key")
        _ = try open(create: false)
        #expect(directory.names == ["device-key", "profile-key"])
        #expect(directory.read("device-key") == kept)
    }

    // MARK: Missing

    @Test func makesNothingUnlessTold() throws {
        #expect(throws: VaultError.profileKeyUnavailable("there is no profile-key")) { try open(create: false) }
        #expect(directory.names == [])
    }

    @Test func readsProfilesWithoutADeviceKeyAndMakesOneWhenTold() throws {
        let sealed = try open(create: true).sealProfile([1], tag: Fixed.tag)
        unlink(directory / "device-key")
        let vault = try open(create: false)
        #expect(try vault.openProfile(sealed, tag: Fixed.tag) == [1])
        #expect(throws: VaultError.deviceKeyUnavailable("there is no device-key")) { try vault.checkDeviceKey() }
        #expect(directory.names == ["profile-key"])
        try vault.makeDeviceKeyIfMissing()
        try vault.checkDeviceKey()
    }

    @Test func noticesAKeyThatWentAwayMeanwhile() throws {
        let vault = try open(create: true)
        unlink(directory / "device-key")
        let key = try SecretBytes([1])
        #expect(
            refused { () throws(VaultError) in
                _ = try vault.seal(key, terms: [], binding: Fixed.binding, snapshot: Fixed.snapshot)
            } == .deviceKeyUnavailable("there is no device-key"))
    }

    // MARK: Refused

    @Test(arguments: [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o644, 0o777] as [mode_t])
    func refusesAKeyThatIsOpenToOthers(mode: mode_t) throws {
        _ = try open(create: true)
        for name in directory.names { chmod(directory / name, mode) }
        #expect(refusal() == "device-key is open to others; its mode must be 0600")
        #expect(throws: VaultError.profileKeyUnavailable("profile-key is open to others; its mode must be 0600")) {
            try open(create: true)
        }
    }

    @Test func refusesASymbolicLink() throws {
        _ = try open(create: true)
        rename(directory / "device-key", directory / "elsewhere")
        symlink("elsewhere", directory / "device-key")
        #expect(refusal() == "device-key is a symbolic link")
        try? FileProtector(directory: directory.path).prepare(create: true)
        #expect(refusal() == "device-key is a symbolic link")
    }

    @Test func doesNotFollowALinkToNothing() throws {
        symlink("elsewhere", directory / "device-key")
        _ = try open(create: true)
        #expect(refusal() == "device-key is a symbolic link")
        #expect(directory.names == ["device-key", "profile-key"])
    }

    @Test func refusesWhatIsNoFileAndDoesNotWaitForIt() {
        mkfifo(directory / "device-key", 0o600)
        #expect(refusal() == "device-key is no regular file")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away")) func refusesAnotherUsersFile() throws {
        _ = try open(create: true)
        chown(directory / "device-key", 65534, 65534)
        #expect(refusal() == "device-key belongs to another user")
    }

    @Test func refusesADirectoryThatOthersCanWriteTo() throws {
        _ = try open(create: true)
        chmod(directory.path, 0o770)
        #expect(refusal() == "others can write to the state directory")
    }

    @Test func refusesAKeyOfAnotherKind() throws {
        _ = try open(create: true)
        let other = Array("biologin device key 1: tpm2\n".utf8)
        directory.write(other + directory.read("device-key").dropFirst(other.count), to: "device-key")
        #expect(refusal() == "device-key does not begin with “biologin device key 1: file”")
    }

    @Test(arguments: 0..<108) func refusesAndKeepsAKeyCut(to size: Int) throws {
        _ = try open(create: true)
        let cut = Array(directory.read("device-key")[..<size])
        directory.write(cut, to: "device-key")
        #expect(refusal() == "device-key has not the size of a key")
        let vault = try open(create: true)
        #expect(throws: VaultError.deviceKeyUnavailable("device-key has not the size of a key")) {
            try vault.makeDeviceKeyIfMissing()
            try vault.checkDeviceKey()
        }
        #expect(directory.read("device-key") == cut)
    }

    /// By a bit that X25519 does not ignore (RFC 7748, section 5).
    @Test(arguments: 0..<108) func refusesAndKeepsAChangedDeviceKey(at index: Int) throws {
        let vault = try open(create: true)
        let record = try vault.seal(
            SecretBytes([1]), terms: [], binding: Fixed.binding, snapshot: Fixed.snapshot)
        var changed = directory.read("device-key")
        changed[index] ^= 0x10
        directory.write(changed, to: "device-key")
        let error = refused { () throws(VaultError) in
            _ = try open(create: true).unseal(record, binding: Fixed.binding, snapshot: Fixed.snapshot)
        }
        guard case .deviceKeyUnavailable = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(directory.read("device-key") == changed)
    }

    @Test(arguments: 0..<71) func refusesAndKeepsAChangedProfileKey(at index: Int) throws {
        _ = try open(create: true)
        var changed = directory.read("profile-key")
        changed[index] ^= 1
        directory.write(changed, to: "profile-key")
        let error = refused { () throws(VaultError) in
            _ = try open(create: true)
        }
        guard case .profileKeyUnavailable = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(directory.read("profile-key") == changed)
    }
}
