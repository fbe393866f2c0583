package import BiologinAPI
package import Varlink

/// Answers the calls of `org.biologin.Enrollment`: to everybody, and about himself alone.
package struct EnrollmentService: Service {
    package let identity = Identity(
        vendor: "Biologin", product: "biologin-enrollmentd", version: Version.current, url: "https://biologin.org")
    package let interfaces = [
        Interface(
            name: EnrollmentInterface.name, description: EnrollmentInterface.description,
            methods: Set(EnrollmentInterface.Method.allCases.map(\.rawValue)))
    ]

    private let digest: TemplateDigest
    private let log: @Sendable (EnrollmentFailure) -> Void

    /// `log` is told why somebody had no answer.
    package init(digest: TemplateDigest, log: @escaping @Sendable (EnrollmentFailure) -> Void) {
        (self.digest, self.log) = (digest, log)
    }

    package func admit(_ peer: Peer) -> Bool { true }

    package func handle(_ call: ServerCall) async {
        guard let method = EnrollmentInterface.Method(qualifiedName: call.method) else {
            return call.methodNotImplemented()
        }
        switch method {
        case .getDigest: getDigest(call)
        }
    }

    private func getDigest(_ call: ServerCall) {
        do { try call.withParameters { json throws(ParameterError) in _ = try Nothing(from: &json) } } catch {
            return call.invalidParameter(error.name)
        }
        do {
            let (bytes, templates) = try digest.digest(of: call.peer.uid)
            let reply = EnrollmentDigest(digest: WipedBytes(copying: bytes.span.bytes), templates: templates)
            call.reply { reply.write(to: &$0) }
        } catch {
            log(error)
            call.fail(error.qualifiedName) { error.write(to: &$0) }
        }
    }
}
