// What a connection goes through, from readiness to reply.
extension Server {
    func connection(_ id: ConnectionID, isReady readiness: Readiness) {
        guard let connection = connections[id] else { return }
        if readiness.contains(.hangUp) {
            hangUp(id, connection)
        } else {
            if readiness.contains(.read), connection.state == .open, connection.channel.receive() == .end {
                connection.state = .ended
            }
            if readiness.contains(.write) { flush(id, connection) }
        }
        startCalls(id)
    }

    /// Sends a message now, or with what the other calls of the same read write; traps unless on the executor, since only
    /// there it keeps its place among the others.
    nonisolated func send(_ message: WipedBytes, on id: ConnectionID) {
        assumeIsolated { $0.enqueue(message, on: id) }
    }

    /// Closes the connection once everything written has left; now if the server stops, since the client may never read.
    func closeAfterFlush(_ id: ConnectionID) {
        guard let connection = connections[id] else { return }
        if connection.state != .gone { connection.state = .closing }
        flush(id, connection)
        if connection.state == .gone || connection.channel.unsent == 0 || isStopping { drop(id) }
    }

    private func enqueue(_ message: WipedBytes, on id: ConnectionID) {
        guard let connection = connections[id], connection.state != .gone else { return }
        guard connection.channel.unsent <= Self.unsentLimit else { return drop(id) }
        connection.channel.enqueue(message)
        if !connection.isStarting || connection.channel.unsent > Self.unsentBeforeNextCall { flush(id, connection) }
    }

    private func flush(_ id: ConnectionID, _ connection: ServerConnection) {
        guard connection.state != .gone, connections[id] === connection else { return }
        if connection.channel.flush() {
            connection.watchForInterest()
        } else {
            // Not only a hang-up does that: the client may have shut down its reading side alone.
            hangUp(id, connection)
            startCalls(id)
        }
    }

    /// Takes what the client has sent before it closed, and ends the call it no longer waits for.
    private func hangUp(_ id: ConnectionID, _ connection: ServerConnection) {
        guard connection.state != .closing else { return drop(id) }
        guard connection.state != .gone else { return }
        while connection.channel.receive() == .bytes {
            // Who has only stopped reading could go on writing for ever.
            guard connection.channel.unread <= Self.frameLimit else { return drop(id) }
        }
        connection.state = .gone
        connection.watch?.cancel()
        connection.running?.task?.cancel()
    }

    /// Starts one call after the other as long as their handlers return at once.
    private func startCalls(_ id: ConnectionID) {
        guard let connection = connections[id], !connection.isStarting else { return }
        connection.isStarting = true
        var isOver = connection.state == .closing || isStopping
        while !isOver, connection.isReady {
            do {
                guard let frame = try connection.channel.nextFrame() else {
                    isOver = connection.state != .open
                    break
                }
                start(try CallFrame(frame), on: id, connection)
            } catch { isOver = true }
        }
        connection.isStarting = false
        if isOver, connection.running == nil { closeAfterFlush(id) } else { flush(id, connection) }
    }

    private func start(_ frame: CallFrame, on id: ConnectionID, _ connection: ServerConnection) {
        if connection.state == .gone, !frame.oneway { return }
        let call = ServerCall(frame, from: connection.peer, on: id, of: self)
        guard methods.contains(frame.method) else { return ServiceInterface.refuse(call, interfaces) }
        // The other protocol that the client would speak from now on does not exist.
        guard !frame.upgrade else { return call.methodNotImplemented() }
        guard !frame.method.hasPrefix("org.varlink.service.") else {
            return ServiceInterface.answer(call, identity, interfaces)
        }
        connection.running = ServerConnection.Running(call: call)
        // It runs here, up to where it first waits.
        let task = Task.immediate {
            await service.handle(call)
            finish(call, on: id)
        }
        connection.running?.task = task
        // It may have written more than the client had read.
        if connections[id] !== connection { task.cancel() }
    }

    private func finish(_ call: ServerCall, on id: ConnectionID) {
        guard let connection = connections[id] else { return }
        connection.running = nil
        if !call.isAnswered, !call.oneway, connection.state != .gone {
            assertionFailure("\(call.method) was not answered")
            connection.state = .closing
        }
        startCalls(id)
    }
}
