import BiologinVault
import Synchronization

@testable import BiologinCore

/// A sensor that is touched by the test, and fingers that the test enrolls.
actor FakeVerifier: BiometricVerifier {
    nonisolated let name = "fake"
    enum Touch: Sendable { case right, wrong, retry(String), failure(VerifierError) }

    var fingers: [String: [String]] = ["Fake reader": ["right-index-finger"]]
    var claimError: VerifierError?
    /// Readers that do not answer to the questions of `readers`, and those that cannot be claimed.
    private var silent: Set<String> = [], stuck: Set<String> = []
    /// Told of the time that passes until one of them is given up.
    private var waiting: @Sendable (Duration) -> Void = { _ in }
    private(set) var claims = 0
    private(set) var releases = 0
    private(set) var scans = 0
    private var heard: [String: UInt64] = [:]
    private var isListening = false
    private var subscribers: [AsyncStream<ReaderEvent>.Continuation] = []
    private var touches: [Touch] = []
    private var touched: CheckedContinuation<Void, Never>?
    /// Called after a match, before the templates are read again.
    private var afterMatch: (@Sendable () async -> Void)?
    /// What the next reading of the templates answers instead of the fingers.
    private var readingError: VerifierError?

    func set(fingers: [String], on reader: String = "Fake reader") { self.fingers[reader] = fingers }
    func removeReaders() { fingers = [:] }
    func set(claimError: VerifierError?) { self.claimError = claimError }
    func set(
        silent: Set<String>, stuck: Set<String> = [], waiting: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        (self.silent, self.stuck, self.waiting) = (silent, stuck, waiting)
    }
    func set(readingError: VerifierError?) { self.readingError = readingError }
    func afterMatch(_ body: @escaping @Sendable () async -> Void) { afterMatch = body }

    func touch(_ touch: Touch...) {
        touches += touch
        touched?.resume()
        touched = nil
    }

    func readers(within limit: Duration) async -> [Reader] {
        if !silent.isEmpty { waiting(limit) }
        if fingers.isEmpty { return [Reader(verifier: "fake", device: nil, availability: .noDevice, enrolled: [])] }
        return fingers.sorted { $0.key < $1.key }.map { name, fingers in
            if silent.contains(name) {
                return Reader(verifier: "fake", device: name, availability: .silent, enrolled: [])
            }
            return Reader(
                verifier: "fake", device: name, availability: fingers.isEmpty ? .notEnrolled : .ready, enrolled: fingers
            )
        }
    }

    func knownEnrollment(of reader: String) async -> Enrollment? {
        fingers[reader].map { enrollment(named: reader, $0) }
    }

    func claim(_ reader: String, within limit: Duration) async throws(VerifierError) -> any ClaimedReader {
        if let claimError { throw claimError }
        if stuck.contains(reader) {
            waiting(limit)
            throw .unavailable(.silent)
        }
        guard fingers[reader] != nil else { throw .unavailable(.noDevice) }
        claims += 1
        return Claimed(verifier: self, name: reader)
    }

    /// Somebody was enrolled on the reader, as fprintd tells everybody.
    func hearEnrollment(on reader: String = "Fake reader") {
        heard[reader, default: 0] += 1
        for subscriber in subscribers { subscriber.yield(.enrolled(heard)) }
    }
    func startListening() { isListening = true }
    func changeUnheard(fingers: [String]) {
        self.fingers["Fake reader"] = fingers
        for subscriber in subscribers { subscriber.yield(.changed) }
    }

    nonisolated func events() -> AsyncStream<ReaderEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ReaderEvent.self)
        Task { await self.subscribe(continuation) }
        return stream
    }
    private func subscribe(_ continuation: AsyncStream<ReaderEvent>.Continuation) { subscribers.append(continuation) }

    private func enrollment(named name: String, _ fingers: [String]) -> Enrollment {
        Enrollment(reader: name, fingers: fingers, heard: isListening ? heard[name, default: 0] : nil)
    }

    private struct Claimed: ClaimedReader {
        let verifier: FakeVerifier
        let name: String

        func enrollment() async throws(VerifierError) -> Enrollment { try await verifier.enrollment(of: name) }
        func release() async { await verifier.released() }
        func scan(
            within limit: Duration, report: @escaping @Sendable (ScanEvent) -> Void
        ) async throws(VerifierError) -> Bool {
            try await verifier.scan(report)
        }
    }

    private func enrollment(of name: String) throws(VerifierError) -> Enrollment {
        if let readingError { throw readingError }
        guard let fingers = fingers[name] else { throw .unavailable(.noDevice) }
        return enrollment(named: name, fingers)
    }

    private func released() { releases += 1 }

    private func scan(_ report: @Sendable (ScanEvent) -> Void) async throws(VerifierError) -> Bool {
        scans += 1
        report(.waiting(finger: nil))
        while true {
            switch await nextTouch() {
            case .right:
                await afterMatch?()
                return true
            case .wrong: return false
            case .retry(let hint): report(.retry(hint: hint))
            case .failure(let error): throw error
            case nil: throw .cancelled
            }
        }
    }

    /// Nil in a canceled task.
    private func nextTouch() async -> Touch? {
        await withTaskCancellationHandler {
            while touches.isEmpty, !Task.isCancelled {
                await withCheckedContinuation { continuation in
                    if Task.isCancelled { continuation.resume() } else { touched = continuation }
                }
            }
            return touches.isEmpty ? nil : touches.removeFirst()
        } onCancel: {
            Task { await self.touch() }
        }
    }
}

/// What the system helper says.
actor FakeContents: TemplateContents {
    private var current: [UInt8]?
    func set(_ digest: [UInt8]?) { current = digest }
    func digest(fresh: Bool) async -> [UInt8]? { current }
}

/// A store of records that does as it is told.
actor FakeStore: RecordStore {
    enum Fault: Sendable {
        case add(StoreError), addThenFail(StoreError), remove(StoreError), records(StoreError)
    }

    private(set) var items: [(account: AccountTag, record: [UInt8])] = []
    private(set) var unlocks = 0
    private var locked = false
    private var unlockable = true
    private var identity = StoreIdentity(executable: "/usr/bin/fake-keyring", collection: "/collection/login")
    private var formerly: StoreIdentity?
    private var preparation: StoreStatus.Preparation?
    private var statusError: StoreError?
    private var fault: Fault?
    private var subscriber: AsyncStream<StoreEvent>.Continuation?
    /// Called once, in the next `add`.
    private var onAdd: (@Sendable () async -> Void)?

    func onAdd(_ body: @escaping @Sendable () async -> Void) { onAdd = body }
    func lock(unlockable: Bool) { (locked, self.unlockable) = (true, unlockable) }
    func unlocked() {
        locked = false
        subscriber?.yield(.unlocked)
    }
    func set(fault: Fault?) { self.fault = fault }
    func set(statusError: StoreError?) { self.statusError = statusError }
    func set(executable: String) { identity = StoreIdentity(executable: executable, collection: identity.collection) }
    /// Another collection of the same provider, into which the records were moved, or will be by `unlock`.
    func move(to collection: String, preparation: StoreStatus.Preparation?) {
        (formerly, self.preparation) = (identity, preparation)
        identity = StoreIdentity(executable: identity.executable, collection: collection)
    }
    func replaceItems(_ transform: ([UInt8]) -> [UInt8]?) {
        items = items.compactMap { item in transform(item.record).map { (item.account, $0) } }
    }

    func status() async throws(StoreError) -> StoreStatus {
        if let statusError { throw statusError }
        return StoreStatus(
            description: "fake-keyring, collection Login", identity: identity, formerly: formerly, locked: locked,
            preparation: preparation)
    }

    func unlock() async throws(StoreError) {
        guard unlockable else { throw .locked }
        preparation = nil
        unlocks += 1
        unlocked()
    }

    func records(of account: AccountTag) async throws(StoreError) -> [[UInt8]] {
        if case .records(let error) = fault { throw error }
        if locked { throw .locked }
        return items.filter { $0.account == account }.map(\.record)
    }

    func records() async throws(StoreError) -> [(account: AccountTag, record: [UInt8])] {
        if locked { throw .locked }
        return items
    }

    func add(_ record: [UInt8], for account: AccountTag) async throws(StoreError) {
        if locked { throw .locked }
        if case .add(let error) = fault { throw error }
        let interlude = onAdd
        onAdd = nil
        await interlude?()
        items.append((account, record))
        if case .addThenFail(let error) = fault { throw error }
    }

    func remove(of account: AccountTag, except kept: [UInt8]?) async throws(StoreError) {
        if case .remove(let error) = fault { throw error }
        if locked { throw .locked }
        if let kept, !items.contains(where: { $0.account == account && $0.record == kept }) { throw .corrupts }
        items.removeAll { $0.account == account && $0.record != kept }
    }

    nonisolated func events() -> AsyncStream<StoreEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreEvent.self)
        Task { await self.subscribe(continuation) }
        return stream
    }

    private func subscribe(_ continuation: AsyncStream<StoreEvent>.Continuation) { subscriber = continuation }
}

/// A state directory in memory, that can be killed before any of its writes.
actor FakeState: StateStore {
    private(set) var saved = SavedState()
    private(set) var generation: UInt64 = 0
    private(set) var writes = 0
    private var writesLeft = Int.max
    /// Called once, in the next `save` of a profile, before it is on disk.
    private var onSave: (@Sendable () async -> Void)?

    init(_ saved: SavedState = SavedState(), generation: UInt64 = 0) {
        (self.saved, self.generation) = (saved, generation)
    }

    func onSave(_ body: @escaping @Sendable () async -> Void) { onSave = body }

    /// Every write after `count` more fails and changes nothing.
    func fail(after count: Int) { writesLeft = count }

    /// The account's file can no longer be read.
    func damage(_ tag: AccountTag) {
        saved.accounts.removeAll { $0.tag == tag }
        saved.damaged[tag] = "damaged"
    }

    func load() async throws(StateError) -> SavedState { saved }

    private func write() throws(StateError) {
        guard writesLeft > 0 else { throw StateError("no space left on device") }
        writesLeft -= 1
        writes += 1
    }

    private subscript(tag: AccountTag) -> SavedAccount {
        get { saved.accounts.first { $0.tag == tag } ?? SavedAccount(tag: tag) }
        set {
            saved.accounts.removeAll { $0.tag == tag }
            if newValue != SavedAccount(tag: tag) { saved.accounts.append(newValue) }
        }
    }

    func takeGeneration() async throws(StateError) -> UInt64 {
        try write()
        generation += 1
        return generation
    }
    func save(_ profile: Profile, tag: AccountTag) async throws(StateError) {
        let interlude = onSave
        onSave = nil
        await interlude?()
        guard self[tag].current?.generation == profile.generation else { throw StateError("another generation") }
        try write()
        self[tag].current = profile
    }
    func savePending(_ profile: Profile, tag: AccountTag) async throws(StateError) {
        try write()
        self[tag].pending = profile
    }
    func promotePending(tag: AccountTag) async throws(StateError) {
        try write()
        self[tag] = SavedAccount(tag: tag, current: self[tag].pending)
    }
    func discardPending(tag: AccountTag) async throws(StateError) {
        try write()
        self[tag].pending = nil
    }
    func bury(tag: AccountTag) async throws(StateError) {
        try write()
        saved.damaged[tag] = nil
        self[tag] = SavedAccount(tag: tag, buried: true)
    }
    func forget(tag: AccountTag) async throws(StateError) {
        try write()
        self[tag].buried = false
    }
    func save(_ attempts: Attempts) async throws(StateError) {
        try write()
        saved.attempts = attempts
    }
    func checkWritable() async throws(StateError) {
        guard writesLeft > 0 else { throw StateError("no space left on device") }
    }
    func save(enrollments: [String: UInt64]) async throws(StateError) {
        try write()
        saved.enrollments = enrollments
    }
    func save(_ identity: StoreIdentity) async throws(StateError) {
        try write()
        saved.store = identity
    }
}

/// Time that passes when the test says so.
final class FakeClock: Clock {
    private let time = Mutex<(sinceBoot: Duration, bootID: String)>((.seconds(100), "boot 1"))

    var now: Timestamp { Timestamp(seconds: 1_800_000_000) }
    var sinceBoot: Duration { time.withLock { $0.sinceBoot } }
    var bootID: String { time.withLock { $0.bootID } }

    func advance(by duration: Duration) { time.withLock { $0.sinceBoot += duration } }
    func reboot() { time.withLock { $0 = (.seconds(10), $0.bootID + "+") } }
}

final class FakeJournal: Journal {
    private let events = Mutex<[JournalEvent]>([])
    var kinds: [JournalEvent.Kind] { events.withLock { $0.map(\.kind) } }
    var text: String { events.withLock { "\($0)" } }
    func record(_ event: JournalEvent) { events.withLock { $0.append(event) } }
}
