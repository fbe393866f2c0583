/// Seals login keys and profiles, and opens them again for what they were sealed for, and for nothing else.
///
/// In memory between two calls are only the keys that are derived from the profile key: what makes an account's tag, what
/// authenticates records, and what opens profiles, which are in memory themselves. They stay while the computer sleeps, and
/// release no login key: the secret half of the device key, without which no record opens, is read from its protector for each
/// use, and so is the password of the keyring's collection.
package final class Vault: Sendable {
    private let domain: String
    private let keys: ProfileKeys
    private let deviceKey: DeviceKey

    /// `domain` keeps apart what must never open for each other, such as a simulation and the real thing.
    package init(domain: String, profileKey: borrowing SecretBytes, deviceKey: DeviceKey) throws(VaultError) {
        self.domain = domain
        keys = try ProfileKeys.derived(from: profileKey)
        self.deviceKey = deviceKey
    }

    /// A vault on the files `profile-key` and `device-key` of a directory. `create` makes those that are missing: say so
    /// only while nothing is kept that the missing ones would be needed for. A file that is there is never overwritten.
    ///
    /// Throws `profileKeyUnavailable`. A device key that cannot be had does not keep the vault from opening, since
    /// profiles can be read without it: see `checkDeviceKey`.
    package static func open(directory: String, domain: String, create: Bool) throws(VaultError) -> Vault {
        let profileKey = try profileKey(in: directory, create: create)
        let deviceKey = DeviceKey(FileProtector(directory: directory))
        try? deviceKey.protector.prepare(create: create)
        return try Vault(domain: domain, profileKey: profileKey, deviceKey: deviceKey)
    }

    private static func profileKey(in directory: String, create: Bool) throws(VaultError) -> SecretBytes {
        let file = SymmetricKeyFile.profileKey(in: directory)
        do throws(KeyFileError) {
            try file.prepare(create: create)
            return try file.read()
        } catch {
            throw .profileKeyUnavailable(error.reason(file.name))
        }
    }

    /// Whether every secret of this process so far is locked in memory.
    package var memoryLocked: Bool { SecretBytes.areLocked }

    /// What guards the device key: "file".
    package var protector: String { deviceKey.protector.name }

    /// Whether keys could be sealed now, as far as can be told without the secret half. Throws `deviceKeyUnavailable`.
    package func checkDeviceKey() throws(VaultError) { _ = try deviceKey.protector.publicHalf() }

    /// Makes a device key where there is none; for when no record is kept that the missing one would be needed for.
    /// Throws `deviceKeyUnavailable`.
    package func makeDeviceKeyIfMissing() throws(VaultError) { try deviceKey.protector.prepare(create: true) }

    /// The opaque id of an account.
    package func tag(application: String, uid: String) -> AccountTag {
        var packer = Packer()
        packer.add(domain)
        packer.add(application)
        packer.add(uid)
        let input = Purpose.accountTag.input(packer.bytes)
        return AccountTag(bytes: Sodium.hash(input, key: keys.accountTag, count: AccountTag.byteCount))
    }

    /// Throws `limitExceeded`.
    package func sealProfile(_ plain: [UInt8], tag: AccountTag) throws(VaultError) -> [UInt8] {
        try SealedProfile(domain: domain, account: tag).seal(plain, key: keys.profileEncryption)
    }

    /// Throws `unknownVersion` or `damaged`.
    package func openProfile(_ sealed: [UInt8], tag: AccountTag) throws(VaultError) -> [UInt8] {
        try SealedProfile(domain: domain, account: tag).open(sealed, key: keys.profileEncryption)
    }
}

// MARK: Records

extension Vault {
    /// Seals a login key, and terms that come back with it, so that they open for the same binding and snapshot alone.
    /// Needs the public half of the device key alone. Throws `limitExceeded`, `deviceKeyUnavailable` or `noMemory`.
    package func seal(
        _ loginKey: borrowing SecretBytes, terms: [UInt8], binding: Binding, snapshot: [UInt8]
    ) throws(VaultError) -> [UInt8] {
        guard Limits.loginKey.contains(loginKey.count) else { throw .limitExceeded("login key") }
        guard terms.count <= Limits.terms else { throw .limitExceeded("terms") }
        guard binding.verifier.utf8.count <= Limits.verifier else { throw .limitExceeded("verifier") }
        guard Limits.snapshot.contains(snapshot.count) else { throw .limitExceeded("snapshot") }

        let publicHalf = try deviceKey.protector.publicHalf()
        let snapshotTag = tag(of: snapshot, account: binding.account)
        let bound = bound(to: binding, deviceKeyID: publicHalf.id, snapshotTag: snapshotTag)
        let dataKey = try SecretBytes.random(count: Sodium.keySize)
        let messageKey = try Sodium.derive(Purpose.messageKey.input(snapshot), key: dataKey)
        let message = try SealedRecord.message(loginKey: loginKey, terms: terms)
        let record = SealedRecord(
            binding: binding, deviceKeyID: publicHalf.id, scheme: snapshot[0], snapshotTag: snapshotTag,
            sealedDataKey: try deviceKey.seal(dataKey, to: publicHalf),
            box: message.withBytes { Sodium.encrypt($0, key: messageKey, bound: bound) })
        return authenticated(record.body, account: binding.account)
    }

    /// The generation of a record of that account. Throws `damaged` or `unknownVersion`.
    package func generation(of record: [UInt8], account: AccountTag) throws(VaultError) -> UInt64 {
        try read(record, account: account).generation
    }

    /// Opens a record. The order of the checks is part of the promise: what is not ours is `damaged` before anything of
    /// it is believed; then `unknownVersion`, `rolledBack`, `damaged` for another verifier or strength, `unknownVersion`
    /// for a snapshot that is made in another way, `templatesChanged`, and only then the device key is asked for:
    /// `deviceKeyUnavailable`. Whatever does not decrypt then is `damaged`.
    package func unseal(_ record: [UInt8], binding: Binding, snapshot: [UInt8]) throws(VaultError) -> Unsealed {
        let record = try read(record, account: binding.account)
        guard record.generation == binding.generation else { throw .rolledBack }
        guard record.verifier == binding.verifier, record.strength == binding.strength else { throw .damaged }
        guard record.scheme == snapshot.first else { throw .unknownVersion }
        let snapshotTag = tag(of: snapshot, account: binding.account)
        guard Sodium.equal(record.snapshotTag, snapshotTag) else { throw .templatesChanged }

        let dataKey = try deviceKey.unseal(record.sealedDataKey, sealedTo: record.deviceKeyID)
        let messageKey = try Sodium.derive(Purpose.messageKey.input(snapshot), key: dataKey)
        let bound = bound(to: binding, deviceKeyID: record.deviceKeyID, snapshotTag: snapshotTag)
        return try SealedRecord.unsealed(message: try Sodium.decrypt(record.box, key: messageKey, bound: bound))
    }

    /// Only what this vault wrote for this account is looked at at all.
    private func read(_ record: [UInt8], account: AccountTag) throws(VaultError) -> SealedRecord {
        let size = record.count - SealedRecord.authenticatorSize
        guard size > 0, record.count <= SealedRecord.sizeLimit else { throw .damaged }
        let body = Array(record[..<size])
        guard Sodium.equal(record, authenticated(body, account: account)) else { throw .damaged }
        return try SealedRecord(body: body)
    }

    /// A body of any version, with its authenticator.
    func authenticated(_ body: [UInt8], account: AccountTag) -> [UInt8] {
        var packer = Packer()
        packer.add(domain)
        packer.add(account.description)
        packer.add(body)
        let input = Purpose.recordAuthentication.input(packer.bytes)
        return body + Sodium.hash(input, key: keys.recordAuthentication, count: SealedRecord.authenticatorSize)
    }

    private func tag(of snapshot: [UInt8], account: AccountTag) -> [UInt8] {
        var packer = Packer()
        packer.add(domain)
        packer.add(account.description)
        packer.add(snapshot)
        let input = Purpose.snapshotTag.input(packer.bytes)
        return Sodium.hash(input, key: keys.snapshotTag, count: SealedRecord.snapshotTagSize)
    }

    private func bound(to binding: Binding, deviceKeyID: [UInt8], snapshotTag: [UInt8]) -> [UInt8] {
        var packer = Packer()
        packer.add(SealedRecord.version)
        packer.add(domain)
        packer.add(deviceKeyID)
        packer.add(binding.account.description)
        packer.add(binding.generation)
        packer.add(binding.verifier)
        packer.add(binding.strength)
        packer.add(snapshotTag)
        return packer.bytes
    }
}
