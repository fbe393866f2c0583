/// The contract of the daemon: what `org.varlink.service.GetInterfaceDescription` answers, and the names in it.
package enum LoginInterface {
    /// The interface's name.
    package static let name = "org.biologin.Login"

    /// The interface definition, byte for byte as it is installed.
    package static let description = String(decoding: PackageResources.org_biologin_Login_varlink, as: UTF8.self)

    /// The methods, by their names in the interface definition.
    package enum Method: String, CaseIterable, Sendable {
        case getStatus = "GetStatus"
        case getSupport = "GetSupport"
        case isEnabled = "IsEnabled"
        case getUserInfo = "GetUserInfo"
        case updateUserInfo = "UpdateUserInfo"
        case open = "Open"
        case login = "Login"
        case close = "Close"
        case rekey = "Rekey"
        case list = "List"
        case monitor = "Monitor"

        /// The name a call is sent under: "org.biologin.Login.Open".
        package var qualifiedName: String { "\(LoginInterface.name).\(rawValue)" }

        /// Nil if `qualifiedName` names no method of this interface.
        package init?(qualifiedName: String) {
            guard let method = Self.allCases.first(where: { $0.qualifiedName == qualifiedName }) else { return nil }
            self = method
        }
    }
}
