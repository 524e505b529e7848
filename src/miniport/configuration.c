/* configuration.c: read the part of the file that is not the kernel's. */
#include "miniport/configuration.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

enum { LINE = 1024 };

/* Cut the next word off *at; NULL: there is none. */
static char *word(char **at)
{
    char *start = *at + strspn(*at, " \t\r"), *end = start + strcspn(start, " \t\r");

    if (*start == 0)
        return NULL;
    *at = *end ? end + 1 : end;
    *end = 0;
    return start;
}

/* A number, or a size (base/size.h). */
static bool number(const char *text, uint64_t most, uint64_t *value)
{
    return text && vidmm_size_read(text, value) && *value <= most;
}

static bool number32(char **rest, uint32_t least, uint32_t most, uint32_t *value)
{
    uint64_t read;

    if (!number(word(rest), most, &read) || read < least)
        return false;
    *value = (uint32_t)read;
    return true;
}

static const char *read_device(struct vidmm_miniport_configuration *c, char *rest)
{
    uint32_t vendor, device;

    if (!number32(&rest, 1, 0xFFFF, &vendor) || !number32(&rest, 0, 0xFFFF, &device))
        return "device: vendor id and device id, two numbers of 16 bits";
    c->device_given = true;
    c->vendor_id = (uint16_t)vendor;
    c->device_id = (uint16_t)device;
    return NULL;
}

static const char *read_bar(struct vidmm_miniport_configuration *c, char *rest)
{
    static const char *const kinds[] = {"none", "memory", "registers", "ports"};
    uint32_t bar, kind = 0;
    uint64_t size = 0;
    char *name, *width;

    if (!number32(&rest, 0, VIDMM_BUS_REGIONS - 1, &bar) || !(name = word(&rest)))
        return "bar: NUMBER (0 to 5) memory|registers|ports|none SIZE";
    while (kind < 4 && strcmp(name, kinds[kind]) != 0)
        kind++;
    if (kind == 4)
        return "bar: memory, registers, ports or none";
    if (kind != VIDMM_BAR_NONE &&
        (!number(word(&rest), UINT64_MAX, &size) || !vidmm_bar_size(kind, size)))
        return "bar: a size, a power of two: memory 4K to 64G, registers 16 to 4G, ports 4 to 4K";
    width = word(&rest);
    if (width && strcmp(width, "32-bit") != 0)
        return "bar: 32-bit, or nothing, behind the size";
    if (c->bars_given >> bar & 1)
        return "bar: there is a line for a BAR of this number already";
    c->bars_given |= 1u << bar;
    c->bar_line = c->line;
    c->bars[bar].kind = (enum vidmm_bar_kind)kind;
    c->bars[bar].size = size;
    c->bars[bar].narrow = width != NULL;
    return NULL;
}

static const char *read_hang(struct vidmm_miniport_configuration *c, char *rest)
{
    c->hang.asked = true;
    if (!number32(&rest, 0, VIDMM_BUS_REGIONS - 1, &c->hang.bar) ||
        !number32(&rest, 0, UINT32_MAX - 3, &c->hang.offset) || c->hang.offset % 4 != 0 ||
        !number32(&rest, 0, UINT32_MAX, &c->hang.value))
        return "hang: BAR (0 to 5) OFFSET (a multiple of 4) VALUE";
    return NULL;
}

/* A number, or bar0, bar0+NUMBER. */
static bool read_value(char **rest, struct vidmm_miniport_value *value)
{
    char *text = word(rest);
    uint64_t most = value->bytes < 8 ? (UINT64_C(1) << 8 * value->bytes) - 1 : UINT64_MAX;

    value->of_bar = text && strncmp(text, "bar", 3) == 0;
    if (!value->of_bar)
        return number(text, most, &value->number);
    if (text[3] < '0' || text[3] >= '0' + VIDMM_BUS_REGIONS || (text[4] != 0 && text[4] != '+'))
        return false;
    value->bar = (uint32_t)(text[3] - '0');
    value->number = 0;
    return text[4] == 0 || number(text + 5, most, &value->number);
}

static bool read_offset(char **rest, uint32_t least, uint32_t most,
                        struct vidmm_miniport_value *value)
{
    return number32(rest, least, most, &value->offset) && number32(rest, 1, 8, &value->bytes) &&
           (value->bytes & (value->bytes - 1)) == 0;
}

static const char *read_config(struct vidmm_miniport_configuration *c, char *rest)
{
    struct vidmm_miniport_value *value = &c->config[c->config_count];

    if (c->config_count == VIDMM_MINIPORT_CONFIG_WORDS)
        return "config: at most 32 of these";
    if (!read_offset(&rest, 4, 4095, value) || value->offset + value->bytes > 4096 ||
        !read_value(&rest, value))
        return "config: OFFSET (4 to 4095) BYTES (1, 2, 4, 8) VALUE (of so many bytes, or bar0 to "
               "bar5, +NUMBER)";
    if (value->offset < 0x28 && value->offset + value->bytes > 0x10)
        return "config: 0x10 to 0x27 are the BARs, which the lines bar, or the plug-in, make";
    value->line = c->line;
    c->config_count++;
    return NULL;
}

static const char *read_register(struct vidmm_miniport_configuration *c, char *rest)
{
    struct vidmm_miniport_value *value = &c->registers[c->register_count];

    if (c->register_count == VIDMM_MINIPORT_REGISTER_WORDS)
        return "register: at most 64 of these";
    if (!number32(&rest, 0, VIDMM_BUS_REGIONS - 1, &value->region) ||
        !read_offset(&rest, 0, UINT32_MAX, value) || value->offset % value->bytes != 0 ||
        !read_value(&rest, value))
        return "register: BAR (0 to 5) OFFSET (a multiple of BYTES) BYTES (1, 2, 4, 8) VALUE (of "
               "so many bytes, or bar0 to bar5, +NUMBER)";
    value->line = c->line;
    c->register_count++;
    return NULL;
}

/* The offset at which a capability's bytes begin, behind its id and link. */
static uint32_t head_of(uint32_t offset)
{
    return offset < 0x100 ? 2 : 4;
}

/* Put it among the others, by offset. */
static bool add_capability(struct vidmm_miniport_configuration *c,
                           const struct vidmm_miniport_capability *one)
{
    struct vidmm_miniport_capability *list = c->capabilities;
    uint32_t i = c->capability_count, end = one->offset + head_of(one->offset) + one->size;

    if (end > (one->offset < 0x100 ? 0x100 : 4096))
        return false;
    for (uint32_t k = 0; k < i; k++)
        if (one->offset < list[k].offset + head_of(list[k].offset) + list[k].size &&
            list[k].offset < end)
            return false;
    for (; i > 0 && list[i - 1].offset > one->offset; i--)
        list[i] = list[i - 1];
    list[i] = *one;
    c->capability_count++;
    return true;
}

static const char *read_capability(struct vidmm_miniport_configuration *c, char *rest)
{
    struct vidmm_miniport_capability one = {0};
    char *text, *end;

    if (c->capability_count == VIDMM_MINIPORT_CAPABILITIES)
        return "capability: at most 16 of these";
    if (!number32(&rest, 0x40, 4092, &one.offset) || one.offset % 4 != 0 ||
        !number32(&rest, 0, one.offset < 0x100 ? 0xFF : 0xFFFF, &one.id))
        return "capability: OFFSET (0x40 to 0xFFC, a multiple of 4) ID (to 0xFF, from 0x100 on to "
               "0xFFFF) BYTE...";
    while ((text = word(&rest)) != NULL) {
        unsigned long byte = strtoul(text, &end, 16);

        if (*end || byte > 0xFF || one.size == sizeof(one.data))
            return "capability: at most 64 bytes, two hexadecimal digits each";
        one.data[one.size++] = (uint8_t)byte;
    }
    return add_capability(c, &one) ? NULL
                                   : "capability: it lies over another, or past 0x100 or 0x1000";
}

/* A BAR has 32 bits if there is one in the place of its second half. */
static bool fit_bars(struct vidmm_miniport_configuration *c, char *error, size_t room)
{
    for (unsigned bar = 0; bar < VIDMM_BUS_REGIONS; bar++) {
        unsigned behind = vidmm_bar_behind(bar);

        if (behind < VIDMM_BUS_REGIONS && c->bars[behind].kind != VIDMM_BAR_NONE)
            c->bars[bar].narrow = true;
    }
    return vidmm_bars_fit(c->bars, error, room);
}

/* Check the lines together. False: `error` says which does not fit. */
static bool fit(struct vidmm_miniport_configuration *c, char *error, size_t room)
{
    bool first = true;

    if (!fit_bars(c, error, room))
        return false;
    for (uint32_t i = 0; i < c->capability_count; i++) {
        if (c->capabilities[i].offset > 0x100 && first) {
            snprintf(error, room,
                     "capability: 0x%X is an extended one, of which the first is at "
                     "0x100; there is none",
                     c->capabilities[i].offset);
            return false;
        }
        first = first && c->capabilities[i].offset < 0x100;
    }
    for (uint32_t i = 0; i < c->register_count && !c->plugin[0]; i++) {
        const struct vidmm_miniport_value *value = &c->registers[i];
        enum vidmm_bar_kind kind = c->bars[value->region].kind;
        uint64_t size = c->bars[value->region].size;

        if ((kind == VIDMM_BAR_REGISTERS || kind == VIDMM_BAR_PORTS) && value->bytes <= size &&
            value->offset <= size - value->bytes)
            continue;
        snprintf(error, room, "line %u: register: BAR %u has no register of %u bytes at 0x%X",
                 value->line, value->region, value->bytes, value->offset);
        return false;
    }
    return true;
}

static const char *read_plugin(struct vidmm_miniport_configuration *c, char *rest)
{
    char *path = word(&rest);

    if (!path || strlen(path) >= sizeof(c->plugin))
        return "plugin: a file";
    snprintf(c->plugin, sizeof(c->plugin), "%s", path);
    rest += strspn(rest, " \t");
    if (strlen(rest) >= sizeof(c->plugin_text))
        return "plugin: its text has at most 255 characters";
    snprintf(c->plugin_text, sizeof(c->plugin_text), "%s", rest);
    return NULL;
}

static const char *read_private(struct vidmm_miniport_configuration *c, char *rest)
{
    char *text, *end;

    c->private_size = 0;
    while ((text = word(&rest)) != NULL) {
        unsigned long byte = strtoul(text, &end, 16);

        if (*end || byte > 0xFF || c->private_size == sizeof(c->private_data))
            return "private: at most 256 bytes, two hexadecimal digits each";
        c->private_data[c->private_size++] = (uint8_t)byte;
    }
    return NULL;
}

static const char *read_switch(bool *value, char *rest)
{
    const char *text = word(&rest);

    if (!text || (strcmp(text, "on") != 0 && strcmp(text, "off") != 0))
        return "on or off";
    *value = text[1] == 'n';
    return NULL;
}

static const char *read_memory(struct vidmm_miniport_configuration *c, char *rest)
{
    if (!number(word(&rest), UINT64_C(1) << 39, &c->system_memory) || c->system_memory < 16 << 20 ||
        c->system_memory % 4096 != 0)
        return "memory: 16M to 512G, whole pages";
    return NULL;
}

static const char *read_process_memory(struct vidmm_miniport_configuration *c, char *rest)
{
    return number(word(&rest), UINT64_C(1) << 39, &c->process_memory) &&
                   c->process_memory >= 64 << 20
               ? NULL
               : "process_memory: 64M to 512G";
}

static const char *read_queue(struct vidmm_miniport_configuration *c, char *rest)
{
    return number32(&rest, 1, 1024, &c->queue_limit) ? NULL : "queue: 1 to 1024";
}

static const char *read_alternate(struct vidmm_miniport_configuration *c, char *rest)
{
    c->alternate.asked = number32(&rest, 0, UINT32_MAX, &c->alternate.data);
    return c->alternate.asked ? NULL : "alternate: PrivateDriverData, 0 to 0xFFFFFFFF";
}

static const char *read_timeout(struct vidmm_miniport_configuration *c, char *rest)
{
    return number32(&rest, 1, 600000, &c->fence_timeout_ms) ? NULL
                                                            : "fence_timeout: 1 to 600000 ms";
}

static const char *read_split(struct vidmm_miniport_configuration *c, char *rest)
{
    const char *text = word(&rest);

    c->split_asked = true;
    if (!text)
        return "on, off or by_address";
    if (strcmp(text, "by_address") == 0)
        c->split = VIDMM_SPLIT_BY_ADDRESS;
    else if (strcmp(text, "on") == 0)
        c->split = VIDMM_SPLIT_DOCUMENTED;
    else if (strcmp(text, "off") == 0)
        c->split = VIDMM_SPLIT_OFF;
    else
        return "on, off or by_address";
    return NULL;
}

static const char *read_batching(struct vidmm_miniport_configuration *c, char *rest)
{
    return read_switch(&c->batching, rest);
}

static const char *read_through(struct vidmm_miniport_configuration *c, char *rest)
{
    return read_switch(&c->through_aperture, rest);
}

static const char *read_submit_empty(struct vidmm_miniport_configuration *c, char *rest)
{
    return read_switch(&c->submit_empty, rest);
}

static const char *read_patch(struct vidmm_miniport_configuration *c, char *rest)
{
    return read_switch(&c->patch_paging, rest);
}

static const char *read_context(struct vidmm_miniport_configuration *c, char *rest)
{
    return read_switch(&c->system_context, rest);
}

static const struct {
    const char *name;
    const char *(*read)(struct vidmm_miniport_configuration *configuration, char *rest);
} words[] = {
    {"device", read_device},
    {"bar", read_bar},
    {"config", read_config},
    {"register", read_register},
    {"capability", read_capability},
    {"hang", read_hang},
    {"plugin", read_plugin},
    {"memory", read_memory},
    {"process_memory", read_process_memory},
    {"queue", read_queue},
    {"private", read_private},
    {"split", read_split},
    {"alternate", read_alternate},
    {"batching", read_batching},
    {"through_aperture", read_through},
    {"submit_empty", read_submit_empty},
    {"patch_paging", read_patch},
    {"system_context", read_context},
    {"fence_timeout", read_timeout},
};

/* Words of the kernel's part that may stand before any key. */
static bool is_kernels(const char *first)
{
    static const char *const kernel[] = {"windows", "property", "contiguous_ceiling", "driver_key"};

    for (size_t i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++)
        if (strcmp(first, kernel[i]) == 0)
            return true;
    return false;
}

bool vidmm_miniport_configuration_knows(const char *word)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(word, words[i].name) == 0)
            return true;
    return is_kernels(word);
}

static void say_words(const char *first, char *error, size_t room)
{
    size_t length =
        (size_t)snprintf(error, room, "\"%.40s\" is no word of a configuration; there are", first);

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && length < room; i++)
        length += (size_t)snprintf(error + length, room - length, " %s", words[i].name);
    if (length < room)
        snprintf(error + length, room - length, " windows property key");
}

/* The error: what is legal behind a word, and the line as it stands, as far as a comment. */
static void say_wrong(const char *first, const char *wrong, const char *line, size_t length,
                      char *error, size_t room)
{
    bool named = strncmp(wrong, first, strlen(first)) == 0;
    const char *comment = memchr(line, '#', length);

    length = comment ? (size_t)(comment - line) : length;
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    snprintf(error, room, "%s%s%s; the line says \"%.*s\"", named ? "" : first, named ? "" : ": ",
             wrong, (int)(length < 80 ? length : 80), line);
}

/* Read a line if it is ours; *ours: it was. False: `error` says what is wrong with it. */
static bool read_line(struct vidmm_miniport_configuration *c, const char *text, size_t length,
                      bool *ours, char *error, size_t room)
{
    char line[LINE], *rest = line, *first;
    const char *wrong;

    *ours = false;
    if (length >= sizeof(line)) {
        snprintf(error, room, "a line of 1024 characters or more");
        return false;
    }
    memcpy(line, text, length);
    line[length] = 0;
    first = word(&rest);
    for (size_t i = 0; first && i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(first, words[i].name) != 0)
            continue;
        *ours = true;
        wrong = words[i].read(c, rest);
        if (!wrong)
            return true;
        say_wrong(first, wrong, text, length, error, room);
        return false;
    }
    if (!first || first[0] == '#' || is_kernels(first))
        return true;
    say_words(first, error, room);
    return false;
}

static bool is_key(const char *text)
{
    text += strspn(text, " \t");
    return strncmp(text, "key", 3) == 0 && (text[3] == ' ' || text[3] == '\t');
}

static void set_defaults(struct vidmm_miniport_configuration *c)
{
    *c = (struct vidmm_miniport_configuration){
        .vendor_id = 0x1234,
        .device_id = 1,
        .bars = {{VIDMM_BAR_MEMORY, 64 << 20, false}, {VIDMM_BAR_REGISTERS, 64 << 10, false}},
        .system_memory = 512 << 20,
        .process_memory = VIDMM_MINIPORT_PROCESS_MEMORY,
        .queue_limit = 31,
        .fence_timeout_ms = 2000,
        .split = VIDMM_SPLIT_DOCUMENTED,
        .batching = true,
        .through_aperture = true,
        .patch_paging = true,
    };
}

bool vidmm_miniport_configuration_read(struct vidmm_miniport_configuration *c, const char *text,
                                       char *error, size_t error_size)
{
    bool in_keys = false;

    set_defaults(c);
    c->kernel = strdup(text ? text : "");
    if (!c->kernel) {
        snprintf(error, error_size, "no memory");
        return false;
    }
    char *at = c->kernel;
    for (unsigned n = 1; *at; n++) {
        size_t length = strcspn(at, "\n");
        bool ours = false;
        char wrong[400];

        c->line = n;
        in_keys = in_keys || is_key(at);
        if (!in_keys && !read_line(c, at, length, &ours, wrong, sizeof(wrong))) {
            snprintf(error, error_size, "line %u: %s", n, wrong);
            vidmm_miniport_configuration_finish(c);
            return false;
        }
        if (ours)
            memset(at, ' ', length);
        at += length + (at[length] == '\n');
    }
    if (fit(c, error, error_size))
        return true;
    vidmm_miniport_configuration_finish(c);
    return false;
}

void vidmm_miniport_configuration_finish(struct vidmm_miniport_configuration *c)
{
    free(c->kernel);
    c->kernel = NULL;
}
