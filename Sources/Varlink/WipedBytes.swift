/// Bytes that may hold a secret: shared without a copy, and overwritten when the last owner lets go.
public final class WipedBytes: Sendable {
    private let buffer: WipedBuffer

    /// A copy of the bytes.
    public init(copying bytes: RawSpan) {
        var buffer = WipedBuffer(capacity: bytes.byteCount)
        buffer.append(bytes)
        self.buffer = buffer
    }

    /// Takes the buffer's bytes over, without a copy.
    init(_ buffer: consuming WipedBuffer) { self.buffer = buffer }

    /// How many there are.
    public var count: Int { buffer.count }

    /// Lends the bytes for the time of the call.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try buffer.withBytes(body)
    }
}

extension WipedBytes: CustomStringConvertible, CustomReflectable {
    /// The word "redacted".
    public var description: String { "redacted" }
    /// Empty: a dump shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
