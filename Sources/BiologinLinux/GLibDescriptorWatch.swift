internal import CGio

/// What can be done with a descriptor, or is to be waited for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Readiness(rawValue: 1)
    package static let write = Readiness(rawValue: 2)
    /// The other side is gone, or the descriptor is broken: told without being asked for.
    package static let hangUp = Readiness(rawValue: 4)

    fileprivate var condition: GIOCondition {
        GIOCondition((contains(.read) ? G_IO_IN.rawValue : 0) | (contains(.write) ? G_IO_OUT.rawValue : 0))
    }

    fileprivate init(_ condition: GIOCondition) {
        let bits = condition.rawValue
        self = []
        if bits & G_IO_IN.rawValue != 0 { insert(.read) }
        if bits & G_IO_OUT.rawValue != 0 { insert(.write) }
        if bits & (G_IO_HUP.rawValue | G_IO_ERR.rawValue | G_IO_NVAL.rawValue) != 0 { insert(.hangUp) }
    }
}

/// Watches a descriptor, which stays the caller's, until it is canceled or the last reference to it goes.
// Unchecked: constant, and used on the loop's thread only.
package final class DescriptorWatch: @unchecked Sendable {
    private let source: LoopSource
    private let tag: gpointer

    fileprivate init(_ source: LoopSource, tag: gpointer) { (self.source, self.tag) = (source, tag) }

    /// On the loop's thread only.
    package func change(_ interest: Readiness) {
        guard g_source_is_destroyed(source.source) == 0 else { return }
        g_source_modify_unix_fd(source.source, tag, interest.condition)
    }

    /// Before the descriptor is closed, and on the loop's thread only.
    package func cancel() { source.cancel() }
}

extension GLibLoop {
    /// Calls `ready` on the loop's thread as long as the descriptor is ready for something of `interest`, or hung up.
    package func watch(
        _ descriptor: Int32, _ interest: Readiness, _ ready: @escaping @Sendable (Readiness) -> Void
    ) -> DescriptorWatch {
        // The tag is known only after the source is made, and the handler needs it.
        nonisolated(unsafe) var tag: gpointer?
        let source = makeSource { source in
            ready(Readiness(g_source_query_unix_fd(source, tag)))
            return true
        }
        tag = g_source_add_unix_fd(source, descriptor, interest.condition)
        attach(source)
        return DescriptorWatch(LoopSource(taking: source), tag: tag!)
    }
}
