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

    package init(reader: String, fingers: [String]) {
        self.reader = reader
        self.fingers = Array(Set(fingers)).sorted()
    }

    package var detection: ChangeDetection { .names }

    /// What a record is bound to: the scheme's number, the reader, the number of fingers, and each finger,
    /// all strings ended by NUL.
    package var snapshot: [UInt8] {
        ([Self.scheme] + Array(reader.utf8) + [0] + fingers.flatMap { Array($0.utf8) + [0] })
    }

    /// How `snapshot` is made. Another way gets another number, and is never reported as a change of templates.
    package static let scheme: UInt8 = 1

    /// What happened between `earlier` and now, or nil if nothing did.
    package func change(since earlier: Enrollment) -> TemplateChange? {
        if self == earlier { return nil }
        if fingers.isEmpty { return .allRemoved }
        return Set(earlier.fingers).isSubset(of: fingers) ? .added : .removed
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
}

/// A reader as found just now.
package struct Reader: Equatable, Sendable {
    /// Who verifies: "fprintd".
    package let verifier: String
    /// The device's `name`, or nil where there is none.
    package let device: String?
    package let availability: Availability
    package let enrolled: [String]

    package init(verifier: String, device: String?, availability: Availability, enrolled: [String]) {
        (self.verifier, self.device, self.availability, self.enrolled) = (verifier, device, availability, enrolled)
    }
}
