import BiologinAPI
import BiologinClient
import TestSupport
import Testing

private func progress(_ state: String, _ more: String = "") -> String {
    #"{"parameters":{"progress":{"state":"\#(state)"\#(more)}},"continues":true}"#
}

private let steps = [
    progress("loading"), progress("waiting", #","finger":"right-thumb","attemptsLeft":3"#), progress("processing"),
]
private let released = #"{"parameters":{"userInfo":{"uid":"ada"},"loginKey":"a2V5"}}"#
private let lockedOut = """
    {"error":"org.biologin.Login.BiometryLockout",\
    "parameters":{"code":-8,"message":"too many failures","retryAfterSeconds":30}}
    """

struct AttemptTests {
    @Test func showsEachStepAndThenTheKey() async throws {
        let daemon = CannedDaemon(.replies(steps + [released]))
        let attempt = login(daemon)
        var seen: [Progress] = []
        for await step in attempt.progress { seen.append(step) }
        #expect(seen.map(\.state) == [.loading, .waiting, .processing])
        #expect(seen[1].finger == "right-thumb" && seen[1].attemptsLeft == 3)
        let value = try await attempt.value
        #expect(value.userInfo.uid == "ada")
        #expect(key(of: value) == Array("key".utf8))
        #expect(
            await daemon.nextCall() == """
                {"method":"org.biologin.Login.Login","parameters":{"application":"com.example.mail",\
                "localizedReason":"to sign in"},"more":true}
                """)
        await daemon.end()
    }

    @Test func givesTheKeyToWhomProgressIsNothing() async throws {
        let daemon = CannedDaemon(.replies(steps + [released]))
        #expect(key(of: try await login(daemon).value) == Array("key".utf8))
    }

    @Test func endsTheProgressOnceAlsoOnAnError() async throws {
        let daemon = CannedDaemon(.replies(steps + [lockedOut]))
        let attempt = login(daemon)
        var iterator = attempt.progress.makeAsyncIterator()
        for state in [Progress.State.loading, .waiting, .processing] { #expect(await iterator.next()?.state == state) }
        for _ in 0..<3 { #expect(await iterator.next() == nil) }
        for _ in 0..<2 {
            let error = await #expect(throws: BiometricLoginError.self) { try await attempt.value }
            #expect(error?.code == -8)
        }
    }

    @Test func letsOneTaskLookWhileAnotherWaits() async throws {
        let daemon = CannedDaemon(.replies(steps + [released]))
        let attempt = login(daemon)
        async let seen = attempt.progress.reduce(into: 0) { count, _ in count += 1 }
        async let value = attempt.value
        #expect(key(of: try await value) == Array("key".utf8))
        #expect(await seen == 3)
    }

    enum Way: CaseIterable { case progress, value, both, byName }

    @Test(arguments: Way.allCases) func givesTheReaderBackWhenCanceled(_ way: Way) async throws {
        let daemon = CannedDaemon(.silence(after: steps))
        let attempt = login(daemon)
        let looking = Task { for await _ in attempt.progress {} }
        let waiting = way == .progress ? nil : Task { try await attempt.value }
        _ = await daemon.nextCall()
        switch way {
        case .progress: looking.cancel()
        case .value: waiting?.cancel()
        case .both:
            looking.cancel()
            waiting?.cancel()
        case .byName: attempt.cancel()
        }
        await daemon.end()
        await looking.value
        let error = await #expect(throws: BiometricLoginError.self) { try await attempt.value }
        #expect(error?.kind == .canceled)
    }

    @Test func givesTheReaderBackWhenLetGoOf() async throws {
        let daemon = CannedDaemon(.silence(after: steps))
        for await _ in login(daemon).progress { break }
        await daemon.end()
    }

    @Test func doesNotAskOnceItIsCanceled() async throws {
        let daemon = CannedDaemon(.reply(released))
        let attempt = login(daemon)
        attempt.cancel()
        let error = await #expect(throws: BiometricLoginError.self) { try await attempt.value }
        #expect(error?.kind == .canceled)
        #expect(await attempt.progress.first { _ in true } == nil)
    }

    @Test func keepsAValueThatWasThereBeforeTheCancellation() async throws {
        let daemon = CannedDaemon(.replies(steps + [released]))
        let attempt = login(daemon)
        _ = try await attempt.value
        attempt.cancel()
        #expect(key(of: try await attempt.value) == Array("key".utf8))
    }

    @Test(arguments: [
        // Progress that nothing follows, an end that something follows, and an end without what it is to give.
        #"{"parameters":{"progress":{"state":"loading"}}}"#, String(released.dropLast()) + #","continues":true}"#,
        #"{"parameters":{"userInfo":{"uid":"ada"}}}"#, #"{"parameters":{"loginKey":"a2V5"}}"#,
        #"{"parameters":{"userInfo":{"uid":"ada"},"loginKey":"a2V5","session":{}}}"#,
    ]) func refusesAReplyThatIsNoStep(_ reply: String) async throws {
        let daemon = CannedDaemon(.silence(after: [reply]))
        let error = await #expect(throws: BiometricLoginError.self) { try await login(daemon).value }
        #expect(error?.kind == .notUnderstood)
        await daemon.end()
    }

    @Test func givesTheSessionOfALoginServer() async throws {
        let daemon = CannedDaemon(.reply(#"{"parameters":{"userInfo":{"uid":"ada"},"session":{"token":[1]}}}"#))
        guard case .session(let session) = try await login(daemon).value.proof else { return #expect(Bool(false)) }
        #expect(session.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } } == Array(#"{"token":[1]}"#.utf8))
    }

    @Test func handsTheKeyOver() async throws {
        let daemon = CannedDaemon(.replies(steps + [#"{"parameters":{"account":\#(Samples.account)}}"#]))
        let manager = BiometricLoginManager(application: "com.example.mail", socket: daemon.path)
        let account = try await manager.openBiometricLogin(
            userInfo: UserInfo(uid: "ada"), loginKey: LoginKey(copying: Array("key".utf8).span.bytes),
            localizedReason: "to turn it on"
        ).value
        #expect(account.userInfo.userName == "Ada")
        #expect(
            await daemon.nextCall() == """
                {"method":"org.biologin.Login.Open","parameters":{"application":"com.example.mail",\
                "userInfo":{"uid":"ada"},"loginKey":"a2V5","policy":"deviceOwnerAuthenticationWithBiometrics",\
                "localizedReason":"to turn it on"},"more":true}
                """)
    }

    @Test func doesNotShowAKey() {
        let key = LoginKey(copying: Array("key".utf8).span.bytes)
        #expect("\(key) \([key]) \(String(reflecting: key))".contains("key") == false)
    }

    private func login(_ daemon: CannedDaemon) -> Attempt<BiometricLogin> {
        BiometricLoginManager(application: "com.example.mail", socket: daemon.path)
            .loginByBiometric(localizedReason: "to sign in")
    }

    private func key(of login: BiometricLogin) -> [UInt8]? {
        login.loginKey?.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
    }
}
