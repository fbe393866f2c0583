/// How surely a change of the enrolled templates is noticed, weakest first.
package enum ChangeDetection: UInt8, Comparable, Sendable {
    case none, names, watched, content

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The enrolled templates of this user on one reader, as far as they can be told apart.
package struct Enrollment: Equatable, Sendable {
    /// The reader's `name`.
    package let reader: String
    /// fprintd's finger names, sorted, each once.
    package let fingers: [String]
    /// How many enrollments were heard on the reader, ever; nil while nobody listens.
    package let heard: UInt64?
    /// A keyed digest of the templates themselves; nil while the system helper does not answer.
    package let content: [UInt8]?

    package init(reader: String, fingers: [String], heard: UInt64? = nil, content: [UInt8]? = nil) {
        self.reader = reader
        self.fingers = Array(Set(fingers)).sorted()
        (self.heard, self.content) = (heard, content)
    }

    /// The same, with what the system helper says.
    func adding(content: [UInt8]?) -> Enrollment {
        Enrollment(reader: reader, fingers: fingers, heard: heard, content: content)
    }

    /// The most that can be noticed from these facts.
    package var detection: ChangeDetection {
        if content != nil { return .content }
        return heard == nil ? .names : .watched
    }

    /// What a record is bound to at that strength: the scheme's number, the reader and each finger, ended by NUL, an empty
    /// string, and the count (8 bytes, the highest first) or the digest. Nil where that fact is not known.
    ///
    /// Another way to make it gets other numbers, and is never reported as a change of templates.
    package func snapshot(at detection: ChangeDetection) -> [UInt8]? {
        let names = Array(reader.utf8) + [0] + fingers.flatMap { Array($0.utf8) + [0] } + [0]
        return switch detection {
        case .none: nil
        case .names: [1] + names
        case .watched: heard.map { [2] + names + bytes(of: $0) }
        case .content: content.map { [3] + names + $0 }
        }
    }

    private func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    package enum Comparison: Equatable, Sendable {
        case same
        case changed(TemplateChange)
        /// What tells is not known now.
        case unknown
    }

    /// What happened between `earlier` and now, as far as that strength goes.
    package func compared(with earlier: Enrollment, at detection: ChangeDetection) -> Comparison {
        if fingers != earlier.fingers || reader != earlier.reader {
            if fingers.isEmpty { return .changed(.allRemoved) }
            return .changed(Set(earlier.fingers).isSubset(of: fingers) ? .added : .removed)
        }
        guard let now = snapshot(at: detection), let then = earlier.snapshot(at: detection) else { return .unknown }
        return now == then ? .same : .changed(.enrolledAnew)
    }
}

/// Why a key is released no longer; the raw value is the one that is stored.
package enum TemplateChange: UInt8, Sendable {
    case added = 1
    case removed, allRemoved, enrolledAnew
    /// The login server takes the key no longer.
    case server
}

/// Whether a reader can be used now, and why not.
package enum Availability: Sendable {
    case ready, notEnrolled, noDevice, busy, notLocal, inaccessible, permissionDenied, lockedOut, unavailable
    /// It did not answer in time.
    case silent
}

/// A reader as found just now.
package struct Reader: Equatable, Sendable {
    /// Who verifies: "fprintd".
    package let verifier: String
    /// The device's `name`, or nil where there is none.
    package let device: String?
    package let availability: Availability
    package let enrolled: [String]
    /// How surely a change of the templates on it is noticed.
    package let detection: ChangeDetection

    package init(
        verifier: String, device: String?, availability: Availability, enrolled: [String],
        detection: ChangeDetection = .names
    ) {
        (self.verifier, self.device, self.availability, self.enrolled) = (verifier, device, availability, enrolled)
        self.detection = device == nil ? .none : detection
    }
}
