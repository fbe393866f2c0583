internal import BiologinCore
internal import BiologinVault

/// How the state files are written, before they are sealed: a byte of version, and the fields.
enum StateCoding {
    static let version: UInt8 = 1

    static func bytes(of account: SavedAccount) -> [UInt8] {
        packed { packer in
            packer.add(account.buried)
            for profile in [account.current, account.pending] {
                packer.add(profile != nil)
                if let profile { packer.add(profile) }
            }
        }
    }

    static func account(in bytes: [UInt8], tag: AccountTag) throws(VaultError) -> SavedAccount {
        try unpacked(bytes) { (fields) throws(VaultError) in
            var account = SavedAccount(tag: tag, buried: try fields.flag())
            if try fields.flag() { account.current = try fields.profile() }
            if try fields.flag() { account.pending = try fields.profile() }
            return account
        }
    }

    static func bytes(ofGeneration generation: UInt64) -> [UInt8] { packed { $0.add(generation) } }

    static func generation(in bytes: [UInt8]) throws(VaultError) -> UInt64 {
        try unpacked(bytes) { (fields) throws(VaultError) in try fields.number() }
    }

    static func bytes(of attempts: Attempts) -> [UInt8] {
        packed { packer in
            packer.add(signed: Int64(attempts.failures))
            packer.add(attempts.lockout != nil)
            guard let lockout = attempts.lockout else { return }
            packer.add(lockout.until)
            packer.add(lockout.length)
            packer.add(lockout.bootID)
        }
    }

    static func attempts(in bytes: [UInt8]) throws(VaultError) -> Attempts {
        try unpacked(bytes) { (fields) throws(VaultError) in
            guard let failures = Int(exactly: try fields.signed()), failures >= 0 else { throw .damaged }
            guard try fields.flag() else { return Attempts(failures: failures) }
            let lockout = Attempts.Lockout(
                until: try fields.duration(), length: try fields.duration(), bootID: try fields.text())
            return Attempts(failures: failures, lockout: lockout)
        }
    }

    static func bytes(of identity: StoreIdentity) -> [UInt8] {
        packed { packer in
            packer.add(identity.executable)
            packer.add(identity.collection)
        }
    }

    static func identity(in bytes: [UInt8]) throws(VaultError) -> StoreIdentity {
        try unpacked(bytes) { (fields) throws(VaultError) in
            StoreIdentity(executable: try fields.text(), collection: try fields.text())
        }
    }

    static func bytes(ofEnrollments enrollments: [String: UInt64]) -> [UInt8] {
        packed { packer in
            packer.add(UInt64(enrollments.count))
            for (reader, count) in enrollments.sorted(by: { $0.key < $1.key }) {
                packer.add(reader)
                packer.add(count)
            }
        }
    }

    static func enrollments(in bytes: [UInt8]) throws(VaultError) -> [String: UInt64] {
        try unpacked(bytes) { (fields) throws(VaultError) in
            var enrollments: [String: UInt64] = [:]
            for _ in 0..<(try fields.number()) {
                let reader = try fields.text()
                enrollments[reader] = try fields.number()
            }
            return enrollments
        }
    }

    static func bytes(of memory: OwnCollection.Memory) -> [UInt8] {
        packed { packer in
            packer.add(memory.path)
            packer.add(memory.allIn?.rawValue ?? "")
        }
    }

    static func memory(in bytes: [UInt8]) throws(VaultError) -> OwnCollection.Memory {
        try unpacked(bytes) { (fields) throws(VaultError) in
            let path = try fields.text(), place = try fields.text()
            guard let kind = SecretCollection.Kind(rawValue: place) else {
                guard place.isEmpty else { throw .damaged }
                return OwnCollection.Memory(path: path)
            }
            return OwnCollection.Memory(path: path, allIn: kind)
        }
    }

    private static func packed(_ add: (inout Packer) -> Void) -> [UInt8] {
        var packer = Packer()
        packer.add(version)
        add(&packer)
        return packer.bytes
    }

    private static func unpacked<Value>(
        _ bytes: [UInt8], _ read: (inout Unpacker) throws(VaultError) -> Value
    ) throws(VaultError) -> Value {
        var fields = Unpacker(bytes.span.bytes)
        guard try fields.byte() == version else { throw .unknownVersion }
        let value = try read(&fields)
        try fields.end()
        return value
    }
}

extension Packer {
    fileprivate mutating func add(_ duration: Duration) {
        add(signed: duration.components.seconds)
        add(signed: duration.components.attoseconds)
    }
}

extension Unpacker {
    fileprivate mutating func duration() throws(VaultError) -> Duration {
        Duration(secondsComponent: try signed(), attosecondsComponent: try signed())
    }
}
