import BiologinCore
import Foundation
import TestSupport
import Testing

@testable import BiologinLinux

/// KeePassXC as the Secret Service of a desktop: another implementation, which makes no collection without a prompt.
struct KeePassXC {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/keepassxc")
    /// What KeePassXC calls the collection: the file's name.
    static let collection = "/org/freedesktop/secrets/collection/kept"

    private static let password = "password\n"
    /// A database whose root group is the one that is exposed.
    private static let database = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <KeePassFile>
          <Meta><DatabaseName>Kept</DatabaseName><CustomData><Item>
            <Key>FDO_SECRETS_EXPOSED_GROUP</Key><Value>{00010203-0405-0607-0809-0a0b0c0d0e0f}</Value>
          </Item></CustomData></Meta>
          <Root><Group><UUID>AAECAwQFBgcICQoLDA0ODw==</UUID><Name>Root</Name></Group></Root>
        </KeePassFile>
        """
    private static let settings = """
        [General]
        ConfigVersion=2
        UpdateCheckMessageShown=true
        [GUI]
        CheckForUpdates=false
        [FdoSecrets]
        Enabled=true
        ConfirmAccessItem=false
        ConfirmDeleteItem=false
        ShowNotification=false

        """

    let program: Program

    /// Returns when it answers for an unlocked collection.
    init(on desktop: Desktop) async throws {
        let directory = desktop.directory + "/keepassxc"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        func file(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(filePath: "\(directory)/\(name)"))
            return "\(directory)/\(name)"
        }
        // One KeePassXC a user runs, and its lock is among the temporary files.
        let environment = desktop.environment.merging(["QT_QPA_PLATFORM": "offscreen", "TMPDIR": directory]) { $1 }
        let exported = try file("kept.xml", Self.database), database = directory + "/kept.kdbx"
        let imported = try await Program.run(
            "/usr/bin/keepassxc-cli", ["import", "--set-password", exported, database], environment: environment,
            input: Array((Self.password + Self.password).utf8))
        try #require(imported.status == 0, "\(imported.errors)")
        program = try Program(
            "/usr/bin/keepassxc",
            [
                "--config", try file("keepassxc.ini", Self.settings), "--localconfig", directory + "/local.ini",
                "--pw-stdin", database,
            ], environment: environment)
        program.write(Self.password)
        let store = desktop.store()
        while (try? await store.status().locked) != false {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
