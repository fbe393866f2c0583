import Testing

@testable import Varlink

@Suite struct FramerTests {
    private func feed(_ bytes: some Collection<UInt8>, to framer: inout Framer) {
        framer.receive(room: bytes.count) { room in
            room.copyBytes(from: bytes)
            return bytes.count
        }
    }

    private func frames(_ framer: inout Framer) throws -> [String] {
        var frames: [String] = []
        while let frame = try framer.next() { frames.append(frame.text) }
        return frames
    }

    private static let stream = Array("{}\0\0{\"method\":\"a.b\"}\0x\0".utf8)
    private static let cut = ["{}", "", #"{"method":"a.b"}"#, "x"]

    @Test(arguments: stream.indices) func findsTheSameFramesWhereverTheyAreCut(at index: Int) throws {
        var framer = Framer(limit: 100)
        feed(Self.stream[..<index], to: &framer)
        var found = try frames(&framer)
        feed(Self.stream[index...], to: &framer)
        found += try frames(&framer)
        #expect(found == Self.cut)
        #expect(framer.count == 0)
    }

    @Test func findsThemByteByByte() throws {
        var framer = Framer(limit: 100)
        var found: [String] = []
        for byte in Self.stream {
            feed([byte], to: &framer)
            found += try frames(&framer)
        }
        #expect(found == Self.cut)
    }

    @Test func keepsWhatIsNotTakenYet() throws {
        var framer = Framer(limit: 100)
        feed(Self.stream, to: &framer)
        #expect(try framer.next()?.text == "{}")
        feed(Self.stream, to: &framer)
        #expect(try frames(&framer) == Self.cut[1...] + Self.cut)
    }

    @Test(arguments: [1, 7, 100]) func takesUpToTheLimit(in pieces: Int) throws {
        var framer = Framer(limit: 100)
        let frame = [UInt8](repeating: 32, count: 100)
        for start in stride(from: 0, to: 100, by: pieces) {
            feed(frame[start..<min(start + pieces, 100)], to: &framer)
            #expect(try framer.next() == nil)
        }
        feed([0], to: &framer)
        #expect(try framer.next()?.count == 100)
    }

    @Test(arguments: [[], [0] as [UInt8]]) func refusesOneByteMore(_ end: [UInt8]) {
        var framer = Framer(limit: 100)
        feed([UInt8](repeating: 32, count: 101) + end, to: &framer)
        #expect(throws: FrameTooLarge.self) { try framer.next() }
    }
}
