/* A key is a row of a table: its name, where its value goes, what it may be. */
#include "story/reader.h"

#include <inttypes.h>
#include <string.h>

#include <vidmm/page.h>

#include "base/size.h"
#include "base/text.h"
#include "softgpu/softgpu.h"

/* ---- numbers --------------------------------------------------------------------------------- */

/* Digits in a base; answers where they end, NULL if the number is too large or there is none. */
static const char *digits(const char *at, unsigned base, uint64_t *number)
{
    const char *start = at;

    *number = 0;
    for (;; at++) {
        unsigned digit = 99;

        if (*at >= '0' && *at <= '9')
            digit = (unsigned)(*at - '0');
        else if (*at >= 'a' && *at <= 'f')
            digit = (unsigned)(*at - 'a') + 10;
        if (digit >= base)
            return at == start ? NULL : at;
        if (*number > (UINT64_MAX - digit) / base)
            return NULL;
        *number = *number * base + digit;
    }
}

bool vidmm_scenario_number(struct vidmm_scenario_reader *reader, const char *what, const char *word,
                           uint64_t least, uint64_t most, uint64_t *number)
{
    bool hex = word[0] == '0' && word[1] == 'x';
    const char *end = digits(hex ? word + 2 : word, hex ? 16 : 10, number);

    if (end != NULL && *end == 0 && *number >= least && *number <= most)
        return true;
    return vidmm_scenario_wrong(reader, "%s: \"%s\"; expected %" PRIu64 " to %" PRIu64, what, word,
                                least, most);
}

bool vidmm_scenario_size(struct vidmm_scenario_reader *reader, const char *what, const char *word,
                         uint64_t least, uint64_t most, uint64_t *size)
{
    if (vidmm_size_read(word, size) && *size >= least && *size <= most)
        return true;
    return vidmm_scenario_wrong(
        reader, "%s: \"%s\"; expected %" PRIu64 " to %" PRIu64 " bytes, for example 64K", what,
        word, least, most);
}

/* ---- manager and machine --------------------------------------------------------------------- */

enum value { NUMBER, SIZE, SWITCH, CONTEXT };

struct key {
    const char *name;
    enum value value;
    size_t offset;
    size_t width;
    uint64_t most;
};

#define KEY(type, member, value, most)                                                             \
    {                                                                                              \
#member, value, offsetof(type, member), sizeof(((type *)0)->member), most                  \
    }
#define MANAGER(member, value, most) KEY(struct vidmm_adapter_options, member, value, most)

/* The manager itself says what is out of its range. */
static const struct key manager_keys[] = {
    MANAGER(first_fence, NUMBER, UINT64_MAX),
    MANAGER(paging_buffers, NUMBER, UINT32_MAX),
    MANAGER(dma_buffers, NUMBER, UINT32_MAX),
    MANAGER(queue_limit, NUMBER, UINT32_MAX),
    MANAGER(split_transfer_size, SIZE, UINT64_MAX),
    MANAGER(timeout_ms, NUMBER, UINT32_MAX),
    MANAGER(driver_timeout_ms, NUMBER, UINT32_MAX),
    MANAGER(move_directly, SWITCH, 1),
    MANAGER(submit_empty, SWITCH, 1),
    MANAGER(one_operation, SWITCH, 1),
    MANAGER(strict, SWITCH, 1),
    MANAGER(reject_leaks, SWITCH, 1),
    MANAGER(whole_lists, SWITCH, 1),
    MANAGER(contiguous, SWITCH, 1),
    MANAGER(null_rendering, SWITCH, 1),
    MANAGER(post_device, SWITCH, 1),
    MANAGER(patch_paging, SWITCH, 1),
    MANAGER(system_context, CONTEXT, 1),
    {NULL, NUMBER, 0, 0, 0},
};

static const struct key machine_keys[] = {
    KEY(struct vidmm_scenario, system_memory, SIZE, VIDMM_SCENARIO_SIZE_MAX),
    KEY(struct vidmm_scenario, agp_aperture, SIZE, UINT64_C(1) << 30),
    KEY(struct vidmm_scenario, agp_posts, SWITCH, 1),
    KEY(struct vidmm_scenario, seed, NUMBER, UINT64_MAX),
    KEY(struct vidmm_scenario, caches_apart, SWITCH, 1),
    KEY(struct vidmm_scenario, x64, SWITCH, 1),
    KEY(struct vidmm_scenario, links, NUMBER, VIDMM_LINKS),
    {NULL, NUMBER, 0, 0, 0},
};

static bool read_choice(struct vidmm_scenario_reader *reader, const struct key *key,
                        const char *word, uint64_t *number)
{
    const char *no = key->value == CONTEXT ? "null" : "off";
    const char *yes = key->value == CONTEXT ? "system" : "on";

    *number = strcmp(word, yes) == 0;
    if (*number == 1 || strcmp(word, no) == 0)
        return true;
    return vidmm_scenario_wrong(reader, "%s: \"%s\"; expected %s or %s", key->name, word, no, yes);
}

static bool read_value(struct vidmm_scenario_reader *reader, const struct key *key,
                       const char *word, uint64_t *number)
{
    switch (key->value) {
    case NUMBER:
        return vidmm_scenario_number(reader, key->name, word, 0, key->most, number);
    case SIZE:
        return vidmm_scenario_size(reader, key->name, word, 0, key->most, number);
    default:
        return read_choice(reader, key, word, number);
    }
}

static bool no_key(struct vidmm_scenario_reader *reader, const struct key *keys)
{
    char all[VIDMM_SCENARIO_LINE];
    struct vidmm_text text;

    vidmm_text_init(&text, all, sizeof(all));
    for (const struct key *key = keys; key->name != NULL; key++) {
        vidmm_text_string(&text, key == keys ? "" : ", ");
        vidmm_text_string(&text, key->name);
    }
    return vidmm_scenario_wrong(reader, "%s: there is no \"%s\"; there are %s", reader->word[0],
                                reader->word[1], all);
}

static bool set_key(struct vidmm_scenario_reader *reader, const struct key *key, void *to)
{
    unsigned char *at = (unsigned char *)to + key->offset;
    uint64_t number;

    if (!read_value(reader, key, reader->word[2], &number))
        return false;
    if (key->width == sizeof(bool))
        *at = number != 0;
    else if (key->width == sizeof(uint32_t))
        *(uint32_t *)(void *)at = (uint32_t)number;
    else
        *(uint64_t *)(void *)at = number;
    return true;
}

static bool read_key(struct vidmm_scenario_reader *reader, const struct key *keys, void *to)
{
    if (reader->count != 3)
        return vidmm_scenario_wrong(reader, "%s: expected KEY VALUE", reader->word[0]);
    for (const struct key *key = keys; key->name != NULL; key++)
        if (strcmp(key->name, reader->word[1]) == 0)
            return set_key(reader, key, to);
    return no_key(reader, keys);
}

bool vidmm_scenario_manager(struct vidmm_scenario_reader *reader)
{
    return read_key(reader, manager_keys, &reader->scenario->manager);
}

bool vidmm_scenario_machine(struct vidmm_scenario_reader *reader)
{
    struct vidmm_scenario *scenario = reader->scenario;

    if (!read_key(reader, machine_keys, scenario))
        return false;
    if (scenario->system_memory != 0 && scenario->system_memory % VIDMM_PAGE_SIZE == 0)
        return true;
    return vidmm_scenario_wrong(
        reader, "system_memory: %" PRIu64 " ; expected whole pages of 4096 bytes, one or more",
        scenario->system_memory);
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* Segment ids, "1,2"; bit n is segment n + 1. */
static bool read_set(struct vidmm_scenario_reader *reader, const char *what, const char *word,
                     uint32_t *set)
{
    const char *at = word;
    uint64_t id;

    for (*set = 0;; at++) {
        at = digits(at, 10, &id);
        if (at == NULL || id < 1 || id > 31 || (*at != 0 && *at != ','))
            return vidmm_scenario_wrong(
                reader, "%s: \"%s\"; expected segments of 1 to 31, for example 1,2", what, word);
        *set |= 1u << (id - 1);
        if (*at == 0)
            return true;
    }
}

/* Preferred segments, the first first: "2,1"; "2e" is from its end. */
static bool read_preference(struct vidmm_scenario_reader *reader, const char *word,
                            uint32_t *preferred)
{
    const char *at = word;
    uint64_t id;

    *preferred = 0;
    for (uint32_t slot = 0;; slot++, at++) {
        at = digits(at, 10, &id);
        bool from_end = at != NULL && *at == 'e';
        if (from_end)
            at++;
        if (at == NULL || id < 1 || id > 31 || slot == 5 || (*at != 0 && *at != ','))
            return vidmm_scenario_wrong(reader,
                                        "prefer: \"%s\"; expected 1 to 5 segments of 1 to "
                                        "31, for example 2,1 or 2e (from its end)",
                                        word);
        *preferred |= ((uint32_t)id | (from_end ? 0x20u : 0)) << (6 * slot);
        if (*at == 0)
            return true;
    }
}

static const struct {
    const char *word;
    uint32_t flag; /* of DXGK_ALLOCATIONINFOFLAGS */
} flag_words[] = {
    {"cpuvisible", 0x1},   {"permanent", 0x2},      {"cached", 0x4},       {"protected", 0x8},
    {"existing", 0x10},    {"kernel", 0x20},        {"fromend", 0x40},     {"overlay", 0x100},
    {"capture", 0x200},    {"history", 0x4000},     {"physical", 0x8000},  {"residency", 0x10000},
    {"ondemand", 0x40000}, {"synchronous", 0x800},  {"swizzled", 0x80},    {"mirrored", 0x1000},
    {"instanced", 0x2000}, {"usealternate", 0x400}, {"hardware", 0x20000},
};

static bool read_flag(const char *word, struct vidmm_scenario_allocation *allocation)
{
    for (size_t i = 0; i < sizeof(flag_words) / sizeof(flag_words[0]); i++)
        if (strcmp(flag_words[i].word, word) == 0) {
            allocation->flags |= flag_words[i].flag;
            return true;
        }
    return false;
}

/* Preferred banks, the first first: "2,1"; "2e" is searched from its end. */
static bool read_banks(struct vidmm_scenario_reader *reader, const char *word, uint32_t *hint)
{
    const char *at = word;
    uint64_t id;

    *hint = 0;
    for (uint32_t group = 0;; group++, at++) {
        at = digits(at, 10, &id);
        bool from_end = at != NULL && *at == 'e';
        if (from_end)
            at++;
        if (at == NULL || id < 1 || id > 127 || group == 4 || (*at != 0 && *at != ','))
            return vidmm_scenario_wrong(reader,
                                        "bank: \"%s\"; expected 1 to 4 banks of 1 to 127, "
                                        "for example 2,1 or 2e (from its end)",
                                        word);
        *hint |= ((uint32_t)id | (from_end ? 0x80u : 0)) << (8 * group);
        if (*at == 0)
            return true;
    }
}

/* A word with a value behind it. */
static bool read_pair(struct vidmm_scenario_reader *reader, const char *word, const char *value,
                      struct vidmm_scenario_allocation *allocation)
{
    uint64_t number;

    if (strcmp(word, "segments") == 0) {
        if (!read_set(reader, word, value, &allocation->read_set))
            return false;
        allocation->write_set = allocation->read_set;
        return true;
    }
    if (strcmp(word, "read") == 0)
        return read_set(reader, word, value, &allocation->read_set);
    if (strcmp(word, "write") == 0)
        return read_set(reader, word, value, &allocation->write_set);
    if (strcmp(word, "evict") == 0)
        return read_set(reader, word, value, &allocation->evict_set);
    if (strcmp(word, "prefer") == 0)
        return read_preference(reader, value, &allocation->preferred);
    if (strcmp(word, "bank") == 0)
        return read_banks(reader, value, &allocation->hinted_bank);
    if (strcmp(word, "priority") == 0) {
        if (!vidmm_scenario_number(reader, word, value, 0, UINT32_MAX, &number))
            return false;
        allocation->priority = (uint32_t)number;
        return true;
    }
    if (strcmp(word, "rename") == 0) {
        if (!vidmm_scenario_number(reader, word, value, 0, UINT32_MAX, &number))
            return false;
        allocation->renaming = (uint32_t)number;
        return true;
    }
    if (strcmp(word, "align") == 0) {
        if (!vidmm_scenario_size(reader, word, value, 1, UINT32_MAX, &number))
            return false;
        allocation->alignment = (uint32_t)number;
        return true;
    }
    return vidmm_scenario_wrong(
        reader,
        "alloc: \"%s\"; expected one of segments, read, write, evict, prefer, "
        "bank, align, priority, rename (and a value), cpuvisible, permanent, "
        "cached, protected, existing, fromend, overlay, capture, history, "
        "physical, residency, ondemand, "
        "synchronous, swizzled, kernel, mirrored, instanced, "
        "usealternate, hardware",
        word);
}

bool vidmm_scenario_wish(struct vidmm_scenario_reader *reader, uint32_t at,
                         struct vidmm_scenario_allocation *allocation)
{
    const struct softgpu_config *gpu = &reader->scenario->gpu;
    uint32_t first = softgpu_config_segment(gpu, SOFTGPU_SEGMENT_MEMORY);

    memset(allocation, 0, sizeof(*allocation));
    allocation->priority = SOFTGPU_PRIORITY_NORMAL;
    allocation->read_set = 1u << ((first != 0 ? first : 1) - 1);
    allocation->write_set = allocation->read_set;
    if (at == reader->count)
        return vidmm_scenario_wrong(reader, "alloc: expected NAME ... SIZE");
    if (!vidmm_scenario_size(reader, "alloc", reader->word[at], 1, VIDMM_SCENARIO_SIZE_MAX,
                             &allocation->size))
        return false;
    for (at++; at < reader->count; at++) {
        if (read_flag(reader->word[at], allocation))
            continue;
        const char *value = at + 1 < reader->count ? reader->word[at + 1] : "";
        if (!read_pair(reader, reader->word[at], value, allocation))
            return false;
        at++;
    }
    return true;
}
