package import BiologinCore

extension Timestamp {
    /// UTC, to the second, as RFC 3339 writes it: "2026-01-31T23:59:59Z".
    package var rfc3339: String {
        let (days, second) = (seconds.flooredQuotient(86_400), seconds - seconds.flooredQuotient(86_400) * 86_400)
        let (year, month, day) = Self.date(daysSince1970: days)
        let (hour, minute) = (second / 3600, second / 60 % 60)
        return "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))"
            + "T\(hour.digits(2)):\(minute.digits(2)):\((second % 60).digits(2))Z"
    }

    /// The proleptic Gregorian date, counted in years that begin in March, so that a leap day is the last of its year.
    private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468  // Days since 0000-03-01.
        let era = shifted.flooredQuotient(146_097), dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : (self - divisor + 1) / divisor
    }

    fileprivate func digits(_ count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
    }
}
