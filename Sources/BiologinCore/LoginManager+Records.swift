import BiologinVault

/// How the store of records is asked in the course of an open or a login.
extension LoginManager {
    /// Makes sure that the store can be asked, and is the one that is known; unlocks it if it must. Whoever waits for the
    /// user to unlock it leaves the line meanwhile.
    func prepareStore(_ request: Request, at place: WaitingLine.Place) async throws(LoginError) -> StoreStatus {
        var hasLeft = false
        let status = try await preparedStore {
            hasLeft = true
            verifications.leave(place)
            request.report(.unlocking)
        }
        if hasLeft { try rejoinLine(at: place, request) }
        for tag in untidy { chores.queue.yield(.tidy(tag)) }
        untidy = []
        return status
    }

    /// - Parameter prompting: called before the user is asked to unlock it.
    func preparedStore(_ prompting: () -> Void) async throws(LoginError) -> StoreStatus {
        var status = try await knownStore()
        if status.preparation != .none {
            if status.preparation == .prompt { prompting() }
            do { try await records.unlock() } catch { throw LoginError(error) }
            // It may only have been made now.
            status = try await knownStore()
        }
        // The records were moved.
        if let known = storeIdentity, known == status.formerly, known != status.identity {
            let identity = status.identity
            try await onDisk { () throws(StateError) in try await state.save(identity) }
            storeIdentity = identity
        }
        return status
    }

    private func knownStore() async throws(LoginError) -> StoreStatus {
        let status: StoreStatus
        do { status = try await records.status() } catch { throw LoginError(error) }
        guard isKnown(status) else { throw .keyring(.changed) }
        return status
    }

    /// Whether that is the store that holds the keys. Where no account is open, any store will do.
    func isKnown(_ status: StoreStatus) -> Bool {
        guard unreadable.isEmpty else { return false }
        guard let storeIdentity, accounts.count > 0 else { return true }
        return [status.identity, status.formerly].contains(storeIdentity)
    }

    /// The record that belongs to the profile. A store that was asked, is the known one and unlocked, and has nothing of the
    /// account, means that somebody removed the key: the account is not open.
    func record(of profile: Profile) async throws(LoginError) -> [UInt8] {
        let tag = tag(of: profile.id)
        let stored: [[UInt8]]
        do { stored = try await records.records(of: tag) } catch { throw LoginError(error) }
        var damage: LoginError?
        for record in stored {
            do throws(VaultError) {
                if try vault.generation(of: record, account: tag) == profile.generation { return record }
                damage = damage ?? .keyDamaged(.rolledBack)
            } catch { damage = LoginError(error) }
        }
        if let damage { throw damage }
        // Is it still the one that was asked?
        guard try await !knownStore().locked else { throw .keyring(.locked) }
        throw .notOpen
    }
}

extension LoginError {
    init(_ error: StoreError) {
        switch error {
        case .cancelled: self = .cancelled
        case .silent: self = .timedOut(.keyring)
        case .unavailable, .locked, .changed, .passwordLost, .passwordRefused, .corrupts, .failed:
            self = .keyring(error)
        }
    }
}
