/// What logind is asked.
extension Logind {
    func connect(_ deadline: Deadline) async throws(CallError) {
        try await connecting.pass { () async throws(CallError) in
            if let connection, !connection.isClosed { return }
            let made = try await bus.connection(within: deadline.remaining, whenCancelled: .abandon)
            nameSubscriptions = [
                made.onOwnerChange(of: LogindService.name) { [weak self] owner in self?.follow(owner, on: made) },
                made.onClose { [weak self] in self?.follow(nil, on: made) },
            ]
            let before = changes
            let owner = try await made.owner(
                of: LogindService.name, within: deadline.remaining, whenCancelled: .abandon)
            if changes == before { follow(owner, on: made) }
            connection = made
            suspendedClaims.connection = made
        }
    }

    func read(_ deadline: Deadline) async {
        while let service {
            let before = changes
            var read = facts
            do throws(CallError) {
                // From then on it is told.
                if read.isPreparingForSleep == nil {
                    read.isPreparingForSleep = try await service.isPreparingForSleep(deadline)
                }
                read.session = try await service.session(deadline)
                read.isShut = try await service.isShut(deadline)
                if case .unanswered = inhibitor { inhibitor = .wanted }
            } catch .cancelled {
                return
            } catch {
                read.forgetWhatChanges()
            }
            guard changes == before else { continue }
            isOld = false
            return learn(read)
        }
    }

    func takeInhibitor(_ deadline: Deadline) async {
        inhibitor = .none
        guard let service else { return }
        do {
            try await service.inhibitSleep(within: deadline.remaining) { taken in
                // Another logind, or sleep, may have been faster.
                guard service.owner == self.service?.owner, self.facts.isPreparingForSleep != true else { return }
                self.inhibitor = .held(taken)
            }
        } catch .silent {
            if case .none = inhibitor { inhibitor = .unanswered }
        } catch {
            // Refused: it sleeps without waiting for us.
        }
    }

    func wait() async {
        let timer =
            if service != nil, looksLeft > 0 {
                GLibLoop.shared.timer(after: Self.looks.interval) { [weak self] in self?.look() }
            } else { nil as LoopSource? }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting = $0 }
        } onCancel: {
            GLibLoop.shared.perform { self.wake() }
        }
        timer?.cancel()
    }

    private func look() {
        looksLeft -= 1
        isOld = true
        wake()
    }

    func wake() {
        waiting?.resume()
        waiting = nil
    }
}
