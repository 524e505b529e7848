/* configuration.c: reads the file that registry.h shows; holds keys, values and properties. */
#include "kit/registry.h"

#include <ctype.h>
#include <strings.h>

#include "base/size.h"

enum { PROPERTIES = 32, NAME = 256, LINE = 1024 };

static struct kit_key *keys;
static struct property {
    unsigned char *data;
    ULONG size;
} properties[PROPERTIES];
static char driver_key[NAME];
static WCHAR wide_path[NAME];

/* ---- keys and values ---- */

struct kit_key *vidmm_kit_key_find(const char *path, bool make)
{
    struct kit_key *key;

    for (key = keys; key; key = key->next)
        if (strcasecmp(key->path, path) == 0)
            return key;
    key = make ? calloc(1, sizeof(*key)) : NULL;
    if (key)
        key->path = strdup(path);
    if (!key || !key->path) {
        free(key);
        return NULL;
    }
    key->next = keys;
    keys = key;
    char *up = strdup(path), *last = up ? strrchr(up, '\\') : NULL;
    if (last && last != up) {
        *last = 0;
        vidmm_kit_key_find(up, true);
    }
    free(up);
    return key;
}

struct kit_value *vidmm_kit_value_find(struct kit_key *key, const char *name)
{
    struct kit_value *value = key->values;

    while (value && strcasecmp(value->name, name) != 0)
        value = value->next;
    return value;
}

bool vidmm_kit_value_set(struct kit_key *key, const char *name, ULONG type, const void *data,
                         ULONG size)
{
    struct kit_value *value = vidmm_kit_value_find(key, name), **end = &key->values;
    unsigned char *copy = malloc(size ? size : 1);

    if (!value && copy) {
        value = calloc(1, sizeof(*value));
        char *own = strdup(name);
        if (!value || !own) {
            free(value);
            free(own);
            free(copy);
            return false;
        }
        value->name = own;
        while (*end)
            end = &(*end)->next;
        *end = value;
    }
    if (!copy)
        return false;
    memcpy(copy, data, size);
    free(value->data);
    value->data = copy;
    value->type = type;
    value->size = size;
    return true;
}

static void free_value(struct kit_value *value)
{
    free(value->name);
    free(value->data);
    free(value);
}

bool vidmm_kit_value_delete(struct kit_key *key, const char *name)
{
    for (struct kit_value **at = &key->values; *at; at = &(*at)->next) {
        if (strcasecmp((*at)->name, name) == 0) {
            struct kit_value *value = *at;
            *at = value->next;
            free_value(value);
            return true;
        }
    }
    return false;
}

char *vidmm_kit_narrow(const WCHAR *text, size_t characters)
{
    char *narrow = malloc(characters + 1);

    for (size_t i = 0; narrow && i < characters; i++)
        narrow[i] = text[i] < 0x80 ? (char)text[i] : '?';
    if (narrow)
        narrow[characters] = 0;
    return narrow;
}

const void *vidmm_kit_property(unsigned which, ULONG *size)
{
    if (which >= PROPERTIES || !properties[which].data)
        return NULL;
    *size = properties[which].size;
    return properties[which].data;
}

const char *vidmm_kit_driver_key(void)
{
    return driver_key;
}

/* ---- words of a line ---- */

/* Cut the next word, or "text in quotes", off *at; NULL: there is none, or the quotes do not
 * end. */
static char *word(char **at)
{
    char *start = *at + strspn(*at, " \t"), *end;

    if (*start == 0)
        return NULL;
    if (*start == '"') {
        end = strchr(++start, '"');
        if (!end)
            return NULL;
    } else {
        end = start + strcspn(start, " \t");
    }
    *at = *end ? end + 1 : end;
    *end = 0;
    return start;
}

/* A number, or a size (base/size.h). */
static bool number(const char *text, uint64_t *value)
{
    return text && vidmm_size_read(text, value);
}

/* Wide bytes of ASCII text, with its terminator. */
static ULONG widen(const char *text, unsigned char *to, size_t room)
{
    size_t length = strlen(text) + 1;

    if (length * 2 > room)
        length = room / 2;
    for (size_t i = 0; i < length; i++) {
        to[2 * i] = (unsigned char)text[i];
        to[2 * i + 1] = 0;
    }
    return (ULONG)(length * 2);
}

/* ---- lines ---- */

static const char *read_version(char *text)
{
    ULONG version[3] = {0, 0, 0};
    char *part = text;

    for (int i = 0; i < 3; i++) {
        if (!part || !isdigit((unsigned char)*part))
            return "windows: a version is MAJOR.MINOR.BUILD";
        version[i] = (ULONG)strtoul(part, &part, 10);
        part = i < 2 && *part == '.' ? part + 1 : part;
    }
    if (*part != 0)
        return "windows: a version is MAJOR.MINOR.BUILD";
    memcpy(vidmm_kit_kernel.version, version, sizeof(version));
    return NULL;
}

/* Several lines of one property make a list of texts, ended by an empty one. */
static const char *read_property(char *rest)
{
    unsigned char bytes[LINE * 2];
    uint64_t which;
    char *text;

    if (!number(word(&rest), &which) || which >= PROPERTIES)
        return "property: a number below 32, and a text";
    text = word(&rest);
    if (!text)
        return "property: the text is missing, or its quotes do not end";
    ULONG size = widen(text, bytes, sizeof(bytes));
    struct property *property = &properties[which];
    ULONG old = property->data ? property->size - (which == 1 || which == 2 ? 2 : 0) : 0;
    unsigned char *data = realloc(property->data, old + size + 2);
    if (!data)
        return "no memory";
    memcpy(data + old, bytes, size);
    data[old + size] = data[old + size + 1] = 0;
    property->data = data;
    property->size =
        old + size +
        (which == DevicePropertyHardwareID || which == DevicePropertyCompatibleIDs ? 2 : 0);
    return NULL;
}

static const char *read_binary(struct kit_key *key, const char *name, char *rest)
{
    unsigned char bytes[LINE];
    ULONG size = 0;
    char *text;

    while ((text = word(&rest)) != NULL) {
        char *end = NULL;
        unsigned long byte = strtoul(text, &end, 16);
        if (*end || byte > 0xFF)
            return "binary: bytes are two hexadecimal digits each";
        bytes[size++] = (unsigned char)byte;
    }
    return vidmm_kit_value_set(key, name, REG_BINARY, bytes, size) ? NULL : "no memory";
}

static const char *read_value(struct kit_key *key, const char *name, char *rest)
{
    unsigned char bytes[LINE * 2];
    const char *type = word(&rest), *text;
    uint64_t value;
    bool done;

    if (!key)
        return "a value before any key";
    if (!type)
        return "a value is NAME dword|qword|string|binary DATA";
    if (strcmp(type, "binary") == 0)
        return read_binary(key, name, rest);
    text = word(&rest);
    if (strcmp(type, "string") == 0) {
        if (!text)
            return "string: the text is missing, or its quotes do not end";
        done = vidmm_kit_value_set(key, name, REG_SZ, bytes, widen(text, bytes, sizeof(bytes)));
    } else if (strcmp(type, "dword") == 0 || strcmp(type, "qword") == 0) {
        bool wide = type[0] == 'q';
        if (!number(text, &value) || (!wide && value > UINT32_MAX))
            return "dword, qword: a number that fits";
        done = vidmm_kit_value_set(key, name, wide ? REG_QWORD : REG_DWORD, &value, wide ? 8 : 4);
    } else {
        return "a value is NAME dword|qword|string|binary DATA";
    }
    return done ? NULL : "no memory";
}

static const char *read_line(char *line, struct kit_key **key)
{
    char *rest = line, *first = word(&rest), *at = rest;
    uint64_t value;

    if (!first || *first == '#')
        return NULL;
    if (strcmp(first, "windows") == 0)
        return read_version(word(&at));
    if (strcmp(first, "property") == 0)
        return read_property(rest);
    if (strcmp(first, "contiguous_ceiling") == 0) {
        if (!number(word(&at), &value) || value == 0)
            return "contiguous_ceiling: bytes, as 64M";
        vidmm_kit_kernel.ceiling = value;
        return NULL;
    }
    if (strcmp(first, "key") == 0 || strcmp(first, "driver_key") == 0) {
        char *path = word(&at);
        if (!path || *path != '\\' || strlen(path) >= NAME)
            return "key: a path that begins with \\ and has less than 256 characters";
        if (*first == 'd')
            snprintf(driver_key, sizeof(driver_key), "%s", path);
        struct kit_key *made = vidmm_kit_key_find(path, true);
        if (*first == 'k')
            *key = made;
        return made ? NULL : "no memory";
    }
    return read_value(*key, first, rest);
}

static const char *const roots[] = {
    [RTL_REGISTRY_ABSOLUTE] = "",
    [RTL_REGISTRY_SERVICES] = "\\Registry\\Machine\\System\\CurrentControlSet\\Services",
    [RTL_REGISTRY_CONTROL] = "\\Registry\\Machine\\System\\CurrentControlSet\\Control",
    [RTL_REGISTRY_WINDOWS_NT] =
        "\\Registry\\Machine\\Software\\Microsoft\\Windows NT\\CurrentVersion",
    [RTL_REGISTRY_DEVICEMAP] = "\\Registry\\Machine\\Hardware\\DeviceMap",
    [RTL_REGISTRY_USER] = "\\Registry\\User\\.Default", /* as a system process has it */
};

const char *vidmm_kit_registry_root(ULONG relative_to)
{
    ULONG which = relative_to & 0xFFFF;

    return which < sizeof(roots) / sizeof(*roots) ? roots[which] : NULL;
}

static void make_roots(void)
{
    for (ULONG i = RTL_REGISTRY_SERVICES; i < sizeof(roots) / sizeof(*roots); i++)
        vidmm_kit_key_find(roots[i], true);
}

static void set_driver_path(void)
{
    UNICODE_STRING *path = vidmm_kit_registry_path();

    if (!driver_key[0])
        snprintf(driver_key, sizeof(driver_key), "%s",
                 "\\Registry\\Machine\\System\\CurrentControlSet\\Services\\miniport");
    char device_key[NAME + 8];
    snprintf(device_key, sizeof(device_key), "%s\\Device", driver_key);
    vidmm_kit_key_find(device_key, true);
    ULONG size = widen(driver_key, (unsigned char *)wide_path, sizeof(wide_path));
    path->Buffer = wide_path;
    path->Length = (USHORT)(size - sizeof(WCHAR));
    path->MaximumLength = (USHORT)size;
}

bool vidmm_kit_registry_start(const char *configuration, char *error, size_t error_size)
{
    struct kit_key *key = NULL;
    const char *at = configuration ? configuration : "";
    char line[LINE];

    driver_key[0] = 0;
    for (unsigned n = 1; *at; n++) {
        size_t length = strcspn(at, "\n");
        const char *wrong = length < sizeof(line) ? NULL : "a line of 1024 characters or more";
        if (!wrong) {
            memcpy(line, at, length);
            line[length] = 0;
            line[strcspn(line, "\r")] = 0;
            wrong = read_line(line, &key);
        }
        if (wrong) {
            if (error && error_size)
                snprintf(error, error_size, "configuration, line %u: %s", n, wrong);
            vidmm_kit_registry_stop();
            return false;
        }
        at += length + (at[length] == '\n');
    }
    make_roots();
    set_driver_path();
    return true;
}

void vidmm_kit_registry_stop(void)
{
    while (keys) {
        struct kit_key *key = keys;
        keys = key->next;
        while (key->values) {
            struct kit_value *value = key->values;
            key->values = value->next;
            free_value(value);
        }
        free(key->path);
        free(key);
    }
    for (int i = 0; i < PROPERTIES; i++) {
        free(properties[i].data);
        properties[i] = (struct property){NULL, 0};
    }
}
