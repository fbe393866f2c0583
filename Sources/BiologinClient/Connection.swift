internal import BiologinAPI
internal import Glibc
internal import Varlink

/// A connection to the daemon, for one call.
struct Connection: Sendable {
    private let client: Client

    /// `path` nil is the socket that the daemon listens on by default.
    init(to path: String?) async throws(BiometricLoginError) {
        guard let path = path ?? Self.defaultPath else {
            throw BiometricLoginError(
                .notRunning, "XDG_RUNTIME_DIR is not set: it is where biologind listens",
                remedy: "set it, or name the socket")
        }
        do { client = try await Client.connect(to: path) } catch { throw BiometricLoginError(error) }
    }

    private static var defaultPath: String? {
        guard let directory = unsafe getenv("XDG_RUNTIME_DIR") else { return nil }
        return unsafe String(cString: directory) + "/biologin/" + LoginInterface.name
    }

    func close() { client.close() }

    /// The one reply to a call.
    func reply<Value: WireValue>(to call: Call) async throws(BiometricLoginError) -> Value {
        let reply: Reply
        do { reply = try await client.call(call.method.qualifiedName, call.write) } catch {
            throw BiometricLoginError(error)
        }
        return try reply.value()
    }

    /// The replies to a call with `more`.
    func replies(to call: Call) -> Replies { client.callMore(call.method.qualifiedName, call.write) }
}

extension Reply {
    /// The parameters as a value of the interface.
    func value<Value: WireValue>() throws(BiometricLoginError) -> Value {
        do { return try read { json throws(ParameterError) in try Value(from: &json) } } catch {
            throw .notUnderstood
        }
    }
}
