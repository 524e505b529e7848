/* registry.c: keys and values as drivers read them (Zw...Key, RtlQueryRegistryValues), and the
 * properties of the device. */
#include "kit/registry.h"

struct open_key {
    struct kit_key *key;
};

static void lock(void)
{
    pthread_mutex_lock(&vidmm_kit_kernel.objects);
}

static void unlock(void)
{
    pthread_mutex_unlock(&vidmm_kit_kernel.objects);
}

/* ---- keys ---- */

static struct open_key *open_of(const void *caller, HANDLE handle, const char *routine)
{
    struct open_key *open = vidmm_kit_handle_body(handle, KIT_OBJECT_KEY);

    if (!open)
        vidmm_kit_find(caller, VIDMM_KIT_BAD_HANDLE, "%s: %p", routine, handle);
    return open;
}

static bool parent_is_there(const char *path)
{
    char *up = strdup(path), *last = up ? strrchr(up, '\\') : NULL;
    bool there = false;

    if (last) {
        *last = 0;
        there = vidmm_kit_key_find(up, false) != NULL;
    }
    free(up);
    return there;
}

/* A key is made only directly below one that is there. */
static NTSTATUS find_or_make(const char *path, bool make, struct kit_key **key, bool *made)
{
    NTSTATUS status = STATUS_OBJECT_NAME_NOT_FOUND;

    *made = false;
    lock();
    *key = vidmm_kit_key_find(path, false);
    if (*key) {
        status = STATUS_SUCCESS;
    } else if (make && parent_is_there(path)) {
        *key = vidmm_kit_key_find(path, true);
        *made = *key != NULL;
        status = *key ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
    }
    unlock();
    return status;
}

static NTSTATUS open_path(const void *caller, const char *path, bool make, PHANDLE handle,
                          bool *made)
{
    struct kit_key *key;
    NTSTATUS status = find_or_make(path, make, &key, made);
    struct open_key *open;

    *handle = NULL;
    if (status != STATUS_SUCCESS)
        return status;
    open = vidmm_kit_object_create(KIT_OBJECT_KEY, sizeof(*open), NULL);
    if (!open)
        return STATUS_INSUFFICIENT_RESOURCES;
    open->key = key;
    *handle = vidmm_kit_handle_open(caller, open);
    vidmm_kit_object_unref(NULL, open);
    return *handle ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

static NTSTATUS open_attributes(const void *caller, POBJECT_ATTRIBUTES attributes, bool make,
                                PHANDLE handle, bool *made, const char *routine)
{
    char path[512] = "", *name;
    NTSTATUS status;

    if (attributes->RootDirectory) {
        struct open_key *root = open_of(caller, attributes->RootDirectory, routine);
        if (!root)
            return STATUS_INVALID_HANDLE;
        snprintf(path, sizeof(path), "%s\\", root->key->path);
        vidmm_kit_object_unref(caller, root);
    }
    name = vidmm_kit_narrow(attributes->ObjectName->Buffer, attributes->ObjectName->Length / 2u);
    if (!name)
        return STATUS_INSUFFICIENT_RESOURCES;
    size_t used = strlen(path);
    snprintf(path + used, sizeof(path) - used, "%s", name);
    free(name);
    status = open_path(caller, path, make, handle, made);
    return status;
}

NTSTATUS ZwOpenKey(PHANDLE handle, ACCESS_MASK access, POBJECT_ATTRIBUTES attributes)
{
    bool made;

    (void)access;
    IRQL_MAX(PASSIVE_LEVEL);
    return open_attributes(CALLER, attributes, false, handle, &made, "ZwOpenKey");
}

NTSTATUS ZwCreateKey(PHANDLE handle, ACCESS_MASK access, POBJECT_ATTRIBUTES attributes, ULONG index,
                     PUNICODE_STRING class, ULONG options, PULONG disposition)
{
    bool made = false;
    NTSTATUS status;

    (void)access, (void)index, (void)class, (void)options;
    IRQL_MAX(PASSIVE_LEVEL);
    status = open_attributes(CALLER, attributes, true, handle, &made, "ZwCreateKey");
    if (NT_SUCCESS(status) && disposition)
        *disposition = made ? REG_CREATED_NEW_KEY : REG_OPENED_EXISTING_KEY;
    return status;
}

NTSTATUS IoOpenDeviceRegistryKey(PDEVICE_OBJECT device, ULONG type, ACCESS_MASK access,
                                 PHANDLE handle)
{
    ULONG which = type & ~(ULONG)PLUGPLAY_REGKEY_CURRENT_HWPROFILE;
    char path[512];
    bool made;

    (void)access;
    IRQL_MAX(PASSIVE_LEVEL);
    *handle = NULL;
    if (device != vidmm_kit_device() ||
        (which != PLUGPLAY_REGKEY_DEVICE && which != PLUGPLAY_REGKEY_DRIVER)) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "IoOpenDeviceRegistryKey: DeviceObject %p, DevInstKeyType 0x%x",
                       (void *)device, type);
        return STATUS_INVALID_PARAMETER;
    }
    snprintf(path, sizeof(path), "%s%s", vidmm_kit_driver_key(),
             which == PLUGPLAY_REGKEY_DRIVER ? "" : "\\Device");
    return open_path(CALLER, path, true, handle, &made);
}

/* ---- values ---- */

static void put_wide(WCHAR *to, const char *text)
{
    for (size_t i = 0; text[i]; i++)
        to[i] = (WCHAR)(unsigned char)text[i];
}

/* Give the part of the information that fits, if the part before `fixed` does: as its page has it,
 * some of it written is an overflow, and none of it too small a buffer. */
static NTSTATUS give_some(void *to, ULONG room, const void *all, ULONG size, ULONG fixed)
{
    if (room < fixed)
        return STATUS_BUFFER_TOO_SMALL;
    memcpy(to, all, room < size ? room : size);
    return room < size ? STATUS_BUFFER_OVERFLOW : STATUS_SUCCESS;
}

static NTSTATUS give_partial(const struct kit_value *value, void *to, ULONG room, PULONG needed)
{
    KEY_VALUE_PARTIAL_INFORMATION *partial = to;
    ULONG head = (ULONG)offsetof(KEY_VALUE_PARTIAL_INFORMATION, Data);

    *needed = head + value->size;
    if (room < head)
        return STATUS_BUFFER_TOO_SMALL;
    partial->TitleIndex = 0;
    partial->Type = value->type;
    partial->DataLength = value->size;
    return give_some(partial->Data, room - head, value->data, value->size, 0);
}

static NTSTATUS give_basic(const struct kit_value *value, void *to, ULONG room, PULONG needed)
{
    ULONG name = (ULONG)strlen(value->name) * 2;
    ULONG head = (ULONG)offsetof(KEY_VALUE_BASIC_INFORMATION, Name);
    KEY_VALUE_BASIC_INFORMATION *basic = calloc(1, sizeof(*basic) + name);
    NTSTATUS status = STATUS_INSUFFICIENT_RESOURCES;

    *needed = head + name;
    if (basic) {
        basic->Type = value->type;
        basic->NameLength = name;
        put_wide(basic->Name, value->name);
        status = give_some(to, room, basic, *needed, head);
    }
    free(basic);
    return status;
}

static NTSTATUS give_full(const struct kit_value *value, void *to, ULONG room, PULONG needed)
{
    ULONG name = (ULONG)strlen(value->name) * 2,
          fixed = (ULONG)offsetof(KEY_VALUE_FULL_INFORMATION, Name);
    ULONG head = (fixed + name + 7) & ~7u;
    KEY_VALUE_FULL_INFORMATION *full = calloc(1, head + value->size + sizeof(*full));
    NTSTATUS status = STATUS_INSUFFICIENT_RESOURCES;

    *needed = head + value->size;
    if (full) {
        full->Type = value->type;
        full->DataOffset = head;
        full->DataLength = value->size;
        full->NameLength = name;
        put_wide(full->Name, value->name);
        memcpy((char *)full + head, value->data, value->size);
        status = give_some(to, room, full, *needed, fixed);
    }
    free(full);
    return status;
}

/* Give the part of a value that fits, in the form asked for. */
static NTSTATUS give(const struct kit_value *value, KEY_VALUE_INFORMATION_CLASS class, void *to,
                     ULONG room, PULONG needed)
{
    switch (class) {
    case KeyValuePartialInformation:
        return give_partial(value, to, room, needed);
    case KeyValueBasicInformation:
        return give_basic(value, to, room, needed);
    case KeyValueFullInformation:
        return give_full(value, to, room, needed);
    default:
        return STATUS_INVALID_PARAMETER;
    }
}

NTSTATUS ZwQueryValueKey(HANDLE handle, PUNICODE_STRING name, KEY_VALUE_INFORMATION_CLASS class,
                         PVOID to, ULONG room, PULONG needed)
{
    struct open_key *open;
    NTSTATUS status = STATUS_OBJECT_NAME_NOT_FOUND;
    char *narrow;

    IRQL_MAX(PASSIVE_LEVEL);
    open = open_of(CALLER, handle, "ZwQueryValueKey");
    if (!open)
        return STATUS_INVALID_HANDLE;
    narrow = vidmm_kit_narrow(name->Buffer, name->Length / 2u);
    lock();
    struct kit_value *value = narrow ? vidmm_kit_value_find(open->key, narrow) : NULL;
    if (value)
        status = give(value, class, to, room, needed);
    unlock();
    free(narrow);
    vidmm_kit_object_unref(CALLER, open);
    return status;
}

NTSTATUS ZwEnumerateValueKey(HANDLE handle, ULONG index, KEY_VALUE_INFORMATION_CLASS class,
                             PVOID to, ULONG room, PULONG needed)
{
    struct open_key *open = open_of(CALLER, handle, "ZwEnumerateValueKey");
    NTSTATUS status = STATUS_NO_MORE_ENTRIES;

    IRQL_MAX(PASSIVE_LEVEL);
    if (!open)
        return STATUS_INVALID_HANDLE;
    lock();
    struct kit_value *value = open->key->values;
    while (value && index-- > 0)
        value = value->next;
    if (value)
        status = give(value, class, to, room, needed);
    unlock();
    vidmm_kit_object_unref(CALLER, open);
    return status;
}

NTSTATUS ZwSetValueKey(HANDLE handle, PUNICODE_STRING name, ULONG index, ULONG type, PVOID data,
                       ULONG size)
{
    struct open_key *open = open_of(CALLER, handle, "ZwSetValueKey");
    char *narrow;
    bool done;

    (void)index;
    IRQL_MAX(PASSIVE_LEVEL);
    if (!open)
        return STATUS_INVALID_HANDLE;
    narrow = vidmm_kit_narrow(name->Buffer, name->Length / 2u);
    lock();
    done = narrow && vidmm_kit_value_set(open->key, narrow, type, data, size);
    unlock();
    free(narrow);
    vidmm_kit_object_unref(CALLER, open);
    return done ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

NTSTATUS ZwDeleteValueKey(HANDLE handle, PUNICODE_STRING name)
{
    struct open_key *open = open_of(CALLER, handle, "ZwDeleteValueKey");
    char *narrow;
    bool done;

    IRQL_MAX(PASSIVE_LEVEL);
    if (!open)
        return STATUS_INVALID_HANDLE;
    narrow = vidmm_kit_narrow(name->Buffer, name->Length / 2u);
    lock();
    done = narrow && vidmm_kit_value_delete(open->key, narrow);
    unlock();
    free(narrow);
    vidmm_kit_object_unref(CALLER, open);
    return done ? STATUS_SUCCESS : STATUS_OBJECT_NAME_NOT_FOUND;
}

NTSTATUS ZwFlushKey(HANDLE handle)
{
    struct open_key *open = open_of(CALLER, handle, "ZwFlushKey");

    IRQL_MAX(PASSIVE_LEVEL);
    if (!open)
        return STATUS_INVALID_HANDLE;
    vidmm_kit_object_unref(CALLER, open);
    return STATUS_SUCCESS;
}

/* ---- by path ---- */

/* The key that a path, or a handle in its place, names. Keys stay until the end. */
static NTSTATUS key_of(const void *caller, ULONG relative_to, PCWSTR path, bool make,
                       struct kit_key **key, const char *routine)
{
    const char *root = vidmm_kit_registry_root(relative_to);
    NTSTATUS status = STATUS_INSUFFICIENT_RESOURCES;
    char *narrow, whole[512];
    bool made;

    *key = NULL;
    vidmm_kit_irql_max(caller, PASSIVE_LEVEL, routine);
    if (relative_to & RTL_REGISTRY_HANDLE) {
        struct open_key *open = open_of(caller, (HANDLE)(ULONG_PTR)path, routine);
        if (!open)
            return STATUS_INVALID_HANDLE;
        *key = open->key;
        vidmm_kit_object_unref(caller, open);
        return STATUS_SUCCESS;
    }
    if (!root) {
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "%s: RelativeTo 0x%x", routine, relative_to);
        return STATUS_INVALID_PARAMETER;
    }
    narrow = vidmm_kit_narrow(path, path ? wcslen(path) : 0);
    if (narrow) {
        snprintf(whole, sizeof(whole), "%s%s%s", root, *root && *narrow ? "\\" : "", narrow);
        status = find_or_make(whole, make, key, &made);
    }
    free(narrow);
    return status;
}

NTSTATUS RtlCheckRegistryKey(ULONG relative_to, PWSTR path)
{
    struct kit_key *key;

    return key_of(CALLER, relative_to, path, false, &key, "RtlCheckRegistryKey");
}

NTSTATUS RtlCreateRegistryKey(ULONG relative_to, PWSTR path)
{
    struct kit_key *key;

    return key_of(CALLER, relative_to, path, true, &key, "RtlCreateRegistryKey");
}

NTSTATUS RtlWriteRegistryValue(ULONG relative_to, PCWSTR path, PCWSTR name, ULONG type, PVOID data,
                               ULONG size)
{
    struct kit_key *key;
    NTSTATUS status = key_of(CALLER, relative_to, path, true, &key, "RtlWriteRegistryValue");
    char *narrow;

    if (status != STATUS_SUCCESS)
        return status;
    narrow = vidmm_kit_narrow(name, wcslen(name));
    lock();
    bool done = narrow && vidmm_kit_value_set(key, narrow, type, data, size);
    unlock();
    free(narrow);
    return done ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

NTSTATUS RtlDeleteRegistryValue(ULONG relative_to, PCWSTR path, PCWSTR name)
{
    struct kit_key *key;
    NTSTATUS status = key_of(CALLER, relative_to, path, false, &key, "RtlDeleteRegistryValue");
    char *narrow;

    if (status != STATUS_SUCCESS)
        return status;
    narrow = vidmm_kit_narrow(name, wcslen(name));
    lock();
    bool done = narrow && vidmm_kit_value_delete(key, narrow);
    unlock();
    free(narrow);
    return done ? STATUS_SUCCESS : STATUS_OBJECT_NAME_NOT_FOUND;
}
