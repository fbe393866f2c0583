package import Varlink

/// A digest of all enrolled templates of one user; the reply to `GetDigest`.
package struct EnrollmentDigest: Sendable {
    /// How digests are made now.
    package static let currentVersion = 1
    /// Bytes of a digest.
    package static let byteCount = 32

    package var digest: WipedBytes
    package var templates: Int
    package var version: Int

    package init(digest: WipedBytes, templates: Int, version: Int = currentVersion) {
        (self.digest, self.templates, self.version) = (digest, templates, version)
    }
}

extension EnrollmentDigest: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var digest: WipedBytes?
        var templates: Int?
        var version: Int?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "digest": digest = json.readNull() ? nil : try json.readBase64(limit: Self.byteCount)
            case "templates": templates = try json.readOptional()
            case "version": version = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(
            digest: try digest.required("digest"), templates: try templates.required("templates"),
            version: try version.required("version"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("digest", base64: digest)
            json.field("templates", templates)
            json.field("version", version)
        }
    }
}
