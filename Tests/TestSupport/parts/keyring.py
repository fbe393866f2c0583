"""gnome-keyring's collections, locked and unlocked without a prompt."""
from gi.repository import GLib

NAME, PATH = "org.freedesktop.secrets", "/org/freedesktop/secrets"
SERVICE = "org.freedesktop.Secret.Service"
PASSWORD = "password"


class Keyring:
    def __init__(self, bus):
        self.bus = bus

    def lock(self, collection="login"):
        self.bus.call(NAME, PATH, SERVICE, "Lock", GLib.Variant("(ao)", ([collection_path(collection)],)))

    def unlock(self, collection="login", password=PASSWORD):
        session = self.bus.call(NAME, PATH, SERVICE, "OpenSession",
                                GLib.Variant("(sv)", ("plain", GLib.Variant("s", ""))))[1]
        secret = (session, b"", password.encode(), "text/plain")
        self.bus.call(NAME, PATH, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface",
                      "UnlockWithMasterPassword", GLib.Variant("(o(oayays))", (collection_path(collection), secret)))

    def state(self, collection="login"):
        locked, = self.bus.call(NAME, collection_path(collection), "org.freedesktop.DBus.Properties", "Get",
                                GLib.Variant("(ss)", ("org.freedesktop.Secret.Collection", "Locked")))
        return "locked" if locked else "unlocked"

    def delete(self, collection):
        self.bus.call(NAME, collection_path(collection), "org.freedesktop.Secret.Collection", "Delete", None)


def collection_path(name):
    return f"{PATH}/collection/{name}"
