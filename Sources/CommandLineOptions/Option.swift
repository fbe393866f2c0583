/// One option of a command line: `--json`, or with a value `--socket PATH` and `--socket=PATH`.
package struct Option: Sendable {
    let name: String
    /// Its short form, an ASCII letter.
    let letter: Unicode.Scalar?
    /// Nil for an option without a value.
    let placeholder: String?
    let help: String

    /// `name` stands without its dashes; `placeholder` stands for the value in the usage text.
    package init(_ name: String, _ placeholder: String? = nil, letter: Unicode.Scalar? = nil, help: String) {
        (self.name, self.letter, self.placeholder, self.help) = (name, letter, placeholder, help)
    }
}

/// Why a command line is not carried out.
package enum CommandLineExit: Error, Equatable, Sendable {
    /// `--help`: the usage text, for standard output; it ends with a newline.
    case help(String)
    /// What is wrong with the command line, for standard error; the program then exits with 64 (EX_USAGE of sysexits.h).
    case usage(String)
}
