/// One reply of a server, its parameters not yet read.
public struct Reply: Sendable {
    /// Whether another one follows.
    public private(set) var continues = false
    private(set) var error: String?
    private var parameters: Range<Int>?
    private let bytes: WipedBytes

    /// Takes a frame for a reply.
    init(_ bytes: WipedBytes) throws(ClientError) {
        self.bytes = bytes
        do {
            try bytes.withBytes { bytes throws(any Error) in
                var reader = try JSONReader(validating: bytes.octets)
                try read(&reader)
            }
        } catch { throw .malformedReply }
        guard !(continues && error != nil) else { throw .malformedReply }
    }

    private mutating func read(_ reader: inout JSONReader) throws(ParameterError) {
        try reader.readObject { name, value throws(ParameterError) in
            switch name {
            case "parameters": parameters = try value.rangeOfObject()
            case "continues": continues = try value.readBool()
            case "error": error = try value.readString()
            default: throw ParameterError(name)
            }
        }
    }

    /// Reads the parameters; missing ones are an empty object.
    public func read<R>(
        _ read: (inout JSONReader) throws(ParameterError) -> R
    ) throws(ParameterError) -> R { try bytes.readObject(at: parameters, read) }
}

/// Why a call has no reply.
public enum ClientError: Error, Sendable {
    /// Nobody can be connected to there; the error number of connect(2).
    case noServer(Int32)
    /// The connection was closed before the last reply, by the server or on this side.
    case connectionLost
    /// What came is no reply, or larger than the limit; the connection was closed.
    case malformedReply
    /// The server's own error, with its full name and its parameters.
    case error(name: String, parameters: Reply)
}
