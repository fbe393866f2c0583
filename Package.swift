// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]
// Targets that call no C library are checked for memory safety too.
let strict = settings + [.strictMemorySafety()]

let package = Package(
    name: "biologin",
    products: [
        .library(name: "BiologinClient", targets: ["BiologinClient", "BiologinAPI"]),
        .executable(name: "biologind", targets: ["biologind"]),
        .executable(name: "biologinctl", targets: ["biologinctl"]),
        .executable(name: "biologin-enrollmentd", targets: ["biologin-enrollmentd"]),
    ],
    targets: [
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CGio", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

        .target(name: "Varlink", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "BiologinAPI", dependencies: ["Varlink"],
            resources: [.embedInCode("org.biologin.Login.varlink"), .embedInCode("org.biologin.Enrollment.varlink")],
            swiftSettings: strict),
        .target(name: "BiologinClient", dependencies: ["BiologinAPI", "Varlink"], swiftSettings: strict),
        .target(name: "BiologinVault", dependencies: ["CSodium"], swiftSettings: settings),
        .target(name: "BiologinCore", dependencies: ["BiologinVault"], swiftSettings: strict),
        .target(
            name: "BiologinLinux",
            dependencies: [
                "BiologinAPI", "BiologinCore", "BiologinVault", "CGio", "CLinux", "CSecret", "CSystemd", "Varlink",
            ],
            swiftSettings: settings),
        .target(
            name: "BiologinServer", dependencies: ["BiologinAPI", "BiologinCore", "BiologinVault", "Varlink"],
            swiftSettings: strict),
        .target(
            name: "BiologinEnrollment", dependencies: ["BiologinAPI", "BiologinVault", "CSodium", "Varlink"],
            swiftSettings: settings),
        .target(name: "CommandLineOptions", dependencies: ["CGio"], swiftSettings: settings),
        .executableTarget(
            name: "biologind",
            dependencies: [
                "BiologinAPI", "BiologinCore", "BiologinLinux", "BiologinServer", "BiologinVault",
                "CommandLineOptions", "Varlink",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "biologinctl", dependencies: ["BiologinAPI", "BiologinClient", "CommandLineOptions", "Varlink"],
            swiftSettings: strict),
        // A service of root's: nothing that it does not need is linked into it.
        .executableTarget(
            name: "biologin-enrollmentd", dependencies: ["BiologinAPI", "BiologinEnrollment", "CLinux", "Varlink"],
            swiftSettings: settings),

        .target(
            name: "TestSupport", path: "Tests/TestSupport", exclude: ["demo", "desktop", "parts"],
            swiftSettings: settings),
        .testTarget(name: "VarlinkTests", dependencies: ["TestSupport", "Varlink"], swiftSettings: settings),
        .testTarget(name: "BiologinAPITests", dependencies: ["BiologinAPI", "Varlink"], swiftSettings: settings),
        .testTarget(name: "CommandLineOptionsTests", dependencies: ["CommandLineOptions"], swiftSettings: settings),
        .testTarget(
            name: "BiologinClientTests", dependencies: ["BiologinAPI", "BiologinClient", "TestSupport", "Varlink"],
            swiftSettings: settings),
        .testTarget(
            name: "biologinctlTests", dependencies: ["BiologinAPI", "BiologinClient", "TestSupport", "biologinctl"],
            swiftSettings: settings),
        .testTarget(
            name: "BiologinVaultTests", dependencies: ["BiologinVault", "TestSupport"], exclude: ["Vectors"],
            swiftSettings: settings),
        .testTarget(
            name: "BiologinCoreTests", dependencies: ["BiologinCore", "BiologinVault"], swiftSettings: settings),
        .testTarget(
            name: "BiologinLinuxTests",
            dependencies: [
                "BiologinCore", "BiologinLinux", "BiologinVault", "CGio", "CLinux", "TestSupport", "Varlink",
            ],
            exclude: ["StandIns"],
            swiftSettings: settings),
        .testTarget(
            name: "BiologinEnrollmentTests",
            dependencies: [
                "BiologinAPI", "BiologinEnrollment", "BiologinVault", "TestSupport", "Varlink", "biologin-enrollmentd",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BiologinServerTests",
            dependencies: ["BiologinAPI", "BiologinCore", "BiologinServer", "BiologinVault", "Varlink"],
            swiftSettings: settings),
        // The built programs, from outside, among the real parts.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "BiologinAPI", "BiologinClient", "TestSupport", "Varlink", "biologin-enrollmentd", "biologind",
                "biologinctl",
            ],
            swiftSettings: settings),
    ]
)
