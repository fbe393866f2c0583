import BiologinAPI
import Foundation
import Testing

@testable import BiologinEnrollment

/// Templates that are written while they are read.
@Suite struct AgreementTests {
    /// Nil: what was listed was gone when it was to be opened.
    static let readings: [([Int?], Int)] = [
        ([1, 1], 1), ([1, 2, 2], 2), ([1, nil, 1, 1], 1), ([nil, nil, 3, 3], 3), ([1, 2, 1, 2, 1, 2, 3, 3], 3),
    ]

    @Test(arguments: readings) func takesWhatTwoReadingsInARowFound(_ readings: [Int?], _ settled: Int) throws {
        var rest = readings[...]
        let found = try TemplateDigest.settled { () throws(EnrollmentFailure) in
            guard let reading = rest.removeFirst() else { throw .templatesChanging }
            return reading
        }
        #expect(found == settled)
        #expect(rest.isEmpty)
    }

    @Test func givesUpWhereNoTwoAgree() {
        var count = 0
        #expect(throws: EnrollmentFailure.templatesChanging) {
            try TemplateDigest.settled { () throws(EnrollmentFailure) in
                count += 1
                return count
            }
        }
        #expect(count == 8)
    }

    @Test func anotherErrorEndsItAtOnce() {
        var count = 0
        #expect(throws: EnrollmentFailure.templatesTooLarge("x")) {
            try TemplateDigest.settled { () throws(EnrollmentFailure) -> Int in
                count += 1
                throw .templatesTooLarge("x")
            }
        }
        #expect(count == 1)
    }

    @Test func aWriterInBetweenIsSeenBeforeOrAfterOrNotAtAll() throws {
        let prints = try Prints(), finger = "\(prints.user)/driver/0/7"
        var whole: Set<[UInt8]> = []
        for text in ["one", "two"] {
            try prints.write(text, to: finger)
            whole.insert(try prints.digested())
        }
        let writer = Writer { turn in
            try? prints.write(turn.isMultiple(of: 2) ? "one" : "two", to: finger + ".draft")
            rename(prints.path(finger + ".draft"), prints.path(finger))
        }
        defer { writer.stop() }
        for _ in 0..<200 {
            do { #expect(whole.contains(try prints.digested())) } catch EnrollmentFailure.templatesChanging {}
        }
    }
}

/// Does something again and again on a thread of its own.
private final class Writer: @unchecked Sendable {
    // Only who holds the lock touches the flag.
    private let lock = NSLock(), ended = DispatchSemaphore(value: 0)
    private var isStopping = false

    init(_ write: @escaping @Sendable (Int) -> Void) {
        Thread.detachNewThread { [self] in
            var turn = 0
            while !lock.withLock({ isStopping }) {
                write(turn)
                turn += 1
            }
            ended.signal()
        }
    }

    func stop() {
        lock.withLock { isStopping = true }
        ended.wait()
    }
}
