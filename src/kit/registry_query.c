/* registry_query.c: RtlQueryRegistryValues: a table of values to be read, by routines or directly.
 *
 * Built upon ZwOpenKey, ZwQueryValueKey and ZwEnumerateValueKey alone.
 * Source: the page of RtlQueryRegistryValues.
 */
#include "kit/registry.h"

#define QUERY_TAG 0x79725251u /* "QRry" */

/* The state of one walk through the table. */
struct query {
    HANDLE top, key; /* where it began, and where it is */
    PVOID context;
    KEY_VALUE_FULL_INFORMATION *value; /* last read; from pool */
};

/* One value as it goes to a routine, or to where its entry says. */
struct found {
    PWSTR name;
    ULONG type;
    void *data;
    ULONG size;
};

static NTSTATUS store_text(const struct found *found, PUNICODE_STRING to)
{
    ULONG size = found->size;

    if (found->type != REG_MULTI_SZ && size >= sizeof(WCHAR))
        size -= (ULONG)sizeof(WCHAR); /* the terminator is not counted */
    if (!to->Buffer) {
        to->Buffer = ExAllocatePoolWithTag(PagedPool, found->size + sizeof(WCHAR), QUERY_TAG);
        if (!to->Buffer)
            return STATUS_NO_MEMORY;
        to->MaximumLength = (USHORT)(found->size + sizeof(WCHAR));
    }
    if (size > to->MaximumLength)
        return STATUS_BUFFER_TOO_SMALL;
    memcpy(to->Buffer, found->data, size);
    if (size + sizeof(WCHAR) <= to->MaximumLength)
        to->Buffer[size / sizeof(WCHAR)] = 0;
    to->Length = (USHORT)size;
    return STATUS_SUCCESS;
}

/* Up to four bytes go straight in. For more, the room begins with its size: if that is negative,
 * the data alone is wanted, else its length and type before it. */
static NTSTATUS store(const struct found *found, void *to)
{
    const ULONG head[2] = {found->size, found->type};
    LONGLONG room;
    LONG size;

    if (found->type == REG_SZ || found->type == REG_EXPAND_SZ || found->type == REG_MULTI_SZ)
        return store_text(found, to);
    memcpy(&size, to, sizeof(size));
    room = size < 0 ? -(LONGLONG)size : (LONGLONG)size - (LONGLONG)sizeof(head);
    if (found->size > sizeof(ULONG) && room < found->size)
        return STATUS_BUFFER_TOO_SMALL;
    if (found->size > sizeof(ULONG) && size >= 0) {
        memcpy(to, head, sizeof(head));
        to = (char *)to + sizeof(head);
    }
    memcpy(to, found->data, found->size);
    return STATUS_SUCCESS;
}

/* Ask the entry's routine; that the value was too large for it ends nothing. */
static NTSTATUS tell(const struct query *query, const RTL_QUERY_REGISTRY_TABLE *entry,
                     const struct found *found)
{
    NTSTATUS status = entry->QueryRoutine(found->name, found->type, found->data, found->size,
                                          query->context, entry->EntryContext);

    return status == STATUS_BUFFER_TOO_SMALL ? STATUS_SUCCESS : status;
}

static NTSTATUS hand_over(const struct query *query, const RTL_QUERY_REGISTRY_TABLE *entry,
                          const struct found *found)
{
    struct found one = *found;
    NTSTATUS status = STATUS_SUCCESS;

    if (entry->Flags & RTL_QUERY_REGISTRY_DIRECT) {
        if (entry->Flags & RTL_QUERY_REGISTRY_TYPECHECK &&
            entry->DefaultType >> RTL_QUERY_REGISTRY_TYPECHECK_SHIFT != found->type)
            return STATUS_OBJECT_TYPE_MISMATCH;
        return store(found, entry->EntryContext);
    }
    if (found->type != REG_MULTI_SZ || entry->Flags & RTL_QUERY_REGISTRY_NOEXPAND)
        return tell(query, entry, found);
    one.type = REG_SZ; /* one call a string */
    for (WCHAR *text = found->data; status == STATUS_SUCCESS && *text; text += one.size / 2) {
        one.size = (ULONG)((wcslen(text) + 1) * sizeof(WCHAR));
        one.data = text;
        status = tell(query, entry, &one);
    }
    return status;
}

/* Read value `name`, or the index-th if that is NULL, into query->value, which ends with two
 * zeros. */
static NTSTATUS read_value(struct query *query, PCWSTR name, ULONG index)
{
    UNICODE_STRING counted;
    ULONG needed = 0, room = 0;
    NTSTATUS status;

    RtlInitUnicodeString(&counted, name);
    do {
        if (query->value)
            ExFreePoolWithTag(query->value, QUERY_TAG);
        room = needed ? needed : 128;
        query->value = ExAllocatePoolWithTag(PagedPool, room + 2 * sizeof(WCHAR), QUERY_TAG);
        if (!query->value)
            return STATUS_NO_MEMORY;
        memset(query->value, 0, room + 2 * sizeof(WCHAR));
        status = name ? ZwQueryValueKey(query->key, &counted, KeyValueFullInformation, query->value,
                                        room, &needed)
                      : ZwEnumerateValueKey(query->key, index, KeyValueFullInformation,
                                            query->value, room, &needed);
    } while ((status == STATUS_BUFFER_OVERFLOW || status == STATUS_BUFFER_TOO_SMALL) &&
             needed > room);
    return status;
}

static struct found found_in(const struct query *query, PWSTR name)
{
    KEY_VALUE_FULL_INFORMATION *value = query->value;

    return (struct found){name, value->Type, (char *)value + value->DataOffset, value->DataLength};
}

static ULONG size_of_text(ULONG type, const WCHAR *text)
{
    ULONG length = 0;

    while (type == REG_MULTI_SZ && text[length])
        length += (ULONG)wcslen(text + length) + 1;
    return (ULONG)sizeof(WCHAR) * (type == REG_MULTI_SZ ? length + 1 : (ULONG)wcslen(text) + 1);
}

static NTSTATUS query_default(const struct query *query, const RTL_QUERY_REGISTRY_TABLE *entry)
{
    ULONG type = entry->DefaultType & 0xFF;
    struct found found = {entry->Name, type, entry->DefaultData, entry->DefaultLength};

    if (type == REG_NONE)
        return entry->Flags & RTL_QUERY_REGISTRY_REQUIRED ? STATUS_OBJECT_NAME_NOT_FOUND
                                                          : STATUS_SUCCESS;
    if (found.size == 0 && (type == REG_SZ || type == REG_EXPAND_SZ || type == REG_MULTI_SZ))
        found.size = size_of_text(type, found.data);
    RTL_QUERY_REGISTRY_TABLE unchecked = *entry;
    unchecked.Flags &= ~(ULONG)RTL_QUERY_REGISTRY_TYPECHECK;
    return hand_over(query, &unchecked, &found);
}

static NTSTATUS query_all(struct query *query, const RTL_QUERY_REGISTRY_TABLE *entry)
{
    NTSTATUS status = STATUS_SUCCESS;
    WCHAR name[256];

    for (ULONG index = 0; status == STATUS_SUCCESS; index++) {
        status = read_value(query, NULL, index);
        if (status == STATUS_NO_MORE_ENTRIES)
            return index == 0 && entry->Flags & RTL_QUERY_REGISTRY_REQUIRED
                       ? STATUS_OBJECT_NAME_NOT_FOUND
                       : STATUS_SUCCESS;
        if (status != STATUS_SUCCESS)
            break;
        ULONG length = query->value->NameLength < sizeof(name) - 2 ? query->value->NameLength
                                                                   : sizeof(name) - 2;
        memcpy(name, query->value->Name, length);
        name[length / sizeof(WCHAR)] = 0;
        struct found found = found_in(query, name);
        status = hand_over(query, entry, &found);
    }
    return status;
}

static NTSTATUS open_below(HANDLE root, PCWSTR name, PHANDLE key)
{
    UNICODE_STRING counted;
    OBJECT_ATTRIBUTES attributes;

    RtlInitUnicodeString(&counted, name);
    InitializeObjectAttributes(&attributes, &counted, OBJ_CASE_INSENSITIVE | OBJ_KERNEL_HANDLE,
                               root, NULL);
    return ZwOpenKey(key, KEY_READ, &attributes);
}

/* Whether what its flags need is given. */
static bool is_whole(const RTL_QUERY_REGISTRY_TABLE *entry)
{
    if (entry->Flags & RTL_QUERY_REGISTRY_DIRECT)
        return entry->Name && entry->EntryContext && !entry->QueryRoutine &&
               !(entry->Flags & RTL_QUERY_REGISTRY_SUBKEY);
    if (entry->Flags & RTL_QUERY_REGISTRY_SUBKEY)
        return entry->Name != NULL;
    return entry->QueryRoutine != NULL;
}

static NTSTATUS query_entry(struct query *query, const RTL_QUERY_REGISTRY_TABLE *entry)
{
    UNICODE_STRING name;
    NTSTATUS status;

    if (!is_whole(entry))
        return STATUS_INVALID_PARAMETER;
    if (entry->Flags & (RTL_QUERY_REGISTRY_TOPKEY | RTL_QUERY_REGISTRY_SUBKEY)) {
        if (query->key != query->top)
            ZwClose(query->key);
        query->key = query->top;
    }
    if (entry->Flags & RTL_QUERY_REGISTRY_SUBKEY) {
        status = open_below(query->top, entry->Name, &query->key);
        if (status != STATUS_SUCCESS) {
            query->key = query->top;
            return entry->Flags & RTL_QUERY_REGISTRY_REQUIRED ? status : STATUS_SUCCESS;
        }
        return entry->QueryRoutine ? query_all(query, entry) : STATUS_SUCCESS;
    }
    if (entry->Flags & RTL_QUERY_REGISTRY_NOVALUE)
        return tell(query, entry, &(struct found){.type = REG_NONE});
    if (!entry->Name)
        return query_all(query, entry);
    status = read_value(query, entry->Name, 0);
    if (status == STATUS_OBJECT_NAME_NOT_FOUND)
        return query_default(query, entry);
    if (status != STATUS_SUCCESS)
        return status;
    struct found found = found_in(query, entry->Name);
    status = hand_over(query, entry, &found);
    if (status == STATUS_SUCCESS && entry->Flags & RTL_QUERY_REGISTRY_DELETE) {
        RtlInitUnicodeString(&name, entry->Name);
        status = ZwDeleteValueKey(query->key, &name);
    }
    return status;
}

static NTSTATUS open_top(ULONG relative_to, PCWSTR path, PHANDLE key)
{
    const char *root = vidmm_kit_registry_root(relative_to);
    WCHAR whole[512];
    size_t at = 0;

    if (!root)
        return STATUS_INVALID_PARAMETER;
    for (; *root; root++)
        whole[at++] = (WCHAR)*root;
    if (at && path && *path)
        whole[at++] = L'\\';
    for (; path && *path && at < 511; path++)
        whole[at++] = *path;
    whole[at] = 0;
    return open_below(NULL, whole, key);
}

NTSTATUS RtlQueryRegistryValues(ULONG relative_to, PCWSTR path, PRTL_QUERY_REGISTRY_TABLE table,
                                PVOID context, PVOID environment)
{
    struct query query = {.context = context};
    bool given = relative_to & RTL_REGISTRY_HANDLE;
    NTSTATUS status = STATUS_SUCCESS;

    (void)environment; /* nothing is expanded */
    IRQL_MAX(PASSIVE_LEVEL);
    if (given)
        query.top = (HANDLE)(ULONG_PTR)path; /* the page has it so */
    else
        status = open_top(relative_to, path, &query.top);
    if (status != STATUS_SUCCESS)
        return relative_to & RTL_REGISTRY_OPTIONAL ? STATUS_SUCCESS : status;
    query.key = query.top;
    for (; status == STATUS_SUCCESS && (table->QueryRoutine || table->Name); table++)
        status = query_entry(&query, table);
    if (query.value)
        ExFreePoolWithTag(query.value, QUERY_TAG);
    if (query.key != query.top)
        ZwClose(query.key);
    if (!given)
        ZwClose(query.top);
    return status;
}
