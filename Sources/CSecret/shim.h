#pragma once
/* SecretItem, SecretCollection and SecretService are declared only under this name. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

/*
 * SecretService insists on the session bus of g_bus_get(), which ends the process when it is closed, and on whoever owns the
 * name. This class takes a connection and an owner.
 */
static inline GObject *secret_service_bound_construct(GType type, guint count, GObjectConstructParam *properties) {
    GObjectClass *parent = (GObjectClass *)g_type_class_peek(SECRET_TYPE_SERVICE);
    GObject *object = parent->constructor(type, count, properties);
    const char *owner = NULL;
    for (guint index = 0; index < count; index++)
        if (g_str_equal(properties[index].pspec->name, "g-name")) owner = g_value_get_string(properties[index].value);
    /* No properties and no signals: a provider may have thousands of items. */
    g_object_set(
        object, "g-bus-type", G_BUS_TYPE_NONE, "g-name", owner, "g-flags",
        G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS, NULL);
    return object;
}

static inline void secret_service_bound_class(gpointer class, gpointer data) {
    (void)data;
    ((GObjectClass *)class)->constructor = secret_service_bound_construct;
}

/* Ends with g_async_initable_new_finish. Only for one thread. */
static inline void secret_service_new_bound(
    GDBusConnection *connection, const char *owner, GCancellable *cancellable, GAsyncReadyCallback done, gpointer data) {
    static GType type = 0;
    if (!type) {
        type = g_type_register_static_simple(
            SECRET_TYPE_SERVICE, "SecretServiceBound", sizeof(SecretServiceClass), secret_service_bound_class,
            sizeof(SecretService), NULL, (GTypeFlags)0);
    }
    g_async_initable_new_async(
        type, G_PRIORITY_DEFAULT, cancellable, done, data, "g-connection", connection, "g-name", owner, NULL);
}
