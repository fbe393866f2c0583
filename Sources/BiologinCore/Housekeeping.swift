import BiologinVault

/// What is left to do when nobody waits for it.
enum Chore: Sendable {
    /// Writes a profile whose change may be late.
    case save(AccountTag)
    /// Brings the state directory and the store into agreement on one account.
    case tidy(AccountTag)
    /// The same for all.
    case tidyAll
}

struct Chores: Sendable {
    let stream: AsyncStream<Chore>
    let queue: AsyncStream<Chore>.Continuation

    init() { (stream, queue) = AsyncStream.makeStream() }
}

extension LoginManager {
    /// Does the chores until the manager is shut down: at first, and whenever the store comes back or is unlocked, brings
    /// the two places where an account is kept into agreement.
    package func run() async {
        chores.queue.yield(.tidyAll)
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followStore() }
            group.addTask { await self.followReaders() }
            group.addTask { await self.followSeat() }
            for await chore in chores.stream where !isShutDown { await perform(chore) }
            group.cancelAll()
        }
    }

    /// Decides on the opens that were killed, before anybody asks for their accounts; what the store cannot be asked now stays
    /// undecided.
    package func settle() async {
        let undecided = accounts.tags.filter { accounts[$0].pending != nil }
        guard !undecided.isEmpty, let status = try? await records.status(), status.preparation == .none,
            isKnown(status)
        else {
            return
        }
        for tag in undecided { await perform(.tidy(tag)) }
    }

    private func perform(_ chore: Chore) async {
        do throws(LoginError) {
            switch chore {
            case .save(let tag): try await saveChanges(of: tag)
            case .tidy(let tag): try await writing(tag) { manager in await manager.tidy(tag) }
            case .tidyAll: try await tidyAll()
            }
        } catch {
            journal.record(JournalEvent(.failed, account: nil, caller: nil, detail: "\(error)"))
        }
    }

    private func followStore() async {
        for await event in records.events() {
            switch event {
            case .unlocked, .appeared: chores.queue.yield(.tidyAll)
            case .locked, .vanished: break
            }
        }
    }

    private func followReaders() async {
        for await event in verifier.events() {
            switch event {
            case .changed: break
            case .enrolled(let counts):
                do throws(LoginError) {
                    try await onDisk { () throws(StateError) in try await state.save(enrollments: counts) }
                } catch { journal.record(JournalEvent(.failed, account: nil, caller: nil, detail: "\(error)")) }
            }
            watchers.tell(.support, nil)
            for profile in accounts.open { await inspect(profile) }
        }
    }

    /// Nothing is touched while the store cannot be asked, is another one than before, or needs the user to be unlocked.
    private func tidyAll() async throws(LoginError) {
        let all: [(account: AccountTag, record: [UInt8])]
        do throws(StoreError) {
            let status = try await records.status()
            // No collection is made for nobody.
            guard isKnown(status),
                status.preparation == .none || status.preparation == .silent && !accounts.tags.isEmpty
            else { return }
        } catch { throw LoginError(error) }
        _ = try await preparedStore {}
        do { all = try await records.records() } catch { throw LoginError(error) }
        let stored = Dictionary(grouping: all, by: \.account)
        for tag in Set(accounts.tags).union(stored.keys).subtracting(damaged) where !isShutDown {
            let account = accounts[tag]
            // The common case: an open account and its one record.
            if account.current?.state == .enabled, account.pending == nil, stored[tag]?.count == 1 { continue }
            try await writing(tag) { manager in await manager.tidy(tag) }
        }
    }

    /// An account is open when both its record and its profile are there: the newest generation that has both wins, and the
    /// rest is removed. The caller is the account's writer.
    func tidy(_ tag: AccountTag) async {
        guard !damaged.contains(tag) else { return }
        // Whatever it is: it belongs to an account that was closed.
        if accounts[tag].buried, accounts[tag].pending == nil { return await removeRecords(of: tag, except: nil) }
        let stored: [[UInt8]]
        do { stored = try await records.records(of: tag) } catch {
            untidy.insert(tag)
            return
        }
        let ours = stored.compactMap { record in
            (try? vault.generation(of: record, account: tag)).map { (generation: $0, record: record) }
        }
        func record(of profile: Profile?) -> [UInt8]? { ours.first { $0.generation == profile?.generation }?.record }
        do {
            if let pending = accounts[tag].pending {
                if record(of: pending) != nil {
                    try await state.promotePending(tag: tag)
                    accounts[tag] = SavedAccount(tag: tag, current: pending)
                } else {
                    try await state.discardPending(tag: tag)
                    accounts[tag].pending = nil
                }
            }
        } catch { return journal.record(JournalEvent(.failed, account: tag, caller: nil, detail: error.description)) }

        let kept = accounts[tag].current.flatMap { $0.state == .enabled ? record(of: $0) : nil }
        // A record that does not open stays: the next login says so. So does what another profile key has sealed.
        guard ours.count == stored.count, kept != nil || accounts[tag].current?.state != .enabled else { return }
        await removeRecords(of: tag, except: kept)
    }

    /// Removes what the store keeps of the account, other than `kept`; what cannot be removed now is removed when the store
    /// can be asked again.
    func removeRecords(of tag: AccountTag, except kept: [UInt8]?) async {
        do { try await records.remove(of: tag, except: kept) } catch {
            untidy.insert(tag)
            return journal.record(
                JournalEvent(.failed, account: tag, caller: nil, detail: "a record could not be removed: \(error)"))
        }
        guard accounts[tag].buried, kept == nil else { return }
        do {
            try await state.forget(tag: tag)
            accounts[tag].buried = false
        } catch { journal.record(JournalEvent(.failed, account: tag, caller: nil, detail: error.description)) }
    }
}
