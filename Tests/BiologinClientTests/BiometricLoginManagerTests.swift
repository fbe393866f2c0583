import BiologinAPI
import BiologinClient
import TestSupport
import Testing

/// An operation, the call it is to send, a reply, and what is to come of it.
struct Operation: Sendable, CustomTestStringConvertible {
    let call: String
    let reply: String
    let run: @Sendable (BiometricLoginManager) async throws -> Bool
    var testDescription: String { call }

    init(_ call: String, reply: String, _ run: @escaping @Sendable (BiometricLoginManager) async throws -> Bool) {
        (self.call, self.reply, self.run) = (call, reply, run)
    }
}

private let ofAda = #"{"application":"com.example.mail","account":{"application":"com.example.mail","uid":"ada"}"#

struct BiometricLoginManagerTests {
    static let operations = [
        Operation("GetSupport {}", reply: #"{"supported":true,"verifiers":[]}"#) {
            try await $0.hardwareSupportsBiometricLogin()
        },
        Operation(
            "GetStatus {}",
            reply: #"{"version":"1","simulated":true,"deviceKey":"file","memoryLocked":true,"accounts":2}"#
        ) { try await $0.status().accounts == 2 },
        Operation("IsEnabled \(ofAda)}", reply: #"{"enabled":true}"#) { try await $0.isBiometricLoginEnabled() },
        Operation("IsEnabled \(ofAda)}", reply: #"{"enabled":false,"code":-5002,"reason":"changed"}"#) {
            let answer = try await $0.enablement()
            return answer.code == -5002 && answer.reason == "changed"
        },
        Operation("GetUserInfo \(ofAda)}", reply: #"{"userInfo":{"uid":"ada","icon":"data:,x"}}"#) {
            try await $0.biometricLoginUserAccountInfo()?.icon == "data:,x"
        },
        Operation("GetUserInfo \(ofAda)}", reply: "{}") { try await $0.biometricLoginUserAccountInfo() == nil },
        Operation(#"UpdateUserInfo \#(ofAda),"userInfo":{"uid":"ada","userName":"Ada"}}"#, reply: "{}") {
            try await $0.updateCurrentAccountBiometricLoginInformation(UserInfo(uid: "ada", userName: "Ada"))
            return true
        },
        Operation("Close \(ofAda)}", reply: "{}") {
            try await $0.closeBiometricLogin()
            return true
        },
        Operation(#"List {"application":"com.example.mail"}"#, reply: #"{"accounts":[\#(Samples.account)]}"#) {
            try await $0.accounts().map(\.id.uid) == ["ada"]
        },
    ]

    @Test(arguments: operations) func asksAndUnderstands(_ operation: Operation) async throws {
        let daemon = CannedDaemon(.reply(#"{"parameters":\#(operation.reply)}"#))
        let manager = BiometricLoginManager(application: "com.example.mail", uid: "ada", socket: daemon.path)
        #expect(try await operation.run(manager))
        let words = operation.call.split(separator: " ", maxSplits: 1)
        let call = await daemon.nextCall()
        #expect(call == #"{"method":"org.biologin.Login.\#(words[0])","parameters":\#(words[1])}"#)
        await daemon.end()
    }

    @Test(arguments: operations) func saysThatTheReplyIsNotUnderstood(_ operation: Operation) async throws {
        let daemon = CannedDaemon(.reply(#"{"parameters":{"surplus":1}}"#))
        let manager = BiometricLoginManager(application: "com.example.mail", uid: "ada", socket: daemon.path)
        let error = await #expect(throws: BiometricLoginError.self) { try await operation.run(manager) }
        #expect(error?.kind == .notUnderstood)
    }

    @Test func asksForTheCurrentAccountWithoutAUid() async throws {
        let daemon = CannedDaemon(.reply(#"{"parameters":{"enabled":true}}"#))
        _ = try await BiometricLoginManager(application: nil, socket: daemon.path).isBiometricLoginEnabled()
        #expect(await daemon.nextCall() == #"{"method":"org.biologin.Login.IsEnabled","parameters":{}}"#)
    }

    @Test func tellsOfChangesInOrder() async throws {
        let kinds = ["initial", "opened", "support", "closed"]
        let replies = kinds.map { #"{"parameters":{"event":"\#($0)","account":\#(Samples.account)},"continues":true}"# }
        let daemon = CannedDaemon(.departure(after: replies))
        var seen: [String] = []
        let error = await #expect(throws: BiometricLoginError.self) {
            for try await event in BiometricLoginManager(application: nil, socket: daemon.path).changes() {
                seen.append(event.event.rawValue)
            }
        }
        #expect(seen == kinds)
        #expect(error?.kind == .connectionLost)
        #expect(await daemon.nextCall() == #"{"method":"org.biologin.Login.Monitor","parameters":{},"more":true}"#)
    }

    @Test func stopsWatchingWithItsTask() async throws {
        let daemon = CannedDaemon(.silence(after: [#"{"parameters":{"event":"initial"},"continues":true}"#]))
        let manager = BiometricLoginManager(application: nil, socket: daemon.path)
        let watch = Task { for try await _ in manager.changes() {} }
        _ = await daemon.nextCall()
        watch.cancel()
        await daemon.end()
        let error = await #expect(throws: BiometricLoginError.self) { try await watch.value }
        #expect(error?.kind == .canceled)
    }
}

enum Samples {
    static let caller = #"{"pid":7,"executable":"/usr/bin/mail","strength":"path"}"#
    static let account = """
        {"id":{"application":"com.example.mail","uid":"ada"},"state":"enabled","userInfo":{"uid":"ada","userName":"Ada"},\
        "policy":"deviceOwnerAuthentication","changeDetection":"names","openedBy":\(caller),\
        "openedAt":"2025-01-02T03:04:05Z"}
        """
}
