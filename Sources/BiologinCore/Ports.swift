package import BiologinVault

/// Why the verifier could not say yes or no.
package enum VerifierError: Error, Equatable, Sendable {
    /// The reader cannot be used: gone, silent, busy with another program, not allowed, no finger enrolled.
    case unavailable(Availability)
    /// Nobody touched the reader in time.
    case noTouch
    /// The task was cancelled.
    case cancelled
    /// The verifier, or the device, failed in mid-verification.
    case failed(String)
}

/// What happens at the sensor while it waits.
package enum ScanEvent: Equatable, Sendable {
    /// The sensor waits for a touch: of `finger`, or of any enrolled one where that is nil.
    case waiting(finger: String?)
    /// A scan that counts neither way; try again.
    case retry(hint: String)
}

/// Verifies that a finger on the reader is one of this user's.
package protocol BiometricVerifier: Sendable {
    /// Who verifies: "fprintd".
    var name: String { get }

    /// Every reader, asked afresh and all at once, within `limit`; at least one element, which says why there is no reader.
    func readers(within limit: Duration) async -> [Reader]

    /// What is enrolled on the reader of that name, from a reading at most 1 s old, without waking an idle verifier;
    /// nil while it is not known.
    func knownEnrollment(of reader: String) async -> Enrollment?

    /// Takes a reader of that name for this program alone. Whoever gets it gives it back with `release`. From this call until
    /// the sensor first waits for a touch the verifier has `limit` in all, for its answers to the calls that follow too.
    func claim(_ reader: String, within limit: Duration) async throws(VerifierError) -> any ClaimedReader

    /// What is heard of readers, from now on.
    func events() -> AsyncStream<ReaderEvent>
}

package enum ReaderEvent: Equatable, Sendable {
    /// Readers, or the fingers on them, may have come or gone.
    case changed
    /// Somebody was enrolled; the counts that `Enrollment.heard` is taken from, by reader.
    case enrolled([String: UInt64])
}

/// Looks into the templates themselves.
package protocol TemplateContents: Sendable {
    /// A keyed digest of all templates of this user, read now if `fresh`, or else at most 1 s ago; nil where the system helper
    /// is not there or does not answer within 1 s.
    func digest(fresh: Bool) async -> [UInt8]?
}

/// A reader that nobody else can use until it is released.
package protocol ClaimedReader: Sendable {
    /// The enrolled templates, read now.
    func enrollment() async throws(VerifierError) -> Enrollment

    /// One scan: true for a match, false for a finger that is not enrolled. Cancelling the task ends it with `cancelled`.
    func scan(
        within limit: Duration, report: @escaping @Sendable (ScanEvent) -> Void
    ) async throws(VerifierError) -> Bool

    /// Gives the reader back; it never fails and takes at most half a second.
    func release() async
}

/// Why the store of sealed records could not do what was asked.
package enum StoreError: Error, Equatable, Sendable {
    /// No Secret Service, or no collection.
    case unavailable
    /// Locked, and not unlocked by the user.
    case locked
    /// Another Secret Service, or another collection, than before.
    case changed
    /// The collection of this program's own is there, and its password is not to be had; says why, for the log.
    case passwordLost(String)
    /// The collection of this program's own has another password than the one that is kept.
    case passwordRefused
    /// What was read back is not what was written.
    case corrupts
    /// No answer within 5 s.
    case silent
    case cancelled
    /// Refused for a reason of its own, such as a full disk.
    case failed(String)
}

/// The store that keeps the records, and in which collection, as it is remembered from one start to the next.
package struct StoreIdentity: Equatable, Sendable {
    package let executable: String
    package let collection: String
    package init(executable: String, collection: String) {
        (self.executable, self.collection) = (executable, collection)
    }
}

package enum StoreEvent: Sendable { case unlocked, locked, appeared, vanished }

/// What is known of the store without asking it to unlock.
package struct StoreStatus: Equatable, Sendable {
    /// What has to be done before records can be asked for.
    package enum Preparation: Comparable, Sendable {
        case none
        /// `unlock`, which asks nobody.
        case silent
        /// `unlock`, which asks the user.
        case prompt
    }

    /// For people: "gnome-keyring, collection Biologin".
    package let description: String
    package let identity: StoreIdentity
    /// Where the records of this store were, or still are, before they are moved as the configuration says.
    package let formerly: StoreIdentity?
    /// Whether the collection that holds the records is.
    package let locked: Bool
    package let preparation: Preparation

    /// `preparation` nil: the user is asked where the store is locked.
    package init(
        description: String, identity: StoreIdentity, formerly: StoreIdentity? = nil, locked: Bool,
        preparation: Preparation? = nil
    ) {
        (self.description, self.identity, self.formerly) = (description, identity, formerly)
        (self.locked, self.preparation) = (locked, preparation ?? (locked ? .prompt : .none))
    }
}

/// Keeps sealed records: they are ciphertext, and any program of the session may read them.
package protocol RecordStore: Sendable {
    /// Changes nothing. Throws `unavailable`, `silent`, `cancelled` or `failed`.
    func status() async throws(StoreError) -> StoreStatus

    /// Makes the store ready: makes or unlocks the collection and moves records into it, as far as that is to be done. Where
    /// that takes the provider's own prompt, one that is dismissed, cannot be shown, or is not answered within 60 s (it is
    /// dismissed then) throws `locked`. Also throws `passwordLost` or `passwordRefused`; no collection takes the place of
    /// that one.
    func unlock() async throws(StoreError)

    /// Every record of the account, whatever its generation; empty only if the unlocked store says so.
    func records(of account: AccountTag) async throws(StoreError) -> [[UInt8]]

    /// Every record of this domain.
    func records() async throws(StoreError) -> [(account: AccountTag, record: [UInt8])]

    /// Adds a record beside those that are there, reads it back and compares; if it throws, nothing of it is left behind
    /// as far as the store can be asked.
    func add(_ record: [UInt8], for account: AccountTag) async throws(StoreError)

    /// Removes every record of the account other than `kept`.
    func remove(of account: AccountTag, except kept: [UInt8]?) async throws(StoreError)

    /// What happens to the collection, from now on, to one reader.
    func events() -> AsyncStream<StoreEvent>
}

package struct StateError: Error, Sendable {
    /// What failed, on which file, for the log.
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// What is kept in the state directory of one account.
package struct SavedAccount: Equatable, Sendable {
    package var tag: AccountTag
    /// The account as it is.
    package var current: Profile?
    /// A profile whose record may or may not have reached the store.
    package var pending: Profile?
    /// Closed; a record may still be in the store.
    package var buried: Bool
    package init(tag: AccountTag, current: Profile? = nil, pending: Profile? = nil, buried: Bool = false) {
        (self.tag, self.current, self.pending, self.buried) = (tag, current, pending, buried)
    }
}

package struct SavedState: Equatable, Sendable {
    package var accounts: [SavedAccount]
    package var attempts: Attempts
    package var store: StoreIdentity?
    /// How many enrollments were heard, by reader.
    package var enrollments: [String: UInt64] = [:]
    /// Accounts that cannot be read, and why, for the log; they are kept as they are until they are buried.
    package var damaged: [AccountTag: String]
    /// Other files that cannot be read, by name, and why, for the log; they are kept as they are.
    package var unreadable: [String: String] = [:]
    package init(
        accounts: [SavedAccount] = [], attempts: Attempts = Attempts(), store: StoreIdentity? = nil,
        damaged: [AccountTag: String] = [:]
    ) {
        (self.accounts, self.attempts, self.store, self.damaged) = (accounts, attempts, store, damaged)
    }
}

/// The state directory. Each call is atomic, and on disk when it returns.
package protocol StateStore: Sendable {
    func load() async throws(StateError) -> SavedState
    /// The next generation: greater than every one before, also after a restart.
    func takeGeneration() async throws(StateError) -> UInt64
    /// Writes the account's current profile anew. Throws if another generation, or none, is current: the account was
    /// opened anew or closed meanwhile.
    func save(_ profile: Profile, tag: AccountTag) async throws(StateError)
    /// Writes a profile beside the current one.
    func savePending(_ profile: Profile, tag: AccountTag) async throws(StateError)
    /// Makes the pending profile the current one; ends a burial.
    func promotePending(tag: AccountTag) async throws(StateError)
    func discardPending(tag: AccountTag) async throws(StateError)
    /// Takes every profile of the account away, and remembers that its record has still to be removed.
    func bury(tag: AccountTag) async throws(StateError)
    /// Forgets a buried account, after its record was removed.
    func forget(tag: AccountTag) async throws(StateError)
    func save(_ attempts: Attempts) async throws(StateError)
    /// Throws where something of the size of `attempts` could not be saved now.
    func checkWritable() async throws(StateError)
    func save(_ identity: StoreIdentity) async throws(StateError)
    func save(enrollments: [String: UInt64]) async throws(StateError)
}

package protocol Clock: Sendable {
    /// UTC, for people to look at only: the user can set it.
    var now: Timestamp { get }
    /// CLOCK_BOOTTIME: goes on while the machine sleeps, and cannot be set.
    var sinceBoot: Duration { get }
    /// Another one after each boot.
    var bootID: String { get }
}

/// Told of what a reviewer may want to know later; never of a uid, a name or a key.
package protocol Journal: Sendable {
    func record(_ event: JournalEvent)
}

package struct JournalEvent: Sendable {
    package enum Kind: String, Sendable { case opened, login, closed, invalidated, refused, lockedOut, failed }
    package let kind: Kind
    /// The account's opaque id.
    package let account: AccountTag?
    package let caller: Caller?
    package let detail: String
    package init(_ kind: Kind, account: AccountTag?, caller: Caller?, detail: String = "") {
        (self.kind, self.account, self.caller, self.detail) = (kind, account, caller, detail)
    }
}
