#pragma once
/* SecretItem, SecretCollection and SecretService are declared only under this name. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

/* Variadic. Properties are not loaded and no signals followed: a collection may hold thousands of items. */
static inline void secret_service_new_on_bus(
    GDBusConnection *connection, const char *owner, GCancellable *cancellable, GAsyncReadyCallback done, gpointer data) {
    g_async_initable_new_async(
        SECRET_TYPE_SERVICE, G_PRIORITY_DEFAULT, cancellable, done, data,
        "g-flags", G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS,
        "g-connection", connection, "g-name", owner, "g-object-path", "/org/freedesktop/secrets",
        "g-interface-name", "org.freedesktop.Secret.Service", NULL);
}
