/// Why the vault gave nothing out. Of a record that changed, nothing is ever released.
package enum VaultError: Error, Equatable, Sendable {
    /// Changed, cut, made by somebody else, or bound to something else.
    case damaged
    /// Made by another version of this program.
    case unknownVersion
    /// Another generation than the one asked for.
    case rolledBack
    /// Whole, but sealed under other enrolled templates.
    case templatesChanged
    /// The device key cannot be had, is not the one sealed to, or is refused; says why, for the log.
    case deviceKeyUnavailable(String)
    /// The profile key cannot be had or is refused; says why, for the log.
    case profileKeyUnavailable(String)
    /// The collection password cannot be had or is refused; says why, for the log.
    case collectionPasswordUnavailable(String)
    /// A value that was to be sealed is empty or too large; names it.
    case limitExceeded(String)
    /// No guarded memory is left.
    case noMemory
}
