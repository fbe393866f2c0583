import Foundation

/// A varlink client of the tests' own, which knows nothing of the product's: sockets, NULs and JSONSerialization.
final class RawClient: @unchecked Sendable {
    struct Gone: Error {}

    // One task uses a client at a time.
    private let descriptor: Int32
    private var received: [UInt8] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Gone() }
        var limit = timeval(tv_sec: 40, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(raw bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ method: String, _ parameters: [String: Any]? = nil, more: Bool = false, oneway: Bool = false) throws {
        var call: [String: Any] = ["method": method.contains(".") ? method : "org.biologin.Login.\(method)"]
        call["parameters"] = parameters
        if more { call["more"] = true }
        if oneway { call["oneway"] = true }
        send(raw: Array(try JSONSerialization.data(withJSONObject: call)) + [0])
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next message; throws `Gone` when the connection has ended.
    func receive() async throws -> Message {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(with: Result { try receiveNow() }) }
        }
    }

    /// What ends the call that runs.
    func receiveLast() async throws -> Message {
        while true {
            let message = try await receive()
            if !message.continues { return message }
        }
    }

    private func receiveNow() throws -> Message {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = received.firstIndex(of: 0) {
                let frame = Data(received[..<end])
                received.removeSubrange(...end)
                guard let object = try JSONSerialization.jsonObject(with: frame) as? [String: Any] else { throw Gone() }
                return Message(object)
            }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw Gone() }
            received += chunk[..<count]
        }
    }

    func call(_ method: String, _ parameters: [String: Any]? = nil, more: Bool = false) async throws -> Message {
        try send(method, parameters, more: more)
        return try await receive()
    }
}

/// A reply, or an error.
struct Message: @unchecked Sendable {
    // JSONSerialization's values are constant once made.
    let object: [String: Any]

    init(_ object: [String: Any]) { self.object = object }

    var error: String? { (object["error"] as? String)?.replacingOccurrences(of: "org.biologin.Login.", with: "") }
    var continues: Bool { object["continues"] as? Bool ?? false }
    var parameters: [String: Any] { object["parameters"] as? [String: Any] ?? [:] }
    var code: Int? { parameters["code"] as? Int }
    /// The name of a wrong parameter.
    var parameter: String? { parameters["parameter"] as? String }
    var progress: String? { (parameters["progress"] as? [String: Any])?["state"] as? String }
    var key: [UInt8]? { (parameters["loginKey"] as? String).flatMap { Data(base64Encoded: $0) }.map { Array($0) } }
}
