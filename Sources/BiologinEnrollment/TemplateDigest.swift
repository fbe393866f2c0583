package import BiologinAPI
import BiologinVault

/// Digests what fprintd keeps, with a key that is made at first use.
package struct TemplateDigest: Sendable {
    /// fprintd may be writing: so often it is read again before that is an error.
    private static let readingLimit = 8

    private let templates: String
    private let keyFile: SymmetricKeyFile

    /// - Parameters:
    ///   - templates: the directory where fprintd keeps the templates of all users.
    ///   - state: the directory where the key is; only its owner may be able to write there.
    package init(templates: String, state: String) {
        self.templates = templates
        keyFile = .digestKey(in: state)
    }

    /// The digest of all templates of a user, from two readings in a row that found the same.
    package func digest(of uid: UInt32) throws(EnrollmentFailure) -> (digest: [UInt8], templates: Int) {
        let user = try UserName(uid), key = try key()
        let reading = try Self.settled { () throws(EnrollmentFailure) in
            try TemplateReading(of: user, in: templates, key: key)
        }
        return (reading.digest(of: user, key: key), reading.templates.count)
    }

    /// What `read` returns twice in a row.
    static func settled<Reading: Equatable>(
        _ read: () throws(EnrollmentFailure) -> Reading
    ) throws(EnrollmentFailure) -> Reading {
        var last: Reading?
        for _ in 0..<readingLimit {
            let next: Reading?
            do { next = try read() } catch .templatesChanging { next = nil }
            if let next, next == last { return next }
            last = next
        }
        throw .templatesChanging
    }

    func key() throws(EnrollmentFailure) -> SecretBytes {
        do throws(KeyFileError) {
            return try keyAfterFirstUse()
        } catch {
            throw .keyUnavailable(error.reason(keyFile.name))
        }
    }

    private func keyAfterFirstUse() throws(KeyFileError) -> SecretBytes {
        do { return try keyFile.read() } catch .missing { try keyFile.prepare(create: true) }
        return try keyFile.read()
    }
}
