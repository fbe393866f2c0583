public import BiologinAPI
internal import Varlink

/// The changes that the daemon tells of, in order.
public struct MonitorEvents: AsyncSequence, Sendable {
    private let application: String?
    private let socket: String?

    init(of application: String?, at socket: String?) { (self.application, self.socket) = (application, socket) }

    /// Hands out the events; it asks the daemon when the first is waited for.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let application: String?
        fileprivate let socket: String?
        fileprivate var replies: Replies.Iterator?

        /// The next event, which may never come. Throws when the daemon goes away or the task is canceled.
        public mutating func next() async throws(BiometricLoginError) -> MonitorEvent? {
            if replies == nil {
                let connection = try await Connection(to: socket)
                let watched = ApplicationSelection(application: application)
                replies = connection.replies(to: .monitor(watched)).makeAsyncIterator()
            }
            let reply: Reply?
            do throws(ClientError) { reply = try await replies?.next() } catch { throw BiometricLoginError(error) }
            return try reply?.value()
        }

        /// The same.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BiometricLoginError) -> MonitorEvent? { try await next() }
    }

    /// A watch of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(application: application, socket: socket) }
}
