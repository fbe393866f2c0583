internal import BiologinAPI
internal import Glibc
internal import Varlink

/// How biologinctl talks to people:
///
/// 1. Answers go to standard output, everything else to standard error.
/// 2. A line on standard error begins with the program's name, in lower case and without a full stop.
/// 3. An error says first what failed; a hint below it says what can be done.
/// 4. Nothing is asked and nothing is shown that was not waited for.
/// 5. A secret is written only where it was asked for by name.
/// 6. Text of other programs is cleaned before it is shown to people (`PlainText`), and only then.
/// 7. Color is for terminals, and not where NO_COLOR is set.
/// 8. An answer that cannot be written is a failure.
enum Talk {
    /// An answer for people: the lines, each ended by a newline.
    static func answer(_ lines: [String]) throws(Failure) {
        try write(lines.map { $0 + "\n" }.joined())
    }

    /// An answer for programs: one line of JSON.
    static func answer(json value: some WireValue) throws(Failure) {
        let text = JSONWriter.text(value.write)
        try text.withBytes { bytes throws(Failure) in try write(bytes) }
        try write("\n")
    }

    /// Bytes as they are, to standard output.
    static func write(_ bytes: RawSpan) throws(Failure) {
        guard unsafe bytes.withUnsafeBytes({ unsafe put($0, on: STDOUT_FILENO) }) else {
            throw Failure(.cannotWrite, "standard output cannot be written: \(Terminal.lastError)")
        }
    }

    private static func write(_ text: String) throws(Failure) {
        try unsafe write(text.utf8Span.span.bytes)
    }

    /// What happens meanwhile.
    static func tell(_ text: String) {
        // Nobody could be told that standard error is closed.
        _ = unsafe "biologinctl: \(text)\n".utf8Span.span.bytes.withUnsafeBytes { unsafe put($0, on: STDERR_FILENO) }
    }

    /// What went wrong, and what can be done.
    static func complain(_ failure: Failure) {
        tell("\(paint("error:", "1;31")) \(PlainText(failure.message))")
        if let hint = failure.hint { tell("\(paint("hint:", "1")) \(PlainText(hint))") }
    }

    private static func paint(_ text: String, _ color: String) -> String {
        let isWanted =
            isatty(STDERR_FILENO) != 0 && (Terminal.variable("NO_COLOR") ?? "").isEmpty
            && Terminal.variable("TERM") != "dumb"
        return isWanted ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
    }

    /// False with errno set if not all could be written.
    private static func put(_ bytes: UnsafeRawBufferPointer, on descriptor: Int32) -> Bool {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            guard count >= 0 || errno == EINTR else { return false }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[max(count, 0)...])
        }
        return true
    }
}
