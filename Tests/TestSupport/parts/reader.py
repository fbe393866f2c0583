"""Fingers on libfprint's virtual reader, behind the real fprintd."""
import os
import socket

from gi.repository import GLib

from .bus import wait_until

NAME, PATH = "net.reactivated.Fprint", "/net/reactivated/Fprint/Manager"
DEVICE = NAME + ".Device"
VARIABLES = {"storage": "FP_VIRTUAL_DEVICE_STORAGE", "host": "FP_VIRTUAL_DEVICE"}


class Reader:
    def __init__(self, bus, kind, directory):
        self.bus, self.socket = bus, os.path.join(directory, "reader")
        self.environment = {"STATE_DIRECTORY": os.path.join(directory, "prints")}
        # Never a reader of this computer: libfprint is to try its virtual ones only. (The variable was renamed once.)
        for name in ("FP_DRIVERS_WHITELIST", "FP_DRIVERS_ALLOWLIST"):
            self.environment[name] = "virtual_device:virtual_device_storage"
        self.plug(kind)
        self.statuses = []

    def plug(self, kind):
        """From the next start of fprintd on."""
        for name in VARIABLES.values():
            self.environment.pop(name, None)
        if kind in VARIABLES:
            self.environment[VARIABLES[kind]] = self.socket

    def listen(self):
        def status(_connection, _sender, _path, _interface, _signal, parameters):
            self.statuses.append(parameters.unpack())
        for signal in ("VerifyStatus", "EnrollStatus"):
            self.bus.connection.signal_subscribe(NAME, DEVICE, signal, None, None, 0, status)
        # Wakes `wait_until`.
        self.bus.connection.signal_subscribe(
            NAME, "org.freedesktop.DBus.Properties", "PropertiesChanged", None, None, 0, lambda *_: None)

    def call(self, method, signature="()", *arguments):
        device, = self.bus.call(NAME, PATH, NAME + ".Manager", "GetDefaultDevice")
        return self.bus.call(NAME, device, DEVICE, method, GLib.Variant(signature, arguments))

    def claim(self):
        self.call("Claim", "(s)", "")

    def release(self):
        self.call("Release")

    def waits(self):
        """Whether the sensor waits for a finger now."""
        device, = self.bus.call(NAME, PATH, NAME + ".Manager", "GetDefaultDevice")
        return self.bus.call(NAME, device, "org.freedesktop.DBus.Properties", "Get",
                             GLib.Variant("(ss)", (DEVICE, "finger-needed")))[0]

    def send(self, *words):
        """One command of the virtual reader, which listens only while a program has claimed it."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            try:
                connection.connect(self.socket)
            except (FileNotFoundError, ConnectionRefusedError):
                raise RuntimeError("nothing has claimed the reader") from None
            connection.sendall(" ".join(words).encode())
            connection.shutdown(socket.SHUT_WR)
            try:
                while connection.recv(4096):
                    pass
            except ConnectionResetError:
                pass  # released meanwhile

    def scan(self, *words):
        """What the reader made of it, in fprintd's words."""
        if not wait_until(self.waits):
            raise RuntimeError("the reader does not wait for a finger")
        while GLib.MainContext.default().iteration(False):
            pass
        self.statuses.clear()
        self.send(*words)
        if not wait_until(lambda: self.statuses):
            raise RuntimeError("the reader did not answer")
        return self.statuses[0][0]

    def enroll(self, finger, name, user=""):
        self.call("Claim", "(s)", user)
        try:
            self.call("EnrollStart", "(s)", finger)
            while (result := self.scan("SCAN", name)) == "enroll-stage-passed":
                pass
            self.call("EnrollStop")
        finally:
            self.call("Release")
        if result != "enroll-completed":
            raise RuntimeError(result)

    def delete(self, finger=None):
        self.call("Claim", "(s)", "")
        try:
            if finger is None:
                self.call("DeleteEnrolledFingers2")
            else:
                self.call("DeleteEnrolledFinger", "(s)", finger)
        finally:
            self.call("Release")

    def list(self):
        try:
            return " ".join(self.call("ListEnrolledFingers", "(s)", "")[0])
        except GLib.Error as error:
            if "NoEnrolledPrints" in error.message:
                return ""
            raise
