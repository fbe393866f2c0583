package import Testing

extension Trait where Self == ConditionTrait {
    /// For tests with the clients of PyPI's `varlink` and `asyncvarlink`. Where `BIOLOGIN_PYTHON` names no interpreter that
    /// has them the test says so and is skipped; under CI it runs all the same, and fails.
    package static var otherClients: Self {
        .enabled(
            if: Program.environment["BIOLOGIN_PYTHON"] != nil || Program.environment["CI"] == "true",
            "BIOLOGIN_PYTHON names no python that has varlink and asyncvarlink: run `make test`")
    }
}
