package import BiologinVault

/// What a login gives: the only thing that holds a key that was released.
package struct Released: ~Copyable, Sendable {
    package let profile: Profile
    package let unsealed: Unsealed
}

extension LoginManager {
    /// Verifies the user and releases the account's key. `policy` may narrow the account's own; `fallback` asks for the
    /// password at once.
    package func login(
        _ selector: AccountSelector, policy: Policy?, fallback: Bool, _ request: Request
    ) async throws(LoginError) -> Released {
        let profile = try profile(of: selector), tag = tag(of: profile.id)
        do throws(LoginError) {
            let released = try await login(profile, policy: policy, fallback: fallback, request)
            journal.record(JournalEvent(.login, account: tag, caller: request.caller))
            return released
        } catch {
            await settle(error, profile, request)
            throw error
        }
    }

    private func login(
        _ profile: Profile, policy: Policy?, fallback: Bool, _ request: Request
    ) async throws(LoginError) -> Released {
        let tag = tag(of: profile.id)
        let narrowed = try profile.policy(narrowedTo: policy)
        if fallback { throw narrowed == .biometrics ? .invalidParameter("fallback") : .passcodeNotSet }
        if case .invalidated(let change) = profile.state { throw .informationModified(change) }
        request.report(.loading)

        let (operation, revocation) = operations.begin(tag, isLogin: true)
        defer { operations.end(operation) }
        // Until the key is sealed anew, if it is: the next login finds the account as this one leaves it.
        let place = try joinLine(request)
        defer { verifications.leave(place) }
        let (profile, record, grant) = try await untilRevoked(operation, revocation) { manager throws(LoginError) in
            try await manager.checkSeat(narrowed)
            try await manager.checkAttempts(by: request.caller)
            try manager.checkDeviceKey()
            _ = try await manager.prepareStore(request, at: place)
            try await manager.takeTurn(operation, at: place)
            let profile = try await manager.settled(profile)
            let record = try await manager.record(of: profile)
            let purpose = Purpose(
                operation: operation, account: tag, policy: try profile.policy(narrowedTo: policy),
                bound: profile)
            return (profile, record, try await manager.verify(purpose, request))
        }
        request.report(.processing)
        let released = try release(record, profile, grant)
        accounts[tag].current?.lastLoginAt = clock.now
        unsaved.insert(tag)
        chores.queue.yield(.save(tag))
        watchers.tell(.loggedIn, accounts[tag].current)
        await strengthen(released, grant, request.caller)
        try check(operation)
        return released
    }

    /// The profile that counts now that the store can be asked: an open that was killed may have left a newer one, or the
    /// login before this one has sealed the key anew.
    private func settled(_ profile: Profile) async throws(LoginError) -> Profile {
        let tag = tag(of: profile.id)
        if accounts[tag].pending != nil { try await writing(tag) { manager in await manager.tidy(tag) } }
        let settled = try self.profile(of: .account(profile.id))
        if case .invalidated(let change) = settled.state { throw .informationModified(change) }
        return settled
    }

    /// The only way out for a key. It is left by whoever was verified just now, for this operation and account, while the
    /// account is the one that was meant and its templates are those it was opened under.
    private func release(_ record: [UInt8], _ profile: Profile, _ grant: Grant) throws(LoginError) -> Released {
        let tag = tag(of: profile.id)
        try check(grant, for: tag)
        guard let current = accounts[tag].current, current.generation == profile.generation else { throw .superseded }
        if case .invalidated(let change) = current.state { throw .informationModified(change) }
        try check(grant.enrollment, since: current.enrollment, at: current.detection)
        guard let snapshot = grant.enrollment.snapshot(at: current.detection) else { throw .enrollmentUnknown }
        do throws(VaultError) {
            let unsealed = try vault.unseal(record, binding: binding(of: current), snapshot: snapshot)
            guard Terms(packed: unsealed.terms) == Terms(policy: current.policy) else { throw .damaged }
            return Released(profile: current, unsealed: unsealed)
        } catch { throw LoginError(error) }
    }

    /// What a failed login leads to.
    private func settle(_ error: LoginError, _ profile: Profile, _ request: Request) async {
        let tag = tag(of: profile.id)
        switch error {
        case .informationModified(let change):
            await invalidate(profile, change: change, caller: request.caller)
            try? await writing(tag) { manager in
                guard manager.accounts[tag].current?.state != .enabled else { return }
                await manager.removeRecords(of: tag, except: nil)
            }
        case .notOpen:
            do throws(LoginError) { try await erase(tag, generation: profile.generation, request.caller) } catch {
                journal(error, of: "login", tag, request.caller)
            }
        case .cancelled: break
        default:
            journal(error, of: "login", tag, request.caller)
            watchers.tell(.failed, profile)
        }
    }
}

extension LoginError {
    package init(_ error: VaultError) {
        switch error {
        case .damaged: self = .keyDamaged(.damaged)
        case .unknownVersion: self = .keyDamaged(.unknownVersion)
        case .rolledBack: self = .keyDamaged(.rolledBack)
        case .templatesChanged: self = .informationModified(nil)
        case .deviceKeyUnavailable(let reason): self = .deviceKeyUnavailable(reason)
        case .profileKeyUnavailable(let reason), .collectionPasswordUnavailable(let reason): self = .internal(reason)
        case .limitExceeded(let value): self = .limitExceeded(value)
        case .noMemory: self = .internal("no guarded memory is left")
        }
    }
}
