/// A client's side of a connection, on the thread that all clients share.
actor ClientConnection {
    private struct Waiting {
        /// Nil when nobody wants the replies any more, or the call was one that gets none.
        weak var call: PendingCall?
        let takesMore: Bool
    }

    /// Nil after it was closed.
    private var channel: Channel?
    private var watch: (any Watch)?
    /// The calls whose last reply has not come, oldest first.
    private var waiting: [Waiting] = []

    init(_ descriptor: Int32, replyLimit: Int) { channel = Channel(descriptor, frameLimit: replyLimit) }

    isolated deinit { watch?.cancel() }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe PollLoop.shared.asUnownedSerialExecutor() }

    func start() {
        guard let descriptor = channel?.descriptor else { return }
        watch = PollLoop.shared.watch(descriptor, .read) { [weak self] readiness in
            self?.assumeIsolated { $0.isReady(readiness) }
        }
    }

    /// Sends a frame behind those that were given before.
    nonisolated func send(_ frame: WipedBytes, for call: PendingCall?) {
        PollLoop.shared.perform {
            self.assumeIsolated { $0.enqueue(frame, for: call) }
        }
    }

    nonisolated func close() {
        PollLoop.shared.perform {
            self.assumeIsolated { $0.end(.connectionLost) }
        }
    }

    private func enqueue(_ frame: WipedBytes, for call: PendingCall?) {
        guard channel != nil else {
            call?.fail(.connectionLost)
            return
        }
        if let call { waiting.append(Waiting(call: call, takesMore: call.takesMore)) }
        channel?.enqueue(frame)
        flush()
    }

    private func isReady(_ readiness: Readiness) {
        if readiness.contains(.write) { flush() }
        guard !readiness.isDisjoint(with: [.read, .hangUp]), let received = channel?.receive() else { return }
        do throws(ClientError) {
            while let frame = try nextFrame() { try take(Reply(frame)) }
            if received == .end { end(.connectionLost) }
        } catch { end(error) }
    }

    private func nextFrame() throws(ClientError) -> WipedBytes? {
        do { return try channel?.nextFrame() } catch { throw .malformedReply }
    }

    private func take(_ reply: Reply) throws(ClientError) {
        guard let first = waiting.first, first.takesMore || !reply.continues else { throw .malformedReply }
        if !reply.continues { waiting.removeFirst() }
        first.call?.take(reply)
    }

    private func flush() {
        guard channel?.flush() == true else { return end(.connectionLost) }
        watch?.change(channel?.unsent == 0 ? .read : [.read, .write])
    }

    private func end(_ error: ClientError) {
        watch?.cancel()
        watch = nil
        channel = nil
        for waiting in waiting { waiting.call?.fail(error) }
        waiting = []
    }
}
