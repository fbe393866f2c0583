import BiologinCore
import Glibc
import Testing

@testable import BiologinServer

@Suite struct RFC3339Tests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (951_868_799, "2000-02-29T23:59:59Z"),
        (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"),
    ])
    func momentsAreWrittenInUTC(_ seconds: Int64, _ text: String) {
        #expect(Timestamp(seconds: seconds).rfc3339 == text)
    }

    @Test func everyDayOfFourCenturiesIsTheSystemsOwn() {
        let wrong = stride(from: Int64(-36_525), to: 110_000, by: 1).first { day in
            var time = time_t(day * 86_400), parts = tm(), text = [CChar](repeating: 0, count: 32)
            let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time, &parts))
            return !Timestamp(seconds: day * 86_400).rfc3339.utf8.elementsEqual(text[..<count].map(UInt8.init))
        }
        #expect(wrong == nil)
    }
}
