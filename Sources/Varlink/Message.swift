/// The frames of the protocol, their NUL included.
enum Message {
    /// What the two sides agree on beside the text of the call.
    enum Kind { case single, more, oneway }

    static func call(_ method: String, _ kind: Kind, _ parameters: (inout JSONWriter) -> Void) -> WipedBytes {
        frame { writer in
            writer.name("method")
            writer.string(method)
            writeParameters(parameters, to: &writer)
            switch kind {
            case .single: break
            case .more: writeTrue("more", to: &writer)
            case .oneway: writeTrue("oneway", to: &writer)
            }
        }
    }

    static func reply(continues: Bool = false, _ parameters: (inout JSONWriter) -> Void) -> WipedBytes {
        frame { writer in
            writeParameters(parameters, to: &writer)
            if continues { writeTrue("continues", to: &writer) }
        }
    }

    static func error(_ name: String, _ parameters: (inout JSONWriter) -> Void) -> WipedBytes {
        frame { writer in
            writer.name("error")
            writer.string(name)
            writeParameters(parameters, to: &writer)
        }
    }

    private static func frame(_ fields: (inout JSONWriter) -> Void) -> WipedBytes {
        var writer = JSONWriter()
        writer.object(fields)
        return writer.finish(with: 0)
    }

    private static func writeTrue(_ name: StaticString, to writer: inout JSONWriter) {
        writer.name(name)
        writer.bool(true)
    }

    /// Who writes nothing has no parameters.
    private static func writeParameters(_ parameters: (inout JSONWriter) -> Void, to writer: inout JSONWriter) {
        writer.name("parameters")
        let before = writer.count
        parameters(&writer)
        if writer.count == before { writer.object { _ in } }
    }
}
