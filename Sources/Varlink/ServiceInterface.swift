/// `org.varlink.service`, which every server answers itself.
enum ServiceInterface {
    static let name = "org.varlink.service"

    static let description = """
        # The interface that every varlink service has: what the service is, and which interfaces it implements.
        interface org.varlink.service

        # What the service is, and the names of its interfaces.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The definition of one of its interfaces.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service has no such interface.
        error InterfaceNotFound (interface: string)

        # The interface has no such method.
        error MethodNotFound (method: string)

        # The interface has the method, the service does not implement it.
        error MethodNotImplemented (method: string)

        # A parameter is missing, unknown, or has a value that cannot be taken.
        error InvalidParameter (parameter: string)

        # The client may not do this.
        error PermissionDenied ()

        # The method must be called with `more`.
        error ExpectedMore ()

        """

    static let methods: Set<String> = ["GetInfo", "GetInterfaceDescription"]

    /// Answers a call of one of the two methods, for a service of those interfaces.
    static func answer(_ call: ServerCall, _ identity: Identity, _ interfaces: [Interface]) {
        do throws(ParameterError) {
            if call.method == "org.varlink.service.GetInfo" {
                try call.withParameters { reader throws(ParameterError) in
                    try reader.readObject { name, _ throws(ParameterError) in throw ParameterError(name) }
                }
                call.reply { write(identity, interfaces, to: &$0) }
            } else {
                let name = try call.withParameters(interfaceParameter)
                guard let interface = interfaces.first(where: { $0.name == name }) else {
                    return interfaceNotFound(name, call)
                }
                call.reply { writer in
                    writer.object { writer in
                        writer.name("description")
                        writer.string(interface.description)
                    }
                }
            }
        } catch { call.invalidParameter(error.name) }
    }

    /// Answers a call of a method that is not there.
    static func refuse(_ call: ServerCall, _ interfaces: [Interface]) {
        let name = call.method.lastIndex(of: ".").map { String(call.method[..<$0]) } ?? ""
        guard interfaces.contains(where: { $0.name == name }) else { return interfaceNotFound(name, call) }
        call.fail("org.varlink.service.MethodNotFound") { writer in
            writer.object { writer in
                writer.name("method")
                writer.string(call.method)
            }
        }
    }

    private static func interfaceNotFound(_ name: String, _ call: ServerCall) {
        call.fail("org.varlink.service.InterfaceNotFound") { writer in
            writer.object { writer in
                writer.name("interface")
                writer.string(name)
            }
        }
    }

    private static func interfaceParameter(_ reader: inout JSONReader) throws(ParameterError) -> String {
        var interface: String?
        try reader.readObject { name, value throws(ParameterError) in
            guard name == "interface" else { throw ParameterError(name) }
            interface = try value.readString()
        }
        guard let interface else { throw ParameterError("interface") }
        return interface
    }

    private static func write(_ identity: Identity, _ interfaces: [Interface], to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("vendor")
            writer.string(identity.vendor)
            writer.name("product")
            writer.string(identity.product)
            writer.name("version")
            writer.string(identity.version)
            writer.name("url")
            writer.string(identity.url)
            writer.name("interfaces")
            writer.array { writer in
                for interface in interfaces { writer.string(interface.name) }
            }
        }
    }
}
