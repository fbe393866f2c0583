extension RawSpan {
    /// The same bytes, one by one.
    public var octets: Span<UInt8> {
        @_lifetime(copy self) get { Span(_bytes: self) }
    }
}

extension Span<UInt8> {
    /// The same bytes, for those who take any bytes.
    var raw: RawSpan {
        @_lifetime(copy self) get { unsafe bytes }
    }
}
