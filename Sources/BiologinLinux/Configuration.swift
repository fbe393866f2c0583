internal import CGio
internal import Glibc

/// What is wrong with a configuration file, and in which.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible, Sendable {
    package let description: String
    init(_ path: String, _ problem: String) { description = "\(path): \(problem)" }
}

/// The configuration file, in the format of the Desktop Entry Specification (`[store]`, `collection=own`).
package struct Configuration: Equatable, Sendable {
    package var collection = SecretCollection.Kind.own

    package init() {}

    /// Reads the file. Whatever in it is not known is an error, so that a mistake is no silent default.
    package init(file path: String) throws(ConfigurationError) {
        try self.init(KeyFileReader(path))
    }

    /// Reads the first of the files that is there; where there is none, everything is as it is by default.
    package init(firstOf paths: [String]) throws(ConfigurationError) {
        if let path = paths.first(where: Self.isThere) { try self.init(file: path) } else { self.init() }
    }

    private static func isThere(_ path: String) -> Bool {
        access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR
    }

    private init(_ file: borrowing KeyFileReader) throws(ConfigurationError) {
        for section in file.sections {
            guard section == "store" else { throw ConfigurationError(file.path, "unknown section [\(section)]") }
            for key in file.keys(of: section) {
                switch key {
                case "collection": collection = try file.choice(section, key)
                default: throw ConfigurationError(file.path, "unknown key \(key) in [\(section)]")
                }
            }
        }
    }
}

/// GLib's GKeyFile.
private struct KeyFileReader: ~Copyable {
    let path: String
    private let file: OpaquePointer

    init(_ path: String) throws(ConfigurationError) {
        self.path = path
        file = g_key_file_new()
        var error: UnsafeMutablePointer<GError>?
        guard g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error) != 0 else {
            throw ConfigurationError(path, GLibError(taking: error!).message)
        }
    }

    deinit { g_key_file_unref(file) }

    var sections: [String] { strings(g_key_file_get_groups(file, nil)) }

    func keys(of section: String) -> [String] { strings(g_key_file_get_keys(file, section, nil, nil)) }

    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ section: String, _ key: String
    ) throws(ConfigurationError) -> Value {
        var error: UnsafeMutablePointer<GError>?
        guard let text = g_key_file_get_string(file, section, key, &error) else {
            throw ConfigurationError(path, GLibError(taking: error!).message)
        }
        defer { g_free(text) }
        let value = String(cString: text)
        if let choice = Value(rawValue: value) { return choice }
        let choices = Value.allCases.map(\.rawValue).joined(separator: " or ")
        throw ConfigurationError(path, "\(key)=\(value) in [\(section)]: it must be \(choices)")
    }

    private func strings(_ vector: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
        defer { g_strfreev(vector) }
        return (0..<Int(vector.map { g_strv_length($0) } ?? 0)).compactMap { vector?[$0].map { String(cString: $0) } }
    }
}
