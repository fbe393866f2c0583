/// What a program, or one subcommand of it, accepts on its command line. `--help` is always accepted.
package struct Syntax: Sendable {
    /// As typed: "biologinctl login".
    let program: String
    /// How the operands are called in the usage text; nil: there are none.
    let operands: String?
    /// One phrase that says what the program does.
    let summary: String
    /// More of the usage text, after the options.
    let details: String?
    let options: [Option]

    package init(
        _ program: String, operands: String? = nil, summary: String, details: String? = nil, options: [Option]
    ) {
        (self.program, self.operands, self.summary) = (program, operands, summary)
        (self.details, self.options) = (details, options)
    }

    /// Reads the arguments that follow the program's name. Options end at `--`, and at the first operand where
    /// `stopAtOperand` is set: what follows belongs to a subcommand.
    package func parse(
        _ arguments: some Sequence<String>, stopAtOperand: Bool = false
    ) throws(CommandLineExit) -> Arguments {
        let help = Option("help", letter: "h", help: "show this text")
        let parser = GLibOptionParser(syntax: self, options: options + [help], stopAtOperand: stopAtOperand)
        let (given, rest) = try parser.parse(Array(arguments))
        guard given[help.name] == nil else { throw .help(parser.usage) }
        if operands == nil, let surplus = rest.first { throw .usage("unexpected argument: \(surplus)") }
        return Arguments(given: given, operands: rest)
    }
}

/// What stood on a command line.
package struct Arguments: Sendable {
    /// By the option's name; empty for an option without a value.
    let given: [String: String]
    /// What is not an option.
    package let operands: [String]

    package func has(_ option: Option) -> Bool { given[option.name] != nil }

    /// The option's value, or nil if the option was not given; the last one if it was given several times.
    package subscript(option: Option) -> String? { given[option.name] }

    /// The option's value as a whole number; nil if the option was not given.
    package func number(_ option: Option, in range: ClosedRange<Int>) throws(CommandLineExit) -> Int? {
        guard let text = given[option.name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage("--\(option.name): not a number from \(range.lowerBound) to \(range.upperBound): \(text)")
        }
        return number
    }
}
