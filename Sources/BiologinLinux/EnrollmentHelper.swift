internal import BiologinAPI
package import BiologinCore
internal import Varlink

/// The system service `biologin-enrollmentd`, which can read what fprintd keeps.
package actor EnrollmentHelper: TemplateContents {
    /// Where systemd listens for it.
    package static let usualSocket = EnrollmentInterface.socket
    /// An answer is good for this long, and so is that there was none.
    private static let lifetime: Duration = .seconds(1)
    /// A reply is some hundred bytes.
    private static let replyLimit = 64 << 10

    private let path: String
    private let clock: any Clock
    private let limit: Duration
    private var known: [UInt8]?
    private var expiry: Duration = .zero
    private var isAsking = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Nobody waits for an answer of the service at that socket for longer than `limit`.
    package init(path: String, clock: any Clock, limit: Duration = .seconds(1)) {
        (self.path, self.clock, self.limit) = (path, clock, limit)
    }

    package func digest(fresh: Bool = false) async -> [UInt8]? {
        while isAsking {
            await withCheckedContinuation { waiting.append($0) }
        }
        if !fresh, clock.sinceBoot < expiry { return known }
        isAsking = true
        let asked = clock.sinceBoot
        let answer = await ask()
        if Task.isCancelled, answer == nil {
            // Whoever waits asks for himself.
            expiry = .zero
        } else {
            known = answer
            expiry = (answer == nil ? clock.sinceBoot : asked) + Self.lifetime
        }
        isAsking = false
        for continuation in waiting { continuation.resume() }
        waiting = []
        return answer
    }

    private func ask() async -> [UInt8]? {
        await withTaskGroup(of: [UInt8]?.self) { [path, limit] group in
            group.addTask { try? await Self.answer(at: path, within: limit) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// Connects for one call alone, since the service leaves when nobody is connected.
    private static func answer(at path: String, within limit: Duration) async throws -> [UInt8]? {
        let client = try await Client.connect(to: path, replyLimit: replyLimit, within: limit)
        defer { client.close() }
        // Anybody else could say that nothing has changed.
        guard client.peer.uid == 0 else { return nil }
        let reply = try await client.call(EnrollmentInterface.Method.getDigest.qualifiedName)
        let digest = try reply.read { json throws(ParameterError) in try EnrollmentDigest(from: &json) }
        // One of another kind would look like other templates.
        guard digest.version == EnrollmentDigest.currentVersion, digest.digest.count == EnrollmentDigest.byteCount
        else {
            return nil
        }
        return digest.digest.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
    }
}
