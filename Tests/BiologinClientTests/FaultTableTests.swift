import BiologinAPI
import Foundation
import Testing

@Suite struct FaultTableTests {
    /// The page that tells front ends what they see when something breaks.
    private static let page: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Sources/BiologinClient/BiologinClient.docc/Faults.md")
        return try? String(contentsOf: file, encoding: .utf8)
    }()

    @Test(arguments: LoginErrorName.allCases) func namesEveryErrorWithItsCode(_ error: LoginErrorName) throws {
        let page = try #require(Self.page)
        #expect(page.contains("`\(error.rawValue)` (\(error.code))"))
    }
}
