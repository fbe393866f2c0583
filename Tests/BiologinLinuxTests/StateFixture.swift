import BiologinCore
import BiologinVault
import Synchronization

@testable import BiologinLinux

/// A state directory, and what is kept in it.
struct StateFixture {
    let folder: Folder
    let vault: Vault
    var path: String { "\(folder.path)/state" }
    let tag: AccountTag

    init() throws {
        folder = Folder()
        vault = try Vault(
            domain: "test", profileKey: .random(count: 32), deviceKey: DeviceKey(FileProtector(directory: folder.path)))
        tag = vault.tag(application: "org.example.App", uid: "ann")
    }

    func open(afterStep: @escaping FileObserver = { (_) throws(StateError) in }) throws -> StateDirectory {
        try StateDirectory(StateLock(path), vault: vault, afterStep: afterStep)
    }

    /// What a process that starts now finds in a copy of the directory.
    func found(in folder: Folder) async throws -> SavedState {
        try await StateDirectory(StateLock("\(folder.path)/state"), vault: vault).load()
    }

    static func profile(
        generation: UInt64 = 1, state: Profile.State = .enabled, nickName: String = "Ann", lastLoginAt: Timestamp? = nil
    ) throws -> Profile {
        Profile(
            id: try AccountID(application: "org.example.App", uid: "ann"), generation: generation, state: state,
            userInfo: try UserInfo(
                userName: "Ann Ä. Example", nickName: nickName, icon: "https://example.org/a.png", countryCode: nil),
            policy: .deviceOwner,
            enrollment: Enrollment(
                reader: "Virtual", fingers: ["right-thumb", "left-thumb"], heard: 7, content: [1, 2, 3]),
            detection: .watched,
            openedBy: Caller(pid: 7, executable: "/usr/bin/app", unit: nil, sandbox: "org.example", strength: .unit),
            openedAt: Timestamp(seconds: -1), lastLoginAt: lastLoginAt)
    }
}
