package import BiologinCore
internal import CSystemd
internal import Glibc

/// The journal, with fields to search by, if standard error goes there; otherwise one line an event on standard error.
package struct SystemdJournal: Journal {
    private let isConnected: Bool

    /// - Parameter stream: what `JOURNAL_STREAM` says, see systemd.exec(5).
    package init(stream: String? = getenv("JOURNAL_STREAM").map { String(cString: $0) }) {
        var status = stat()
        isConnected = fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }

    package func record(_ event: JournalEvent) {
        if !isConnected || !send(event.fields) { write(event.line) }
    }

    /// A value may hold anything, newlines included: only the first "=" counts.
    private func send(_ fields: [(name: String, value: String)]) -> Bool {
        let texts = fields.map { Array("\($0.name)=\($0.value)".utf8) }
        let vectors = texts.map { text in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
            copy.copyBytes(from: text)
            return iovec(iov_base: copy.baseAddress, iov_len: copy.count)
        }
        defer { for vector in vectors { vector.iov_base.deallocate() } }
        return sd_journal_sendv(vectors, Int32(vectors.count)) >= 0
    }

    private func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

extension JournalEvent {
    /// The fields of systemd.journal-fields(7), and ours.
    var fields: [(name: String, value: String)] {
        var fields = [
            ("MESSAGE", message), ("MESSAGE_ID", kind.messageID), ("PRIORITY", kind.priority),
            ("SYSLOG_IDENTIFIER", "biologind"), ("BIOLOGIN_EVENT", kind.rawValue),
        ]
        if let account { fields.append(("BIOLOGIN_ACCOUNT", "\(account)")) }
        if let caller {
            fields.append(("BIOLOGIN_CALLER_PID", "\(caller.pid)"))
            if let executable = caller.executable { fields.append(("BIOLOGIN_CALLER_EXE", executable)) }
            if let unit = caller.unit { fields.append(("BIOLOGIN_CALLER_UNIT", unit)) }
        }
        if !detail.isEmpty { fields.append(("BIOLOGIN_DETAIL", detail)) }
        return fields
    }

    var line: String { "biologind: \(message)" }

    /// One line, whatever a caller named its executable.
    private var message: String {
        let account = account.map { " account \($0)" } ?? ""
        let caller = caller.map { " for \($0.executable ?? "an unknown program") (\($0.pid))" } ?? ""
        let text = "\(kind.words)\(account)\(caller)\(detail.isEmpty ? "" : ": \(detail)")"
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isPrintable ? $0 : "?" }))
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }
}

extension JournalEvent.Kind {
    /// Never changes meaning: what filters and catalogs go by.
    fileprivate var messageID: String {
        switch self {
        case .opened: "9651c2b1590648e4988d5e112877b502"
        case .login: "f4a2669667524fa9b4b1bddd1e84280d"
        case .closed: "aaab902c460e4107bc8083c66368d004"
        case .invalidated: "1d29ff05c89c4cde8b70d1e65566ab74"
        case .refused: "2e855b3a339746608f92bfad3c691b0d"
        case .lockedOut: "93099018eae94899b50988e686f43975"
        case .failed: "ce9e2851d37e45b6b455bec3e9ea1b01"
        }
    }

    /// As syslog(3) numbers them.
    fileprivate var priority: String {
        switch self {
        case .failed: "3"
        case .invalidated, .lockedOut: "4"
        case .opened, .closed, .refused: "5"
        case .login: "6"
        }
    }

    fileprivate var words: String {
        switch self {
        case .opened: "opened"
        case .login: "released the key of"
        case .closed: "closed"
        case .invalidated: "invalidated"
        case .refused: "refused"
        case .lockedOut: "locked out"
        case .failed: "failed"
        }
    }
}
