import BiologinVault

extension LoginManager {
    /// Runs `body` until it ends or the operation is revoked, whichever comes first; the reason for a revocation wins over
    /// every result. `body` is always run to its end (a reader is released) before this returns.
    func untilRevoked<Result: Sendable>(
        _ operation: Operations.ID, _ revocation: AsyncStream<Never>,
        _ body: @escaping @Sendable (isolated LoginManager) async throws(LoginError) -> Result
    ) async throws(LoginError) -> Result {
        let result = await withTaskGroup(of: Swift.Result<Result, LoginError>?.self) { group in
            group.addTask {
                do throws(LoginError) { return .success(try await body(self)) } catch { return .failure(error) }
            }
            group.addTask {
                for await _ in revocation {}
                return nil
            }
            var result: Swift.Result<Result, LoginError>?
            for await finished in group {
                result = result ?? finished
                group.cancelAll()
            }
            return result
        }
        // What sleep makes a reader say may be told sooner than sleep.
        let sleep: LoginError? = seatState == .sleeping ? .systemCancel : nil
        switch (operations.revocation(of: operation) ?? sleep, result) {
        // It says why the system ended it.
        case (.systemCancel, .failure(.notAvailable(let reason))) where [.notLocal, .inaccessible].contains(reason):
            throw .notAvailable(reason)
        case (let reason?, _): throw reason
        case (nil, _): break
        }
        guard let result else { throw .cancelled }
        return try result.get()
    }
}
