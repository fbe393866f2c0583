"""A message bus of our own, and waiting for what happens on it."""
import os

from gi.repository import Gio, GLib

# Nothing starts by itself: no service directory holds a file.
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>{name}</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="false"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow receive_sender="*" eavesdrop="false"/>
  </policy>
</busconfig>
"""


class Bus:
    def __init__(self, process, socket):
        self.process, self.socket = process, socket
        self.address = "unix:path=" + socket
        self.connection = None

    def start(self, environment):
        """Returns once the bus can be connected to."""
        configuration = self.socket + ".conf"
        with open(configuration, "w") as file:
            file.write(CONFIGURATION.format(name="session", socket=self.socket))
        ours, theirs = os.pipe()
        self.process.start(["dbus-daemon", "--config-file", configuration, "--nofork", "--nopidfile",
                            f"--print-address={theirs}"], environment, pass_fds=[theirs])
        os.close(theirs)
        with open(ours) as address:
            if not address.readline():
                raise RuntimeError(f"no {self.process.name}: {self.process.last_words()}")
        flags = Gio.DBusConnectionFlags
        self.connection = Gio.DBusConnection.new_for_address_sync(
            self.address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
        self.connection.set_exit_on_close(False)

    def call(self, name, path, interface, method, arguments=None, seconds=10):
        reply = self.connection.call_sync(name, path, interface, method, arguments, None, 0, seconds * 1000, None)
        return reply.unpack()

    def has_owner(self, name):
        return self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                         GLib.Variant("(s)", (name,)))[0]

    def wait_for_owner(self, name, process):
        """Until the program has taken its name, so that the first call to it is answered."""
        watch = Gio.bus_watch_name_on_connection(self.connection, name, 0, None, None)
        try:
            if not wait_until(lambda: not process.running or self.has_owner(name)) or not process.running:
                raise RuntimeError(f"{process.name} did not start: {process.last_words()}")
        finally:
            Gio.bus_unwatch_name(watch)


def wait_until(condition, seconds=10):
    """Looks again whenever a signal has arrived; false when the time is over."""
    over = []
    timer = GLib.timeout_add(int(seconds * 1000), lambda: over.append(True) or GLib.SOURCE_REMOVE)
    while not (met := condition()) and not over:
        GLib.MainContext.default().iteration(True)
    if not over:
        GLib.source_remove(timer)
    return met
