"""Stands in for logind, which wants to be the only one on its computer: what org.freedesktop.login1(5) says of sleep, of the
lid and of one session. `Do` of its control interface takes the words of a control command, see `desktop`.
"""
import os

from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.login1", "/org/freedesktop/login1"
MANAGER, SESSION, USER = NAME + ".Manager", NAME + ".Session", NAME + ".User"
CONTROL = "org.biologin.StandIn"
FPRINTD = "net.reactivated.Fprint"
# Who is waited for before sleep, and for how long, as InhibitDelayMaxSec has it.
WHO, DELAY = "Biologin", 5
INTERFACES = f"""<node>
  <interface name="{MANAGER}">
    <method name="GetSessionByPID"><arg type="u" direction="in"/><arg type="o" direction="out"/></method>
    <method name="GetUser"><arg type="u" direction="in"/><arg type="o" direction="out"/></method>
    <method name="GetSession"><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
    <method name="Inhibit">
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
      <arg type="s" direction="in"/><arg type="h" direction="out"/>
    </method>
    <property name="PreparingForSleep" type="b" access="read"/>
    <property name="LidClosed" type="b" access="read"/>
    <property name="Docked" type="b" access="read"/>
  </interface>
  <interface name="{SESSION}">
    <property name="Active" type="b" access="read"/>
    <property name="LockedHint" type="b" access="read"/>
    <property name="Remote" type="b" access="read"/>
  </interface>
  <interface name="{USER}">
    <property name="Display" type="(so)" access="read"/>
  </interface>
  <interface name="{CONTROL}">
    <method name="Do"><arg type="as" direction="in"/><arg type="s" direction="out"/></method>
  </interface>
</node>"""


class Logind:
    def __init__(self):
        self.properties = {"PreparingForSleep": False, "LidClosed": False, "Docked": False, "Active": True,
                           "LockedHint": False, "Remote": False}
        self.session, self.inhibitors, self.whenever, self.is_old = None, {}, [], False
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.interfaces = Gio.DBusNodeInfo.new_for_xml(INTERFACES)
        for interface in (MANAGER, CONTROL):
            self.export(PATH, interface)
        self.export(PATH + "/user/_30", USER)
        self.begin("1")
        Gio.bus_own_name_on_connection(self.bus, NAME, 0, None, None)

    def export(self, path, interface):
        return self.bus.register_object(path, self.interfaces.lookup_interface(interface), self.called, self.get, None)

    def get(self, _connection, _sender, _path, _interface, name):
        if name == "Display":
            return GLib.Variant("(so)", ("1", self.session[0]) if self.session else ("", "/"))
        return GLib.Variant("b", self.properties[name])

    def called(self, _connection, sender, _path, _interface, method, parameters, invocation):
        match method, *parameters.unpack():
            case "GetSession", "auto" if self.session and not self.is_old:
                invocation.return_value(GLib.Variant("(o)", (self.session[0],)))
            case "GetUser", _:
                invocation.return_value(GLib.Variant("(o)", (PATH + "/user/_30",)))
            case "GetSession" | "GetSessionByPID", _:
                invocation.return_dbus_error(NAME + ".NoSessionForPID", "the caller has no session")
            case "Inhibit", "sleep", who, _, "delay" if not self.properties["PreparingForSleep"]:
                ours, theirs = os.pipe()
                invocation.return_value_with_unix_fd_list(
                    GLib.Variant("(h)", (0,)), Gio.UnixFDList.new_from_array([theirs]))
                GLib.io_add_watch(ours, GLib.IO_HUP, self.closed)
                self.inhibitors[ours] = who
                self.look()
            case "Inhibit", *_:
                invocation.return_dbus_error(NAME + ".OperationInProgress", "it is under way already")
            case "Do", words:
                self.carry_out(*words, answer=lambda text="": invocation.return_value(GLib.Variant("(s)", (text,))))

    def carry_out(self, verb, *words, answer):
        match verb, *words:
            case "sleep", *how:
                patience = 0 if "unasked" in how else DELAY
                return self.when(self.is_inhibited, patience, lambda inhibited: self.sleep(answer, inhibited, how))
            case "inhibited", *_:
                return self.when(self.is_inhibited, DELAY, lambda is_inhibited: answer("yes" if is_inhibited else "no"))
            case "wake", *_:
                self.prepare_for_sleep(False)
            case "lock" | "unlock", *_:
                self.change(LockedHint=verb == "lock")
            case "old", *_:
                self.is_old = True  # knows no session "auto"
            case "lid", state:
                self.properties["LidClosed"] = state == "closed"  # which nobody is told
            case "docked", state:
                self.properties["Docked"] = state == "yes"
            case ("active" | "remote") as name, state:
                self.change(**{name.capitalize(): state == "yes"})
            case "session", name:
                self.begin(name)
            case "ask-to-lock", *_:
                self.emit(self.session[0], SESSION, "Lock", None)
        answer()

    def sleep(self, answer, inhibited, how):
        self.prepare_for_sleep(True)
        if not inhibited:
            return answer("uninhibited")
        look = (lambda: "let go") if "blindly" in how else self.sensor
        self.when(lambda: not self.is_inhibited(), DELAY, lambda let_go: answer(look() if let_go else "late"))

    def prepare_for_sleep(self, begins):
        self.properties["PreparingForSleep"] = begins
        self.emit(PATH, MANAGER, "PrepareForSleep", GLib.Variant("(b)", (begins,)))

    def change(self, **properties):
        self.properties |= properties
        changed = {name: GLib.Variant("b", value) for name, value in properties.items()}
        self.emit(self.session[0], "org.freedesktop.DBus.Properties", "PropertiesChanged",
                  GLib.Variant("(sa{sv}as)", (SESSION, changed, [])))

    def begin(self, name):
        """Another session, or none, instead of the one there was."""
        if self.session:
            self.bus.unregister_object(self.session[1])
            self.emit(PATH, MANAGER, "SessionRemoved", GLib.Variant("(so)", ("1", self.session[0])))
            self.session = None
        if name != "none":
            path = f"{PATH}/session/_3{name}"
            self.session = path, self.export(path, SESSION)
            self.emit(PATH, MANAGER, "SessionNew", GLib.Variant("(so)", (name, path)))

    def emit(self, path, interface, signal, arguments):
        self.bus.emit_signal(None, path, interface, signal, arguments)

    def is_inhibited(self):
        return WHO in self.inhibitors.values()

    def closed(self, descriptor, _condition):
        os.close(descriptor)
        del self.inhibitors[descriptor]
        self.look()
        return GLib.SOURCE_REMOVE

    def when(self, condition, seconds, then):
        """Calls `then(True)` as soon as the condition is met, or `then(False)` when the time is over."""
        waiting = [condition, lambda: then(True)]
        self.whenever.append(waiting)

        def give_up():
            if waiting in self.whenever:
                self.whenever.remove(waiting)
                then(False)
            return GLib.SOURCE_REMOVE
        GLib.timeout_add(seconds * 1000, give_up)
        self.look()

    def look(self):
        for waiting in [waiting for waiting in self.whenever if waiting[0]()]:
            self.whenever.remove(waiting)
            waiting[1]()

    def sensor(self):
        """Whether fprintd waits for a finger on any of its readers now; only one that runs is asked."""
        def call(path, interface, method, *words):
            return self.bus.call_sync(FPRINTD, path, interface, method, GLib.Variant(f"({'s' * len(words)})", words), None,
                                      Gio.DBusCallFlags.NO_AUTO_START, -1, None).unpack()[0]
        try:
            devices = call("/net/reactivated/Fprint/Manager", FPRINTD + ".Manager", "GetDevices")
            lit = any(call(device, "org.freedesktop.DBus.Properties", "Get", FPRINTD + ".Device", "finger-needed")
                      for device in devices)
        except GLib.Error as error:
            return str(error.message)
        return "lit" if lit else "dark"


if __name__ == "__main__":
    logind = Logind()
    GLib.MainLoop().run()
