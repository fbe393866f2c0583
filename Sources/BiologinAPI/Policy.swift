/// How the user may prove to be the owner of this computer.
public enum Policy: String, CaseIterable, Sendable {
    /// By biometrics alone.
    case deviceOwnerAuthenticationWithBiometrics
    /// By biometrics, or else by the login password.
    case deviceOwnerAuthentication
}

extension Policy: WireName {}
