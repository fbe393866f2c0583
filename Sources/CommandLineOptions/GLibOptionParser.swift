internal import CGio

/// GLib's GOptionContext, and the memory that it points into until it is freed.
final class GLibOptionParser {
    private let context: OpaquePointer
    private let program: String
    private let options: [Option]
    private var strings: [UnsafeMutablePointer<CChar>] = []
    /// One an option: where GLib puts what it read.
    private let flags: UnsafeMutablePointer<gboolean>
    private let values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    init(syntax: Syntax, options: [Option], stopAtOperand: Bool) {
        (program, self.options) = (syntax.program, options)
        flags = .allocate(capacity: options.count)
        flags.initialize(repeating: 0, count: options.count)
        values = .allocate(capacity: options.count)
        values.initialize(repeating: nil, count: options.count)
        let operands = syntax.operands.map { "\($0) " } ?? ""
        context = g_option_context_new("\(operands)- \(syntax.summary)")
        // GLib's own --help writes and exits without a look at whether the text could be written.
        g_option_context_set_help_enabled(context, 0)
        g_option_context_set_strict_posix(context, stopAtOperand ? 1 : 0)
        g_option_context_set_description(context, syntax.details)
        // GLib copies the entries, but not what they point to.
        g_option_context_add_main_entries(context, options.indices.map(entry) + [GOptionEntry()], nil)
    }

    deinit {
        g_option_context_free(context)
        for string in strings { g_free(string) }
        for index in options.indices { g_free(values[index]) }
        values.deallocate()
        flags.deallocate()
    }

    var usage: String {
        // GLib takes the name that stands in the usage text from here alone.
        g_set_prgname(program)
        let text = g_option_context_get_help(context, 0, nil)
        defer { g_free(text) }
        return text.map { String(cString: $0) } ?? ""
    }

    /// The options that were given, by name, and the operands.
    func parse(_ arguments: [String]) throws(CommandLineExit) -> (given: [String: String], operands: [String]) {
        var vector = argumentVector(arguments)
        defer { g_strfreev(vector) }
        var error: UnsafeMutablePointer<GError>?
        guard g_option_context_parse_strv(context, &vector, &error) != 0 else {
            defer { g_error_free(error) }
            let message = error.map { String(cString: $0.pointee.message) } ?? "cannot be parsed"
            throw .usage(message.prefix(1).lowercased() + message.dropFirst())
        }
        var given: [String: String] = [:]
        for (index, option) in options.enumerated() {
            if flags[index] != 0 { given[option.name] = "" }
            guard let value = values[index] else { continue }
            guard let text = String(validatingCString: value) else { throw .usage("--\(option.name): not UTF-8") }
            given[option.name] = text
        }
        // Swift's CommandLine has repaired what was not UTF-8 already.
        let operands = (1..<Int(g_strv_length(vector))).compactMap { vector?[$0].map { String(cString: $0) } }
        return (given, operands.first == "--" ? Array(operands.dropFirst()) : operands)
    }

    private func entry(_ index: Int) -> GOptionEntry {
        let option = options[index]
        // A file name is the one kind of text that GLib does not convert from the locale's character set.
        let kind = option.placeholder == nil ? G_OPTION_ARG_NONE : G_OPTION_ARG_FILENAME
        let place: UnsafeMutableRawPointer =
            option.placeholder == nil ? .init(flags + index) : .init(values + index)
        return GOptionEntry(
            long_name: keep(option.name), short_name: option.letter.map { CChar(bitPattern: UInt8(ascii: $0)) } ?? 0,
            flags: 0, arg: kind, arg_data: place,
            description: keep(option.help), arg_description: option.placeholder.map(keep))
    }

    private func keep(_ text: String) -> UnsafePointer<CChar> {
        let copy = g_strdup(text)!
        strings.append(copy)
        return UnsafePointer(copy)
    }

    /// A vector as main gets it, of GLib's own memory: parsing frees what it takes out.
    private func argumentVector(_ arguments: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        let builder = g_strv_builder_new()
        defer { g_strv_builder_unref(builder) }
        for argument in ["-"] + arguments { g_strv_builder_add(builder, argument) }
        return g_strv_builder_end(builder)
    }
}
