internal import Glibc
internal import Synchronization

/// What biologinctl needs of its terminal and its process.
enum Terminal {
    /// Takes the place of a standard descriptor that was closed, so that no socket gets its number; writing to standard
    /// output then fails.
    static func occupyStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// The key passes through this process.
    static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// What errno says.
    static var lastError: String { unsafe String(cString: strerror(errno)) }

    static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// How the terminal was before it showed nothing; nil while it shows what is typed.
    private static let settings = Mutex<termios?>(nil)

    /// Shows again what is typed: also for whoever exits while something is typed.
    static func restoreEcho() {
        settings.withLock { settings in
            if var before = settings { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
            settings = nil
        }
    }

    /// Runs `body` while standard input gives each byte as it is typed, and shows none.
    static func withoutEcho<R>(_ body: (_ keys: EditingKeys) throws -> R) rethrows -> R {
        var before = termios()
        unsafe tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON)
        settings.withLock { settings in
            settings = before
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        }
        defer { restoreEcho() }
        return try body(EditingKeys(before))
    }
}

/// The keys that edit a line at this terminal.
struct EditingKeys {
    let erase: UInt8
    let kill: UInt8
    let endOfFile: UInt8

    init(_ settings: termios) {
        let characters = settings.c_cc
        (erase, kill, endOfFile) = (characters.2, characters.3, characters.4)
    }
}
