import Glibc
import Testing

@testable import BiologinVault

@Suite struct SecretBytesTests {
    @Test func lendsWhatItWasMadeOf() throws {
        #expect(try SecretBytes([1, 2, 3]).exposed == [1, 2, 3])
        #expect(try SecretBytes([]).exposed == [])
        #expect(try SecretBytes([1], SecretBytes([2, 3]), [4]).exposed == [1, 2, 3, 4])
    }

    @Test func isNotRandomTwiceTheSame() throws {
        #expect(try SecretBytes.random(count: 32).exposed != SecretBytes.random(count: 32).exposed)
    }

    @Test func isGoneWithItsOwner() throws {
        let mark: [UInt8] = (0..<64).map { _ in .random(in: .min ... .max) }
        var address = 0
        do {
            let secret = try SecretBytes(mark)
            secret.withPointer { address = Int(bitPattern: $0) }
            #expect(memory(at: address, count: mark.count) == mark)
        }
        #expect(memory(at: address, count: mark.count) != mark)
    }

    @Test func remembersOneThatCouldNotBeLocked() throws {
        let refusing = LockedMemory { _, _ in false }
        #expect(refusing.isLocked)
        _ = try SecretBytes(count: 1, in: refusing)
        #expect(!refusing.isLocked)

        let granting = LockedMemory { _, _ in true }
        _ = try SecretBytes(count: 1, in: granting)
        #expect(granting.isLocked)
    }

    @Test func processKnowsOfOneThatWasNotLocked() throws {
        let failsOnce = LockedMemory { _, count in count != 2 }
        for count in 1...3 { _ = try SecretBytes(count: count, in: failsOnce) }
        #expect(!failsOnce.isLocked)
    }

    @Test func isReallyLocked() throws {
        let secret = try SecretBytes(count: 32)
        let isKept = secret.withPointer { isLocked(at: UInt(bitPattern: $0)) }
        #expect(isKept || !SecretBytes.areLocked)
    }

    /// Of this process; nothing if nothing is mapped there.
    private func memory(at address: Int, count: Int) -> [UInt8] {
        let file = Descriptor(open("/proc/self/mem", O_RDONLY))
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(file.number, &bytes, count, off_t(address)) == count ? bytes : []
    }

    /// By the kernel's own account: smaps names locked mappings with the flag `lo` (proc(5)).
    private func isLocked(at address: UInt) -> Bool {
        var isInside = false
        for line in String(decoding: bytes(of: "/proc/self/smaps", limit: 1 << 24), as: UTF8.self).split(
            separator: "\n")
        {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            if ends.count == 2 { isInside = (ends[0]..<ends[1]).contains(address) }
            if isInside, words[0] == "VmFlags:" { return words.contains("lo") }
        }
        return false
    }
}
