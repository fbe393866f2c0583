internal import CGio

/// A moment by the monotonic clock, for several calls that share one limit.
struct Deadline: Sendable {
    private let microseconds: gint64

    init(in limit: Duration) { microseconds = g_get_monotonic_time() + gint64(limit.microseconds) }

    /// Zero once it has passed.
    var remaining: Duration { .microseconds(max(0, microseconds - g_get_monotonic_time())) }
}
