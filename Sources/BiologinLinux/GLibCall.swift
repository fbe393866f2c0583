internal import CGio

/// A `GError` as a value.
package struct GLibError: Error, Equatable, Sendable, CustomStringConvertible {
    package let domain: String
    package let code: Int32
    package let message: String
    /// The D-Bus error's name, where the error came over a bus.
    package let remoteName: String?

    init(taking error: UnsafeMutablePointer<GError>) {
        let name = g_dbus_error_get_remote_error(error)
        if name != nil { g_dbus_error_strip_remote_error(error) }
        (domain, code) = (String(cString: g_quark_to_string(error.pointee.domain)), error.pointee.code)
        message = String(cString: error.pointee.message)
        remoteName = name.map { String(cString: $0) }
        g_free(name)
        g_error_free(error)
    }

    init(message: String, remoteName: String) {
        (domain, code, self.message, self.remoteName) = ("", 0, message, remoteName)
    }

    package var description: String { remoteName.map { "\($0): \(message)" } ?? message }
}

/// Why a call to GIO has no result.
package enum CallError: Error, Equatable, Sendable {
    case failed(GLibError)
    /// No answer within the deadline.
    case silent
    /// The task was cancelled, and the call was to be abandoned then.
    case cancelled
}

extension CallError {
    /// Whom the call was for is not there any more, or not the one that was meant.
    static let vanished = CallError.failed(
        GLibError(message: "the service is gone", remoteName: "org.freedesktop.DBus.Error.NameHasNoOwner"))

    /// Whether a D-Bus error of that name was the answer.
    func isRemote(_ name: String) -> Bool {
        if case .failed(let error) = self { error.remoteName == name } else { false }
    }
}

/// What becomes of a call when its task is cancelled.
package enum WhenCancelled: Equatable, Sendable {
    /// It ends as if nothing had happened.
    case carryOn
    /// It throws `cancelled` at once; whether the other side does what was asked is not known.
    case abandon
    /// It throws `cancelled` unless it ends within this time.
    case hurry(Duration)
}

/// Owns one reference to a GObject.
// Unchecked: reference counts are atomic, and only code on the GLib thread looks inside.
final class GObjectReference<Pointer>: @unchecked Sendable {
    let pointer: Pointer
    private let object: UnsafeMutableRawPointer

    convenience init(taking pointer: OpaquePointer) where Pointer == OpaquePointer {
        self.init(pointer, UnsafeMutableRawPointer(pointer))
    }

    convenience init<Instance>(taking pointer: UnsafeMutablePointer<Instance>)
    where Pointer == UnsafeMutablePointer<Instance> {
        self.init(pointer, UnsafeMutableRawPointer(pointer))
    }

    private init(_ pointer: Pointer, _ object: UnsafeMutableRawPointer) {
        (self.pointer, self.object) = (pointer, object)
    }

    deinit { g_object_unref(object) }
}

typealias GErrorSlot = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
typealias GIOFinish<Value> = @GLibThread (UnsafeMutablePointer<GObject>?, OpaquePointer, GErrorSlot) -> Value?

/// One asynchronous operation of GIO; throws `silent` when `limit` has passed, whatever the operation does.
///
/// `start` calls `foo_async(…, cancellable, callback, data)`; `finish` calls `foo_finish(source, result, &error)` from within
/// GIO's callback, and its nil means that the error is set. It is called even when nobody waits any more.
@GLibThread func callGIO<Value: Sendable>(
    within limit: Duration, whenCancelled: WhenCancelled = .carryOn,
    _ start: @GLibThread (UnsafeMutablePointer<GCancellable>, @escaping GAsyncReadyCallback, gpointer) -> Void,
    finish: @escaping GIOFinish<Value>
) async throws(CallError) -> Value {
    let call = Call(finish)
    let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            call.wait(continuation, within: limit)
            start(
                call.cancellable.pointer,
                { source, result, data in
                    let call = Unmanaged<AnyCall>.fromOpaque(data!).takeRetainedValue()
                    nonisolated(unsafe) let (source, result) = (source, result!)
                    GLibThread.assumeIsolated { call.complete(source, result) }
                }, Unmanaged.passRetained(call as AnyCall).toOpaque())
        }
    } onCancel: {
        GLibLoop.shared.perform { call.cancel(whenCancelled) }
    }
    return try result.get()
}

/// A C callback cannot be generic: it sees this class.
@GLibThread private class AnyCall {
    func complete(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer) {}
}

private final class Call<Value: Sendable>: AnyCall {
    let cancellable = GObjectReference(taking: g_cancellable_new())
    private let finish: GIOFinish<Value>
    private var continuation: CheckedContinuation<Result<Value, CallError>, Never>?
    private var timer: LoopSource?

    init(_ finish: @escaping GIOFinish<Value>) { self.finish = finish }

    func wait(_ continuation: CheckedContinuation<Result<Value, CallError>, Never>, within limit: Duration) {
        self.continuation = continuation
        timer = GLibLoop.shared.timer(after: limit) { [weak self] in self?.giveUp(.silent) }
    }

    override func complete(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer) {
        var error: UnsafeMutablePointer<GError>?
        if let value = finish(source, result, &error) {
            settle(.success(value))
        } else {
            settle(.failure(.failed(GLibError(taking: error!))))
        }
    }

    func cancel(_ whenCancelled: WhenCancelled) {
        guard continuation != nil else { return }
        switch whenCancelled {
        case .carryOn: break
        case .abandon: giveUp(.cancelled)
        case .hurry(let grace): timer = GLibLoop.shared.timer(after: grace) { [weak self] in self?.giveUp(.cancelled) }
        }
    }

    private func giveUp(_ reason: CallError) {
        settle(.failure(reason))
        g_cancellable_cancel(cancellable.pointer)
    }

    private func settle(_ result: Result<Value, CallError>) {
        continuation?.resume(returning: result)
        timer?.cancel()
        (continuation, timer) = (nil, nil)
    }
}
