internal import BiologinCore

/// What logind tells.
extension Logind {
    /// Nobody's word counts but that of the owner of the name.
    func follow(_ owner: String?, on connection: BusConnection) {
        changes += 1
        service = owner.map { LogindService(connection: connection, owner: $0) }
        subscriptions = service.map(subscriptions(to:)) ?? []
        isOld = owner != nil
        learn(LogindFacts())
        inhibitor = owner == nil ? .none : .wanted
        wake()
    }

    private func subscriptions(to service: LogindService) -> [BusSubscription] {
        let any = { BusObject(destination: service.owner, path: nil, interface: $0) }
        let connection = service.connection
        return [
            connection.onSignal("PrepareForSleep", of: service.manager) { [weak self] arguments in
                self?.hear { $0.isPreparingForSleep = arguments[0]?.bool ?? false }
            },
            connection.onSignal("SessionNew", of: service.manager) { [weak self] _ in self?.hear() },
            connection.onSignal("SessionRemoved", of: service.manager) { [weak self] _ in self?.hear() },
            connection.onSignalWithPath("PropertiesChanged", of: any("org.freedesktop.DBus.Properties")) {
                [weak self] path, arguments in
                // The display session of a user is another one from now on.
                if path.hasPrefix("/org/freedesktop/login1/user/") { self?.hear() }
                let session = self?.facts.session?.path
                guard session == path || session == nil else { return }
                self?.hear { $0.session?.learn(arguments[1]) }
            },
            connection.onSignalWithPath("Lock", of: any(LogindSession.interface)) { [weak self] path, _ in
                guard path == self?.facts.session?.path else { return }
                // The desktop is asked to lock, and will say when it has.
                self?.sink.yield(.changed(.notLocal))
            },
        ]
    }

    /// Something happened, of which `change` is known, and the rest is to be asked for.
    private func hear(_ change: (inout LogindFacts) -> Void = { _ in }) {
        changes += 1
        isOld = true
        var new = facts
        change(&new)
        learn(new)
        wake()
    }

    func learn(_ new: LogindFacts) {
        let old = facts.state
        facts = new
        state.withLock { $0 = new.state }
        guard new.state != old else { return }
        if new.state == .sleeping {
            suspendedClaims.begin()
            sink.yield(.sleeping(LogindSleepDelay(inhibitor.descriptor)))
            inhibitor = .none
        } else {
            if old == .sleeping {
                inhibitor = .wanted
                suspendedClaims.end()
            }
            sink.yield(.changed(new.state))
        }
        wake()
    }
}
