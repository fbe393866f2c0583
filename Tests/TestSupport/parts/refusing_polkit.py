"""Stands in for polkitd and refuses everything: the real one allows root everything, whatever its rules say."""
from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority"
INTERFACES = f"""<node>
  <interface name="{NAME}.Authority">
    <method name="CheckAuthorization">
      <arg type="(sa{{sv}})" direction="in"/><arg type="s" direction="in"/><arg type="a{{ss}}" direction="in"/>
      <arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="(bba{{ss}})" direction="out"/>
    </method>
    <signal name="Changed"/>
  </interface>
</node>"""


def refuse(_connection, _sender, _path, _interface, _method, _parameters, invocation):
    invocation.return_value(GLib.Variant("((bba{ss}))", ((False, False, {}),)))


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces[0], refuse, None, None)
    Gio.bus_own_name_on_connection(bus, NAME, 0, None, None)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
