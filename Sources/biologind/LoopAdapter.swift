import BiologinLinux
import Varlink

/// The GLib loop, as the varlink server asks for it.
struct LoopAdapter: EventLoop {
    func watch(
        _ descriptor: Int32, _ interest: Varlink.Readiness, _ ready: @escaping @Sendable (Varlink.Readiness) -> Void
    ) -> any Watch {
        DescriptorWatchAdapter(
            watch: GLibLoop.shared.watch(descriptor, BiologinLinux.Readiness(rawValue: interest.rawValue)) {
                ready(Varlink.Readiness(rawValue: $0.rawValue))
            })
    }
}

private struct DescriptorWatchAdapter: Watch {
    let watch: DescriptorWatch

    func change(_ interest: Varlink.Readiness) { watch.change(BiologinLinux.Readiness(rawValue: interest.rawValue)) }
    func cancel() { watch.cancel() }
}
