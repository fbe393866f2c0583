public import BiologinAPI
internal import Varlink

/// A verification of the user. It starts when its progress or its value is first waited for.
///
/// Canceling a task that waits for either ends it, and the reader is free again.
public actor Attempt<Value: Sendable> {
    private enum State {
        case running(Replies.Iterator?)
        case over(Result<Value, BiometricLoginError>)
    }

    private let call: Call
    private let step: @Sendable (Reply) throws(BiometricLoginError) -> Step<Value>
    private let line: Line
    private var state = State.running(nil)
    private var unseen: [Progress] = []
    /// Whether a task waits for a reply; the others wait for it.
    private var isReading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init<Wire: WireValue>(_ call: Call, at socket: String?, step: @escaping @Sendable (Wire) -> Step<Value>?) {
        self.call = call
        line = Line(to: socket)
        self.step = { reply throws(BiometricLoginError) in
            guard let step = step(try reply.value()), step.isLast != reply.continues else { throw .notUnderstood }
            return step
        }
    }

    /// What to show while it runs. The sequence ends once, when there is a value or an error, and never throws.
    public nonisolated var progress: AttemptProgress<Value> { AttemptProgress(attempt: self) }

    /// The result, whether or not anybody looks at the progress.
    public var value: Value {
        get async throws(BiometricLoginError) {
            while true {
                if case .over(let result) = state { return try result.get() }
                await wait()
            }
        }
    }

    /// Ends it: whoever waits gets an error that is `canceled`, unless the value is there already.
    public nonisolated func cancel() { line.close() }

    func nextProgress() async -> Progress? {
        while true {
            if !unseen.isEmpty { return unseen.removeFirst() }
            if case .over = state { return nil }
            await wait()
        }
    }

    /// Waits until there is something new.
    private func wait() async {
        await withTaskCancellationHandler {
            guard !isReading else { return await withCheckedContinuation { waiting.append($0) } }
            isReading = true
            await advance()
            isReading = false
            for waiting in waiting { waiting.resume() }
            waiting = []
        } onCancel: {
            line.close()
        }
    }

    /// Takes the next reply.
    private func advance() async {
        do throws(BiometricLoginError) {
            guard case .running(var replies) = state else { return }
            if replies == nil { replies = try await line.open().replies(to: call).makeAsyncIterator() }
            let reply: Reply?
            do throws(ClientError) { reply = try await replies?.next() } catch { throw BiometricLoginError(error) }
            switch try reply.map(step) {
            case .progress(let progress):
                unseen.append(progress)
                state = .running(replies)
            case .end(let value): end(.success(value))
            case nil: throw .notUnderstood
            }
        } catch {
            end(.failure(line.isClosed ? .canceled : error))
        }
    }

    private func end(_ result: Result<Value, BiometricLoginError>) {
        state = .over(result)
        line.close()
    }
}

/// What one reply to a verification says.
enum Step<Value: Sendable>: Sendable {
    case progress(Progress)
    case end(Value)

    var isLast: Bool {
        switch self {
        case .progress: false
        case .end: true
        }
    }
}

/// The progress of an attempt, in order. Each step is seen once, by whoever asks first.
public struct AttemptProgress<Value: Sendable>: AsyncSequence, Sendable {
    fileprivate let attempt: Attempt<Value>

    /// Hands out the steps.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let attempt: Attempt<Value>

        /// The next step; nil, and nil for ever, when the attempt is over.
        public mutating func next() async -> Progress? { await attempt.nextProgress() }

        /// The same.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Progress? {
            await attempt.nextProgress()
        }
    }

    /// Goes on where the last iterator ended.
    public func makeAsyncIterator() -> Iterator { Iterator(attempt: attempt) }
}
