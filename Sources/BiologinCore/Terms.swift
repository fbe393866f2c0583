/// What is sealed together with a key: under which policy it may be released.
struct Terms: Equatable {
    /// The first byte of `packed`; terms with more in them get another number.
    private static let format: UInt8 = 1

    let policy: Policy

    init(policy: Policy) { self.policy = policy }

    /// Nil for anything that this version does not know.
    init?(packed: [UInt8]) {
        guard packed.count == 2, packed[0] == Self.format, let policy = Policy(rawValue: packed[1]) else { return nil }
        self.policy = policy
    }

    var packed: [UInt8] { [Self.format, policy.rawValue] }
}
