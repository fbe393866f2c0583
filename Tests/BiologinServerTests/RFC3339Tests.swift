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
        for day in stride(from: Int64(-36_525), to: 110_000, by: 1) {
            var time = time_t(day * 86_400), parts = tm()
            gmtime_r(&time, &parts)
            let text = Timestamp(seconds: day * 86_400).rfc3339
            let numbers = text.prefix(10).split(separator: "-").compactMap { Int32($0) }
            #expect(numbers == [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday])
        }
    }
}
