import BiologinLinux
import Testing

struct ConfigurationTests {
    private let folder = Folder()
    private var path: String { folder.path + "/biologind.conf" }

    private func read(_ text: String) throws -> Configuration {
        folder.write(Array(text.utf8), to: "biologind.conf")
        return try Configuration(file: path)
    }

    @Test(arguments: [
        ("", SecretCollection.Kind.own), ("[store]\n", .own), ("[store]\ncollection=own\n", .own),
        ("# chosen by hand\n[store]\ncollection = default\n", .default),
    ])
    func saysWhichCollection(_ text: String, _ collection: SecretCollection.Kind) throws {
        #expect(try read(text).collection == collection)
    }

    @Test(arguments: [
        ("[shop]\n", "unknown section [shop]"), ("[store]\ncolection=own\n", "unknown key colection in [store]"),
        ("[store]\ncollection=mine\n", "collection=mine in [store]: it must be own or default"),
        ("[store]\ncollection\n", "collection"), ("collection=own\n", "group"),
        ("[store]\ncollection=\\q\n", "collection"),
        ("[store]\ncollection=\u{0}\n", "collection"),
    ])
    func saysWhatIsWrongAndWhere(_ text: String, _ problem: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try read(text) }
        #expect(error.description.hasPrefix("\(path): ") && error.description.contains(problem), "\(error)")
    }

    @Test func takesTheFirstFileThatIsThere() throws {
        #expect(try Configuration(firstOf: [folder.path + "/none", path + "/none"]) == Configuration())
        folder.write(Array("[store]\ncollection=default\n".utf8), to: "biologind.conf")
        folder.write(Array("[oops".utf8), to: "other.conf")
        #expect(
            try Configuration(firstOf: [folder.path + "/none", path, folder.path + "/other.conf"]).collection
                == .default)
    }

    @Test func refusesAFileThatIsNamedAndMissingOrNoFile() {
        #expect(throws: ConfigurationError.self) { try Configuration(file: path) }
        #expect(throws: ConfigurationError.self) { try Configuration(file: folder.path) }
        #expect(throws: ConfigurationError.self) { try Configuration(firstOf: [folder.path]) }
    }
}
