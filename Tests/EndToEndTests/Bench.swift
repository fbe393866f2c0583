import Foundation
import TestSupport
import Testing

/// A daemon on a private desktop, with a finger enrolled.
struct Bench {
    static let application = "org.example.mail"
    static let biometrics = "deviceOwnerAuthenticationWithBiometrics"

    let desktop: Desktop
    let daemon: Daemon
    /// Where the state directory is, if it is on a disk of its own.
    let disk: SmallDisk?

    /// Further options of the daemon.
    private let options: [String]

    /// Which collection of the keyring holds the records, as the configuration calls it; without one, it says nothing.
    enum Collection: String { case own, `default` }

    /// `before` is run before the daemon is started.
    init(
        reader: Desktop.Reader = .storage, keyring: Desktop.Keyring = .unlocked, collection: Collection? = nil,
        enrolled: Bool = true, smallDisk: Bool = false, options: (Desktop) -> [String] = { _ in [] },
        before: (Desktop) async throws -> Void = { _ in }
    ) async throws {
        desktop = try await Desktop(reader: reader, keyring: keyring)
        if enrolled { try await desktop.enroll() }
        try await before(desktop)
        self.options = options(desktop)
        disk = smallDisk ? try await SmallDisk(at: desktop.directory + "/state") : nil
        daemon = try await Self.daemon(on: desktop, collection, self.options, disk)
    }

    private static func daemon(
        on desktop: Desktop, _ collection: Collection?, _ options: [String], _ disk: SmallDisk?
    ) async throws -> Daemon {
        let path = desktop.environment["XDG_CONFIG_HOME"]! + "/biologin/biologind.conf"
        if let collection {
            let directory = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try Data("[store]\ncollection=\(collection.rawValue)\n".utf8).write(to: URL(filePath: path))
        }
        return try await Daemon(on: desktop, options: options, disk: disk)
    }

    private init(_ desktop: Desktop, _ daemon: Daemon, _ options: [String], _ disk: SmallDisk?) {
        (self.desktop, self.daemon, self.options, self.disk) = (desktop, daemon, options, disk)
    }

    /// The same after the daemon was ended and started again, with another collection if one is named; `body` is run
    /// in between.
    func restarted(
        killing: Bool = false, collection: Collection? = nil, after body: () async throws -> Void = {}
    ) async throws -> Bench {
        if killing { await daemon.kill() } else { _ = await daemon.stop() }
        try await body()
        return Bench(desktop, try await Self.daemon(on: desktop, collection, options, disk), options, disk)
    }

    func client() throws -> RawClient { try RawClient(daemon.socket) }

    static func account(_ uid: String = "ada", _ application: String = application) -> [String: Any] {
        ["application": application, "uid": uid]
    }

    static func opening(
        _ uid: String = "ada", key: [UInt8] = Array("first key".utf8), application: String = application,
        userInfo: [String: Any] = ["userName": "Ada Lovelace"]
    ) -> [String: Any] {
        [
            "application": application, "userInfo": userInfo.merging(["uid": uid]) { $1 },
            "loginKey": Data(key).base64EncodedString(), "policy": biometrics, "localizedReason": "open it",
        ]
    }

    /// A call during which the sensor is touched whenever it waits; its last reply.
    func touched(_ method: String, _ parameters: [String: Any], print: String = "A") async throws -> Message {
        let client = try client()
        try client.send(method, parameters, more: true)
        var message = try await client.receive()
        while message.continues {
            if message.progress == "waiting" { try await desktop.touch(print) }
            message = try await client.receive()
        }
        return message
    }

    static var loggingIn: [String: Any] { ["account": account(), "localizedReason": "log in"] }

    func open(
        _ uid: String = "ada", key: [UInt8] = Array("first key".utf8), print: String = "A"
    ) async throws {
        let reply = try await touched("Open", Self.opening(uid, key: key), print: print)
        try #require(reply.error == nil, "\(reply.object)")
    }

    func login(_ uid: String = "ada") async throws -> Message {
        try await touched("Login", ["account": Self.account(uid), "localizedReason": "log in"])
    }

    /// How many records of ours the keyring has, locked or not.
    func items() async throws -> Int {
        let found = try await Program.run(
            "/usr/bin/secret-tool", ["search", "--all", "xdg:schema", "org.biologin.Login"],
            environment: desktop.environment)
        return (found.text + found.errors).components(separatedBy: "label = ").count - 1
    }

    /// A login or an open that waits for a touch.
    func waiting(_ method: String, _ parameters: [String: Any]) async throws -> RawClient {
        let client = try client()
        try client.send(method, parameters, more: true)
        while case let message = try await client.receive(), message.progress != "waiting" {
            try #require(message.continues, "\(message.object)")
        }
        return client
    }
}
