import BiologinVault

/// What is answered without verifying anyone.
extension LoginManager {
    package enum Enablement: Equatable, Sendable { case enabled, notOpen, modified(TemplateChange?) }

    package struct Status: Equatable, Sendable {
        /// The device key's protector: "file".
        package let deviceKey: String
        package let memoryLocked: Bool
        /// Nil while the store cannot be asked.
        package let store: StoreStatus?
        package let lockedOutSeconds: Int?
        package let accounts: Int
    }

    package func status() async -> Status {
        let store = try? await records.status()
        return Status(
            deviceKey: vault.protector, memoryLocked: vault.memoryLocked, store: store,
            lockedOutSeconds: lockoutRemaining()?.wholeSeconds,
            accounts: accounts.count)
    }

    /// The readers as they are just now; at least one, which says why there is none.
    package func support() async -> [Reader] {
        async let asked = seat?.current()
        let readers = await verifier.readers(within: Self.readerLimit),
            hasContents = await contents?.digest(fresh: true) != nil
        let seatState = await asked ?? .usable
        let isLockedOut = lockoutRemaining() != nil
        return readers.map { reader in
            Reader(
                verifier: reader.verifier, device: reader.device,
                availability: seatState.availability(
                    of: reader.availability == .ready && isLockedOut ? .lockedOut : reader.availability),
                enrolled: reader.enrolled, detection: hasContents ? .content : reader.detection)
        }
    }

    /// Whether a key is kept and no change of the templates is known. A change that is noticed here is on disk before this
    /// returns.
    package func enablement(of selector: AccountSelector) async throws(LoginError) -> Enablement {
        let profile: Profile
        do { profile = try self.profile(of: selector) } catch .notOpen { return .notOpen }
        await inspect(profile)
        // A close or an open meanwhile wins.
        switch accounts[tag(of: profile.id)].current?.state {
        case .enabled: return .enabled
        case .invalidated(let change):
            await saveInvalidation(of: tag(of: profile.id), nil)
            return .modified(change)
        case nil: return .notOpen
        }
    }

    /// The card's account, or nil where it is not open.
    package func account(_ selector: AccountSelector) -> Profile? { try? profile(of: selector) }

    package func list(of application: String?) -> [Profile] { accounts.open(of: application) }

    /// Throws `notOpen`, `invalidParameter` for another uid, `limitExceeded` or `state`.
    package func update(_ selector: AccountSelector, uid: String, userInfo: UserInfo) async throws(LoginError) {
        let meant = try profile(of: selector), tag = tag(of: meant.id)
        guard meant.id.uid.utf8.elementsEqual(uid.utf8) else { throw .invalidParameter("userInfo.uid") }
        do throws(LoginError) {
            try await writing(tag) { manager throws(LoginError) in
                guard var profile = manager.accounts[tag].current else { throw .notOpen }
                try manager.checkRoom(for: userInfo, tag: tag)
                profile.userInfo = userInfo
                try await manager.onDisk { () throws(StateError) in try await manager.state.save(profile, tag: tag) }
                manager.accounts[tag].current?.userInfo = userInfo
                // Written as it was before.
                if manager.accounts[tag].current != profile { manager.unsaved.insert(tag) }
                manager.watchers.tell(.updated, manager.accounts[tag].current)
            }
        } catch {
            journal(error, of: "update", tag, nil)
            throw error
        }
    }

    /// Throws `limitExceeded` where the card does not fit beside the others.
    func checkRoom(for userInfo: UserInfo, tag: AccountTag) throws(LoginError) {
        let replaced = accounts[tag].current?.userInfo.size
        guard accounts.cardsSize - (replaced ?? 0) + userInfo.size <= Accounts.cardsLimit else {
            throw .limitExceeded("userInfo: 8 MiB for all accounts")
        }
        guard replaced != nil || accounts.count < Accounts.limit else {
            throw .limitExceeded("accounts: \(Accounts.limit)")
        }
    }

    /// Tells `body` of the current account of `application`, or of all, and of what happens from now on.
    package func watch(
        _ application: String?,
        _ body: @Sendable (_ current: Profile?, _ events: AsyncStream<AccountEvent>) async -> Void
    ) async {
        let (id, events) = watchers.add(application)
        defer { watchers.remove(id) }
        await body(accounts.last(of: application), events)
    }
}
