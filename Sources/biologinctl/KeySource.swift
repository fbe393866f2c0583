internal import BiologinClient
internal import Glibc

/// Where a login key is read from.
enum KeySource {
    case file(String)
    case standardInput

    /// The key: to the byte from a file or a pipe; typed at a terminal, without echo and without the newline.
    func read() async throws -> LoginKey {
        switch self {
        case .standardInput where isatty(STDIN_FILENO) != 0: return try await typed()
        case .standardInput: return try await all(of: STDIN_FILENO)
        case .file(let path):
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw Failure(.usage, "\(path): \(Terminal.lastError)")
            }
            defer { close(descriptor) }
            return try await all(of: descriptor)
        }
    }

    private func all(of descriptor: Int32) async throws -> LoginKey {
        let buffer = KeyBuffer()
        try await Interruption.during { interruption in
            repeat {
                try interruption.waitForInput(on: descriptor)
            } while try !buffer.isFull && buffer.read(from: descriptor)
        }
        return try buffer.key()
    }

    private func typed() async throws -> LoginKey {
        let buffer = KeyBuffer()
        try await Interruption.during { interruption in
            try Terminal.withoutEcho { keys in
                Talk.tell("type the login key, which is not shown, and Enter")
                while !buffer.isFull {
                    try interruption.waitForInput(on: STDIN_FILENO)
                    guard try buffer.read(from: STDIN_FILENO, atMost: 1) else { return }
                    switch buffer.last {
                    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), keys.endOfFile: return buffer.removeLast(1)
                    case keys.erase: buffer.removeLast(2)
                    case keys.kill: buffer.removeAll()
                    default: break
                    }
                }
            }
        }
        return try buffer.key()
    }
}
