/// What a lock, a closed lid and sleep do to what is under way.
extension LoginManager {
    /// As last heard.
    var seatState: SeatState { seat?.known ?? .usable }

    /// Throws why nobody can be asked, in the words for that policy. What was not heard of may be over: nobody tells that a
    /// lid was opened.
    func checkSeat(_ policy: Policy) async throws(LoginError) {
        switch seatState {
        case .usable: return
        case .sleeping: throw .systemCancel
        case .notLocal, .inaccessible:
            do throws(LoginError) { try await seat?.current().check() } catch {
                throw policy == .biometrics ? error : error.withoutBiometrics
            }
        }
    }

    func followSeat() async {
        guard let seat else { return }
        for await event in seat.events() {
            switch event {
            case .sleeping(let delay):
                operations.revokeAll(by: .systemCancel)
                // With the last operation the last reader is released and the last login key wiped: none outlives its call.
                await untilIdle()
                delay.end()
            case .changed(.usable): break
            case .changed: operations.revokeAll(by: .systemCancel)
            }
            watchers.tell(.support, nil)
        }
    }

    private func untilIdle() async {
        let (idle, call) = AsyncStream<Never>.makeStream()
        operations.whenIdle { call.finish() }
        for await _ in idle {}
    }
}
