package import BiologinVault

extension LoginManager {
    /// Verifies the user, then seals the key and stores it. Whatever fails or is killed on the way, the account is as it was.
    ///
    /// Throws what keeps a key from being stored; `superseded` where another open or a close of the account was faster.
    package func open(
        _ id: AccountID, userInfo: UserInfo, loginKey: consuming SecretBytes, policy: Policy, _ request: Request
    ) async throws(LoginError) -> Profile {
        let tag = tag(of: id)
        do throws(LoginError) {
            let profile = try await open(id, tag, userInfo, loginKey, policy, request)
            journal.record(JournalEvent(.opened, account: tag, caller: request.caller))
            watchers.tell(.opened, profile)
            return profile
        } catch {
            journal(error, of: "open", tag, request.caller)
            throw error
        }
    }

    private func open(
        _ id: AccountID, _ tag: AccountTag, _ userInfo: UserInfo, _ loginKey: borrowing SecretBytes, _ policy: Policy,
        _ request: Request
    ) async throws(LoginError) -> Profile {
        try checkRoom(for: userInfo, tag: tag)
        request.report(.loading)
        let (operation, revocation) = operations.begin(tag, isLogin: false)
        defer { operations.end(operation) }
        let place = try joinLine(request)
        let (grant, store) = try await untilRevoked(operation, revocation) { manager throws(LoginError) in
            defer { manager.verifications.leave(place) }
            try await manager.checkSeat(policy)
            try await manager.checkAttempts(by: request.caller)
            try manager.checkDeviceKey()
            let store = try await manager.prepareStore(request, at: place)
            try await manager.takeTurn(operation, at: place)
            let purpose = Purpose(operation: operation, account: tag, policy: policy, bound: nil)
            return (try await manager.verify(purpose, request), store)
        }
        request.report(.processing)

        let generation = try await onDisk { () throws(StateError) in try await state.takeGeneration() }
        let profile = Profile(
            id: id, generation: generation, state: .enabled, userInfo: userInfo, policy: policy,
            enrollment: grant.enrollment, detection: grant.enrollment.detection, openedBy: request.caller,
            openedAt: clock.now, lastLoginAt: nil)
        let record = try seal(loginKey, profile)
        try await writing(tag) { manager throws(LoginError) in
            try manager.check(grant, for: tag)
            try manager.checkRoom(for: userInfo, tag: tag)
            try await manager.remember(store)
            try await manager.replace(with: record, profile, operation)
            manager.operations.revoke(on: tag, by: .superseded, except: operation)
        }
        return profile
    }

    private func remember(_ store: StoreStatus) async throws(LoginError) {
        guard storeIdentity != store.identity else { return }
        try await onDisk { () throws(StateError) in try await state.save(store.identity) }
        storeIdentity = store.identity
    }

    /// The profile as pending; the record beside the old one; the profile becomes current; the old record goes. A kill
    /// before the record is stored leaves the old account, after it the new one.
    func replace(
        with record: [UInt8], _ profile: Profile, _ operation: Operations.ID
    ) async throws(LoginError) {
        let tag = tag(of: profile.id)
        if damaged.contains(tag) {
            // A profile that cannot be read gives way to the one that is opened in its place.
            try await onDisk { () throws(StateError) in try await state.bury(tag: tag) }
            damaged.remove(tag)
            accounts[tag] = SavedAccount(tag: tag, buried: true)
        }
        try await onDisk { () throws(StateError) in try await state.savePending(profile, tag: tag) }
        do throws(LoginError) {
            do { try await records.add(record, for: tag) } catch { throw LoginError(error) }
            try check(operation)
            try await onDisk { () throws(StateError) in try await state.promotePending(tag: tag) }
        } catch {
            await undo(tag, after: error)
            throw error
        }
        accounts[tag] = SavedAccount(tag: tag, current: profile)
        unsaved.remove(tag)
        await removeRecords(of: tag, except: record)
    }

    /// From here on the record that may have reached the store belongs to no profile.
    private func undo(_ tag: AccountTag, after error: LoginError) async {
        do { try await state.discardPending(tag: tag) } catch {
            return journal.record(JournalEvent(.failed, account: tag, caller: nil, detail: error.description))
        }
        // Nobody waits for a store that was silent a moment ago.
        if Task.isCancelled || error == .timedOut(.keyring) { chores.queue.yield(.tidy(tag)) } else { await tidy(tag) }
    }

    func seal(_ loginKey: borrowing SecretBytes, _ profile: Profile) throws(LoginError) -> [UInt8] {
        guard let snapshot = profile.enrollment.snapshot(at: profile.detection) else { throw .enrollmentUnknown }
        do {
            return try vault.seal(
                loginKey, terms: Terms(policy: profile.policy).packed, binding: binding(of: profile), snapshot: snapshot
            )
        } catch { throw LoginError(error) }
    }

    func binding(of profile: Profile) -> Binding {
        Binding(
            account: tag(of: profile.id), generation: profile.generation, verifier: verifier.name,
            strength: profile.detection.rawValue)
    }
}
