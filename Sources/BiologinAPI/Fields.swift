internal import Varlink

extension JSONReader {
    /// A field that may be left out: null is as good as absent.
    mutating func readOptional<Value: WireValue>() throws(ParameterError) -> Value? {
        readNull() ? nil : try Value(from: &self)
    }

    /// A login key in base64, straight from the frame.
    mutating func readKey() throws(ParameterError) -> WipedBytes? {
        readNull() ? nil : try readBase64(limit: Open.loginKeyLimit)
    }

    /// An object of the login server's own making, as it is written.
    mutating func readSession() throws(ParameterError) -> WipedBytes? {
        guard !readNull() else { return nil }
        let text = readRaw()
        guard text.withBytes({ unsafe $0.unsafeLoad(as: UInt8.self) }) == UInt8(ascii: "{") else {
            throw ParameterError("")
        }
        return text
    }
}

extension JSONWriter {
    mutating func field(_ name: StaticString, _ value: (some WireValue)?) {
        guard let value else { return }
        self.name(name)
        value.write(to: &self)
    }

    mutating func field(_ name: StaticString, base64 key: WipedBytes?) {
        guard let key else { return }
        self.name(name)
        key.withBytes { base64($0) }
    }

    mutating func field(_ name: StaticString, json text: WipedBytes?) {
        guard let text else { return }
        self.name(name)
        text.withBytes { raw($0) }
    }
}

extension Optional {
    /// The value of a required field; throws `ParameterError` with its name where it is missing.
    func required(_ name: String) throws(ParameterError) -> Wrapped {
        guard let self else { throw ParameterError(name) }
        return self
    }
}
