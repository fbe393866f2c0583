"""prompter.py answer|cancel|hang [PASSWORD...]: who sits before gnome-keyring's prompts, by its internal Prompter interface.

A prompt begins with BeginPrompting(callback). The callback is told when we are ready, keyring asks with PerformPrompt,
and is told the answer in the same way, the password in a secret exchange. Each prompt is given the passwords one after the
other, and is dismissed when it takes none of them.
"""
import sys

import gi
gi.require_version("Gcr", "3")
from gi.repository import Gcr, Gio, GLib  # noqa: E402

NAME, PATH = "org.gnome.keyring.SystemPrompter", "/org/gnome/keyring/Prompter"
CALLBACK = "org.gnome.keyring.internal.Prompter.Callback"
INTERFACE = """<node><interface name="org.gnome.keyring.internal.Prompter">
  <method name="BeginPrompting"><arg type="o" direction="in"/></method>
  <method name="PerformPrompt">
    <arg type="o" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
    <arg type="s" direction="in"/>
  </method>
  <method name="StopPrompting"><arg type="o" direction="in"/></method>
</interface></node>"""


class Prompter:
    def __init__(self, behavior, *passwords):
        self.behavior, self.passwords = behavior, passwords or ["password"]
        self.exchanges, self.left = {}, {}
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], self.called, None, None)
        Gio.bus_own_name_on_connection(self.bus, NAME, 0, None, None)

    def called(self, _connection, sender, _path, _interface, method, parameters, invocation):
        callback, *rest = parameters.unpack()
        invocation.return_value(None)
        match method:
            case "BeginPrompting":
                self.exchanges[callback] = Gcr.SecretExchange.new(None)
                self.left[callback] = list(self.passwords) if self.behavior == "answer" else []
                self.ready(sender, callback, "", "")
            case "PerformPrompt" if self.behavior != "hang":
                kind, _properties, theirs = rest
                exchange = self.exchanges[callback]
                exchange.receive(theirs)
                if self.left[callback]:
                    secret = self.left[callback].pop(0) if kind == "password" else None
                    self.ready(sender, callback, "yes", exchange.send(secret, -1))
                else:
                    self.ready(sender, callback, "no", exchange.send(None, 0))
            case "StopPrompting":
                del self.exchanges[callback], self.left[callback]
                self.bus.call(sender, callback, CALLBACK, "PromptDone", None, None, 0, -1, None, None)

    def ready(self, sender, callback, answer, exchanged):
        self.bus.call(sender, callback, CALLBACK, "PromptReady", GLib.Variant("(sa{sv}s)", (answer, {}, exchanged)),
                      None, 0, -1, None, None)


if __name__ == "__main__":
    prompter = Prompter(*sys.argv[1:])
    GLib.MainLoop().run()
