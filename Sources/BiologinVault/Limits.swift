/// What is sealed is at most this large, in bytes.
package enum Limits {
    package static let loginKey = 1...16_384
    package static let terms = 16_384
    package static let snapshot = 1...65_536
    package static let verifier = 64
    package static let profile = 1 << 20
    /// A sealed record of all that.
    package static let record = SealedRecord.sizeLimit
}
