/// All that is kept of an account outside the Secret Service: enough to show its card and to know what its key is bound
/// to, and never the key.
package struct Profile: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case enabled
        /// Not to be released again. `nil`: why is not known.
        case invalidated(TemplateChange?)
    }

    package let id: AccountID
    /// The generation of the record that belongs to this profile.
    package let generation: UInt64
    package var state: State
    package var userInfo: UserInfo
    package let policy: Policy
    /// As it was when the record was sealed.
    package let enrollment: Enrollment
    /// How surely a change of it is noticed: what the record is bound to.
    package let detection: ChangeDetection
    package let openedBy: Caller
    package let openedAt: Timestamp
    package var lastLoginAt: Timestamp?

    /// The account's policy, or one that lets in less. Throws `notPermitted` for one that lets in more.
    func policy(narrowedTo narrower: Policy?) throws(LoginError) -> Policy {
        guard let narrower else { return policy }
        guard narrower.isWithin(policy) else { throw .notPermitted("the account was opened for biometrics alone") }
        return narrower
    }

    /// The same account, its key sealed again under what is known of the templates now.
    func sealedAnew(_ enrollment: Enrollment, generation: UInt64) -> Profile {
        Profile(
            id: id, generation: generation, state: state, userInfo: userInfo, policy: policy, enrollment: enrollment,
            detection: enrollment.detection, openedBy: openedBy, openedAt: openedAt, lastLoginAt: lastLoginAt)
    }

    package init(
        id: AccountID, generation: UInt64, state: State, userInfo: UserInfo, policy: Policy, enrollment: Enrollment,
        detection: ChangeDetection,
        openedBy: Caller, openedAt: Timestamp, lastLoginAt: Timestamp?
    ) {
        (self.id, self.generation, self.state, self.userInfo) = (id, generation, state, userInfo)
        (self.policy, self.enrollment, self.detection) = (policy, enrollment, detection)
        self.openedBy = openedBy
        (self.openedAt, self.lastLoginAt) = (openedAt, lastLoginAt)
    }
}
