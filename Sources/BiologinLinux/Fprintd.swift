package import BiologinCore

/// fprintd on the system bus.
@GLibThread package final class Fprintd: BiometricVerifier {
    package nonisolated let name = "fprintd"

    /// For one call.
    package nonisolated static let usualLimit: Duration = .seconds(5)
    package nonisolated static let usualReadingLimit: Duration = .seconds(1)

    let bus: Bus
    /// For one call, once the sensor has waited for a touch.
    let limit: Duration
    let enrollments: FprintdEnrollments
    let suspendedClaims: SuspendedClaims

    /// - Parameters:
    ///   - logind: says when the computer sleeps; nil: that is not known.
    ///   - enrollments: how many were heard on each reader, as `ReaderEvent.enrolled` told last.
    ///   - limit: for one call, once the sensor has waited for a touch.
    ///   - readingLimit: for `knownEnrollment`.
    package nonisolated init(
        bus: Bus, clock: any Clock, logind: Logind? = nil, enrollments: [String: UInt64] = [:],
        limit: Duration = usualLimit, readingLimit: Duration = usualReadingLimit
    ) {
        (self.bus, self.limit) = (bus, limit)
        suspendedClaims = logind?.suspendedClaims ?? SuspendedClaims()
        self.enrollments = FprintdEnrollments(
            bus: bus, clock: clock, limit: readingLimit, pause: limit, counts: enrollments)
    }

    @GLibThread package func readers(within limit: Duration = usualLimit) async -> [Reader] {
        let deadline = Deadline(in: limit)
        do {
            let connection = try await bus.connection(within: deadline.remaining, whenCancelled: .abandon)
            enrollments.listen(on: connection)
            let service = try await FprintdService.find(
                on: connection, activate: true, within: deadline.remaining, whenCancelled: .abandon)
            guard let service else { return [reader(.unavailable)] }
            return try await service.apart(on: bus, within: deadline.remaining, whenCancelled: .abandon) {
                service throws(CallError) in
                let devices = try await service.devices(within: deadline.remaining, whenCancelled: .abandon)
                guard !devices.isEmpty else { return [self.reader(.noDevice)] }
                return await devices.answers { await self.reader($0, deadline) }
            }
        } catch {
            return [reader(Availability(error))]
        }
    }

    private func reader(_ device: FprintdDevice, _ deadline: Deadline) async -> Reader {
        var name: String?
        do {
            let found = try await device.name(within: deadline.remaining, whenCancelled: .abandon)
            name = found
            let fingers = try await device.fingers(within: deadline.remaining, whenCancelled: .abandon)
            let enrolled = Enrollment(reader: found, fingers: fingers).fingers
            return reader(enrolled.isEmpty ? .notEnrolled : .ready, name, enrolled)
        } catch {
            return reader(Availability(error), name)
        }
    }

    private func reader(_ availability: Availability, _ device: String? = nil, _ fingers: [String] = [])
        -> Reader
    {
        let detection = enrollments.enrollment(on: device ?? "", fingers).detection
        return Reader(
            verifier: name, device: device, availability: availability, enrolled: fingers, detection: detection)
    }

    @GLibThread package func knownEnrollment(of reader: String) async -> Enrollment? {
        await enrollments.known(of: reader)
    }
}
