import BiologinAPI
import BiologinClient
import TestSupport
import Testing

struct BiometricLoginErrorTests {
    @Test(arguments: LoginErrorName.allCases) func carriesWhatTheDaemonSays(_ name: LoginErrorName) async throws {
        let details: [LoginErrorName: String] = [
            .biometricLoginInfoModified: #""change":"added""#, .biometryNotAvailable: #""availability":"busy""#,
            .biometryLockout: #""retryAfterSeconds":30"#, .busy: #""holder":\#(Samples.caller)"#,
            .serverRejected: #""serverError":"invalid_grant""#, .limitExceeded: #""limit":"16 KiB""#,
        ]
        let detail = details[name].map { "," + $0 } ?? ""
        let error = try await failure(
            """
            {"error":"\(name.qualifiedName)",\
            "parameters":{"code":\(name.code),"message":"it failed","remedy":"try again"\(detail)}}
            """)
        #expect(error.kind == .login(name))
        #expect(error.code == name.code)
        #expect(error.message == "it failed" && "\(error)" == "it failed")
        #expect(error.remedy == "try again")
        switch error.detail {
        case .change(let change): #expect(name == .biometricLoginInfoModified && change == "added")
        case .availability(let availability): #expect(name == .biometryNotAvailable && availability == .busy)
        case .retryAfterSeconds(let seconds): #expect(name == .biometryLockout && seconds == 30)
        case .holder(let caller): #expect(name == .busy && caller.executable == "/usr/bin/mail")
        case .serverError(let error): #expect(name == .serverRejected && error == "invalid_grant")
        case .limit(let limit): #expect(name == .limitExceeded && limit == "16 KiB")
        case nil: #expect(details[name] == nil)
        }
    }

    @Test func namesTheParameterThatIsInvalid() async throws {
        let error = try await failure(
            #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"userInfo.icon"}}"#)
        #expect(error.kind == .invalidParameter("userInfo.icon"))
        #expect(error.code == nil)
    }

    @Test(arguments: [
        #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"x"}}"#,
        #"{"error":"org.biologin.Login.Unheard","parameters":{"code":-1,"message":"x"}}"#,
        #"{"error":"org.biologin.Login.Busy","parameters":{"code":-1,"message":"x"}}"#,
        #"{"error":"org.biologin.Login.Busy","parameters":{"code":-6001}}"#,
        #"{"error":"org.biologin.Login.Busy"}"#,
        #"{"parameters":{"enabled":1}}"#, #"{"parameters":{}}"#, "{", "[]", "{\"parameters\":{},\"continues\":true}",
    ]) func saysThatItDoesNotUnderstand(_ reply: String) async throws {
        #expect(try await failure(reply).kind == .notUnderstood)
    }

    @Test func saysThatNoDaemonRuns() async throws {
        let directory = TemporaryDirectory()
        let manager = BiometricLoginManager(application: nil, socket: directory.path + "/nobody")
        let error = await #expect(throws: BiometricLoginError.self) { try await manager.status() }
        #expect(error?.kind == .notRunning)
        #expect(error?.message == "biologind is not running")
    }

    @Test func saysThatTheDaemonWentAway() async throws {
        let daemon = CannedDaemon(.departure())
        let manager = BiometricLoginManager(application: nil, socket: daemon.path)
        let error = await #expect(throws: BiometricLoginError.self) { try await manager.status() }
        #expect(error?.kind == .connectionLost)
    }

    @Test func closesTheConnectionOfACanceledTask() async throws {
        let daemon = CannedDaemon(.silence())
        let manager = BiometricLoginManager(application: nil, socket: daemon.path)
        let task = Task { try await manager.status() }
        _ = await daemon.nextCall()
        task.cancel()
        await daemon.end()
        let error = await #expect(throws: BiometricLoginError.self) { try await task.value }
        #expect(error?.kind == .canceled)
    }

    private func failure(_ reply: String) async throws -> BiometricLoginError {
        let daemon = CannedDaemon(.reply(reply))
        let manager = BiometricLoginManager(application: nil, socket: daemon.path)
        let error = await #expect(throws: BiometricLoginError.self) { try await manager.enablement() }
        return try #require(error)
    }
}
