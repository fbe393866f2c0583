"""Control commands, each a line over a socket in the desktop's directory, and how long the desktop lasts."""
import os
import select
import signal
import socket
import subprocess
import sys


def ask(directory, words):
    """The answer of the desktop that runs there."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.path.join(directory, "control"))
        connection.sendall((" ".join(words) + "\n").encode())
        return connection.makefile().readline().rstrip("\n")


def serve(desktop):
    """Until standard input ends."""
    with started(desktop) as listener:
        for name, value in desktop.environment.items():
            print(f"{name}={value}")
        print("ready", flush=True)
        answer_until_readable(desktop, listener, 0)
        while os.read(0, 4096):
            answer_until_readable(desktop, listener, 0)
    return 0


def run(desktop, command):
    """Until the command ends; its exit status, as a shell has it."""
    with started(desktop) as listener:
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        child = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", "--", *command],
                                 env=environment | desktop.environment)
        answer_until_readable(desktop, listener, os.pidfd_open(child.pid))
        status = child.wait()
    return status if status >= 0 else 128 - status


class started:
    """A desktop and the socket it is controlled by, for the length of a `with`."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.path = os.path.join(desktop.directory, "control")

    def __enter__(self):
        self.listener = socket.socket(socket.AF_UNIX)
        try:
            self.desktop.start()
            self.listener.bind(self.path)
            self.listener.listen()
        except BaseException:
            self.desktop.stop()
            raise
        return self.listener

    def __exit__(self, *_):
        handle_signals(signal.SIG_IGN)
        self.desktop.stop()
        self.listener.close()
        os.unlink(self.path)


def end_on_signals():
    """The first one ends the desktop; another one does not keep it from clearing up."""
    handle_signals(end)


def end(number, _frame):
    handle_signals(signal.SIG_IGN)
    sys.exit(128 + number)


def handle_signals(handler):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handler)


def answer_until_readable(desktop, listener, descriptor):
    while descriptor not in select.select([listener, descriptor], [], [])[0]:
        with listener.accept()[0] as connection, connection.makefile("rw") as stream:
            stream.write(answer(desktop, stream.readline()) + "\n")


def answer(desktop, line):
    try:
        result = desktop.carry_out(*line.split())
    except Exception as error:  # whatever a part says is the answer; the desktop goes on
        return "error " + " ".join(str(getattr(error, "message", error)).split())
    return "ok" if result is None else f"ok {result}".rstrip()
