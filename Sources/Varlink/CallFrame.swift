/// JSON, or not even that, which is no call.
struct NotACall: Error {}

/// A call as it came, its parameters not yet read.
struct CallFrame {
    let bytes: WipedBytes
    private(set) var method = ""
    private(set) var parameters: Range<Int>?
    private(set) var more = false
    private(set) var oneway = false
    private(set) var upgrade = false

    /// Takes a frame for a call: an object of a `method`, `parameters` that are an object or null, and flags, with nothing
    /// else in it.
    init(_ bytes: WipedBytes) throws(NotACall) {
        self.bytes = bytes
        do {
            try bytes.withBytes { bytes throws(any Error) in
                var reader = try JSONReader(validating: bytes.octets)
                try read(&reader)
            }
        } catch { throw NotACall() }
        // Nobody can be sent several replies and none.
        guard !method.isEmpty, !(more && oneway) else { throw NotACall() }
    }

    private mutating func read(_ reader: inout JSONReader) throws(ParameterError) {
        try reader.readObject { name, value throws(ParameterError) in
            switch name {
            case "method": method = try value.readString()
            case "parameters": parameters = try value.rangeOfObject()
            case "more": more = try value.readBool()
            case "oneway": oneway = try value.readBool()
            case "upgrade": upgrade = try value.readBool()
            default: throw ParameterError(name)
            }
        }
    }
}

extension JSONReader {
    /// Passes over an object, and says where it is; nil for null.
    mutating func rangeOfObject() throws(ParameterError) -> Range<Int>? {
        guard !readNull() else { return nil }
        guard peek() == "{" else { throw .mismatch }
        let start = position
        skip()
        return start..<position
    }
}

extension WipedBytes {
    /// Reads the object at that place of a text that was validated; `{}` where there is none.
    func readObject<R>(
        at place: Range<Int>?, _ read: (inout JSONReader) throws(ParameterError) -> R
    ) throws(ParameterError) -> R {
        guard let place else {
            let empty: InlineArray<2, UInt8> = [UInt8(ascii: "{"), UInt8(ascii: "}")]
            var reader = JSONReader(validated: empty.span)
            return try read(&reader)
        }
        return try withBytes { bytes throws(ParameterError) in
            var reader = JSONReader(validated: bytes.octets.extracting(place))
            return try read(&reader)
        }
    }
}
