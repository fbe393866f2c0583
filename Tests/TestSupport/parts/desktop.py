"""The parts of a desktop that a biometric login needs, each the real program from Debian's packages."""
import os
import shutil

from gi.repository import GLib

from . import keyring, logind, reader, refusing_polkit
from .bus import Bus
from .keyring import Keyring
from .process import Process
from .reader import Reader

# The longest path below the directory is gnome-keyring's "run/keyring/control"; a socket's path has at most 107 bytes.
DIRECTORY_LIMIT = 85
RULES = """polkit.addRule(function(action, subject) {
  if (action.id.startsWith("net.reactivated.fprint.device.")) return polkit.Result.YES;
});
"""
LAUNCHED = ("session-bus", "system-bus", "keyring", "polkit", "fprintd", "prompter", "logind")
# polkitd reads fixed paths: it gets private ones in a mount namespace. It leaves root behind before it connects, so the
# bus is mounted too, lest it depend on who may enter the directory.
POLKITD = """
mount --bind "$1/rules.d" /etc/polkit-1/rules.d
mount --bind "$1/rules.d" /usr/share/polkit-1/rules.d
mount --bind "$1/actions" /usr/share/polkit-1/actions
mount --bind "$1" /mnt
DBUS_SYSTEM_BUS_ADDRESS=unix:path=/mnt/bus exec /usr/lib/polkit-1/polkitd --no-debug
"""


class Desktop:
    def __init__(self, directory, reader_kind="storage", keyring_kind="unlocked"):
        if len(os.fsencode(directory)) > DIRECTORY_LIMIT:
            raise OSError(f"{directory}: a path of at most {DIRECTORY_LIMIT} bytes is needed, for the sockets in it")
        self.directory, self.keyring_kind = directory, keyring_kind
        logs = self.make("logs", 0o700)
        self.processes = {name: Process(name, logs)
                          for name in ("session-bus", "system-bus", "keyring", "polkit", "fprintd", "prompter", "logind")}
        self.session_bus = Bus(self.processes["session-bus"], os.path.join(self.make("run", 0o700), "bus"))
        self.system_bus = Bus(self.processes["system-bus"], os.path.join(self.make("system", 0o755), "bus"))
        self.reader = Reader(self.system_bus, reader_kind, directory)
        self.keyring = Keyring(self.session_bus)
        self.environment = {
            "BIOLOGIN_DESKTOP": directory,
            "BIOLOGIN_SYSTEM_BUS": self.system_bus.address,
            "DBUS_SESSION_BUS_ADDRESS": self.session_bus.address,
            "XDG_RUNTIME_DIR": os.path.join(directory, "run"),
            "HOME": self.make("home", 0o700),
            "XDG_CONFIG_HOME": self.make("home/.config", 0o700),
            "XDG_CACHE_HOME": self.make("home/.cache", 0o700),
            "XDG_DATA_HOME": self.make("home/.local/share", 0o700),
            "XDG_STATE_HOME": self.make("home/.local/state", 0o700),
            "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8",
        }

    def make(self, name, mode):
        path = os.path.join(self.directory, name)
        os.makedirs(path, exist_ok=True)
        os.chmod(path, mode)
        return path

    def start(self):
        self.launch_session_bus()
        self.launch_system_bus()
        if self.keyring_kind != "none":
            self.launch_keyring()
        self.launch_polkit()
        self.launch_fprintd()
        for name in ("keyring", "polkit", "fprintd"):
            if self.processes[name].child is not None:
                self.await_name(name)

    def stop(self):
        """Nothing that ends here has anything worth saving."""
        for process in reversed(self.processes.values()):
            process.kill()

    def launch_session_bus(self):
        self.session_bus.start(self.environment)

    def launch_system_bus(self):
        self.system_bus.start(self.environment)
        self.reader.listen()

    def launch_keyring(self, locked="", within=None):
        unlock, password = ([], b"") if locked == "locked" else (["--unlock"], keyring.PASSWORD.encode())
        enter = ["nsenter", "--target", within, "--mount", "--"] if within else []
        self.processes["keyring"].start([*enter, "gnome-keyring-daemon", "--foreground", "--components=secrets", *unlock],
                                        self.environment, stdin=password)

    def launch_polkit(self, refusing=""):
        if refusing:
            return self.launch_stand_in("polkit", refusing_polkit)
        with open(os.path.join(self.make("system/rules.d", 0o755), "10-desktop.rules"), "w") as rules:
            rules.write(RULES)
        actions = self.make("system/actions", 0o755)
        for name in ("net.reactivated.fprint.device", "org.freedesktop.policykit"):
            shutil.copy(f"/usr/share/polkit-1/actions/{name}.policy", actions)
        self.processes["polkit"].start(
            ["unshare", "--mount", "sh", "-euc", POLKITD, "polkitd", os.path.join(self.directory, "system")],
            self.environment)

    def launch_fprintd(self, kind=None):
        if kind is not None:
            self.reader.plug(kind)
        self.make("prints", 0o700)
        self.processes["fprintd"].start(
            ["/usr/libexec/fprintd", "--no-timeout"],
            {**self.environment, **self.reader.environment, "DBUS_SYSTEM_BUS_ADDRESS": self.system_bus.address})

    def launch_prompter(self, behavior, *passwords):
        script = os.path.join(os.path.dirname(__file__), "prompter.py")
        self.processes["prompter"].start(["/usr/bin/python3", "-B", script, behavior, *passwords], self.environment)

    def launch_logind(self):
        self.launch_stand_in("logind", logind)

    def launch_stand_in(self, part, module):
        self.processes[part].start(["/usr/bin/python3", "-B", module.__file__],
                                   {**self.environment, "DBUS_SESSION_BUS_ADDRESS": self.system_bus.address})

    def await_name(self, part):
        bus, name = {"keyring": (self.session_bus, keyring.NAME), "fprintd": (self.system_bus, reader.NAME),
                     "polkit": (self.system_bus, "org.freedesktop.PolicyKit1"),
                     "prompter": (self.session_bus, "org.gnome.keyring.SystemPrompter"),
                     "logind": (self.system_bus, logind.NAME)}[part]
        bus.wait_for_owner(name, self.processes[part])

    def carry_out(self, verb, *words):
        """A control command; the text of its answer."""
        match verb:
            case "enroll" | "delete" | "list":
                return getattr(self.reader, verb)(*words)
            case "touch" | "retry" | "error":
                return self.reader.scan({"touch": "SCAN"}.get(verb, verb.upper()), *words)
            case "raw":
                return self.reader.send(*words)
            case "claim" | "release":
                return getattr(self.reader, verb)()
            case "keyring" if words and words[0] in ("lock", "unlock", "state", "delete"):
                return getattr(self.keyring, words[0])(*words[1:])
            case "logind" if words:
                return self.system_bus.call(logind.NAME, logind.PATH, logind.CONTROL, "Do",
                                            GLib.Variant("(as)", (words,)))[0]
            case "start" | "restart" if words and words[0] in LAUNCHED:
                getattr(self, "launch_" + words[0].replace("-", "_"))(*words[1:])
                return None if words[0].endswith("-bus") else self.await_name(words[0])
            case "end" | "kill" | "freeze" | "thaw" | "pid" if words and words[0] in self.processes:
                process = self.processes[words[0]]
                return process.pid if verb == "pid" else getattr(process, verb)()
        raise ValueError("no such command; see desktop --help")
