import Glibc
import Testing

@testable import Varlink

/// Where a secret is left behind, memory is searched for it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SecretTests {
    @Test func printsNoBytes() {
        let secret = WipedBytes(copying: Array("secret".utf8).span.raw)
        var dumped = ""
        dump(secret, to: &dumped)
        #expect("\(secret) \([secret]) \(String(reflecting: secret)) \(dumped)".contains("redacted"))
        #expect(!"\(secret) \([secret]) \(String(reflecting: secret)) \(dumped)".contains("115"))
    }

    @Test func leavesNoKeyInMemoryAfterACall() async throws {
        let marker = Marker()
        try await Lab.run { lab in
            try await lab.withSocket { path in
                let client = try await Client.connect(to: path)
                let key = marker.bytes()
                let reply = try await client.call("org.example.lab.Keep") { writer in
                    writer.object { writer in
                        writer.name("key")
                        key.withBytes { writer.base64($0) }
                    }
                }
                let kept = try reply.read { reader throws(ParameterError) in try reader.readKey() }
                #expect(kept.count == Marker.count)
                #expect(marker.isFound(), "the search must find what is there")
            }
        }
        #expect(!marker.isFound())
    }

    @Test func leavesNothingInMemoryWhenABufferGrows() {
        let marker = Marker()
        do {
            var buffer = WipedBuffer()
            for index in 0..<Marker.count { buffer.append(marker.byte(index)) }
            #expect(buffer.count == Marker.count)
        }
        #expect(!marker.isFound())
    }
}

/// Bytes that are known without being kept anywhere.
private struct Marker {
    static let count = 5000
    private let seed = UInt64.random(in: 0 ... .max)

    func byte(_ index: Int) -> UInt8 {
        var chance = Seeded(state: seed &+ UInt64(index))
        return UInt8(truncatingIfNeeded: chance.next())
    }

    func bytes() -> WipedBytes {
        var buffer = WipedBuffer()
        for index in 0..<Self.count { buffer.append(byte(index)) }
        return WipedBytes(buffer)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private func character(_ index: Int) -> UInt8 {
        let group = index / 4 * 3
        let bits = (0..<3).reduce(0) { $0 << 8 | Int(byte(group + $1)) }
        return Self.alphabet[bits >> (18 - 6 * (index % 4)) & 63]
    }

    /// Whether twelve of the bytes in a row, plain or in base64, from anywhere but the start, are in writable memory.
    func isFound() -> Bool {
        let needles = [300, 1200, 2700, 3900].flatMap { start in
            [(0..<12).map { byte(start + $0) ^ Memory.mask }, (0..<12).map { character(start + $0) ^ Memory.mask }]
        }
        var isFound = false
        Memory.forEachWritableRegion { region in
            for needle in needles where !isFound {
                isFound = Memory.find(region.baseAddress!, region.count, needle, needle.count) != nil
            }
        }
        return isFound
    }
}

private enum Memory {
    // Swift's Glibc module has neither.
    fileprivate typealias Find = @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeRawPointer?
    private typealias Flip = @convention(c) (UnsafeMutableRawPointer, Int) -> UnsafeMutableRawPointer?
    static let find = unsafeBitCast(dlsym(nil, "memmem"), to: Find.self)
    private static let flip = unsafeBitCast(dlsym(nil, "memfrob"), to: Flip.self)

    /// What memfrob(3) flips, so that neither what is searched for nor a copy that is searched through is found.
    static let mask: UInt8 = 42

    /// Larger ones are not the program's: sanitizers map terabytes for themselves.
    private static let largestRegion = 1 << 32

    /// Copies of the process's own writable memory, masked, one part after the other.
    static func forEachWritableRegion(_ body: (UnsafeRawBufferPointer) -> Void) {
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        for (start, end) in writableRegions() where end - start <= largestRegion {
            let size = 1 << 20
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
            var at = start
            while at < end {
                let count = pread(memory, copy.baseAddress, min(size, end - at), at)
                guard count > 0 else { break }
                _ = flip(copy.baseAddress!, count)
                body(UnsafeRawBufferPointer(rebasing: copy[..<count]))
                explicit_bzero(copy.baseAddress!, count)  // It is searched through as well.
                at += count
            }
            copy.deallocate()
        }
    }

    private static func writableRegions() -> [(Int, Int)] {
        let file = fopen("/proc/self/maps", "re")
        defer { fclose(file) }
        var regions: [(Int, Int)] = []
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        while getline(&line, &capacity, file) > 0 {
            let words = String(cString: line!).split(separator: " ")
            let limits = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            if words[1].hasPrefix("rw"), limits.count == 2 { regions.append((limits[0], limits[1])) }
        }
        free(line)
        return regions
    }
}
