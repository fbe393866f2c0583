/// The contract of the system service that digests enrolled templates, and the names in it.
package enum EnrollmentInterface {
    /// The interface's name.
    package static let name = "org.biologin.Enrollment"

    /// The interface definition, byte for byte as it is installed.
    package static let description = String(decoding: PackageResources.org_biologin_Enrollment_varlink, as: UTF8.self)

    /// Where the service listens.
    package static let socket = "/run/biologin-enrollment/org.biologin.Enrollment"

    /// The methods, by their names in the interface definition.
    package enum Method: String, CaseIterable, Sendable {
        case getDigest = "GetDigest"

        /// The name a call is sent under.
        package var qualifiedName: String { "\(EnrollmentInterface.name).\(rawValue)" }

        /// Nil if `qualifiedName` names no method of this interface.
        package init?(qualifiedName: String) {
            guard let method = Self.allCases.first(where: { $0.qualifiedName == qualifiedName }) else { return nil }
            self = method
        }
    }
}
