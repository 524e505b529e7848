/*
 * Theory. A key is a row of a table: its name, how its value is read, where it goes, its range.
 * Everything is read into a copy; only a text that is right as a whole reaches the caller.
 */
#include "softgpu/config_private.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "softgpu/broken.h"
#include "softgpu/config.h"
#include "softgpu/softgpu.h"

#define wrong softgpu_config_wrong
#define LINE 256u /* most bytes of a line, the closing 0 included */
#define SMALLEST_SEGMENT ((uint64_t)SOFTGPU_PAGE_SIZE)
#define LARGEST_SEGMENT ((uint64_t)64 << 30)

bool softgpu_config_wrong(struct line *line, const char *format, ...)
{
    char sentence[LINE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    if (line->error_size == 0)
        return false;
    if (line->number != 0)
        snprintf(line->error, line->error_size, "line %u: %s", line->number, sentence);
    else
        snprintf(line->error, line->error_size, "%s", sentence);
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_digits(const char *word, uint64_t *value)
{
    uint64_t number = 0;
    const char *at = word;

    for (; *at >= '0' && *at <= '9'; at++) {
        if (number > (UINT64_MAX - 9) / 10)
            return false;
        number = number * 10 + (uint64_t)(*at - '0');
    }
    if (at == word || *at != 0)
        return false;
    *value = number;
    return true;
}

static bool read_size_word(struct line *line, const char *name, const char *word, uint64_t least,
                           uint64_t most, uint64_t *size)
{
    if (vidmm_size_read(word, size) && *size >= least && *size <= most)
        return true;
    return wrong(line, "%s: \"%s\"; expected %s to %s", name, word, vidmm_size_written(least).text,
                 vidmm_size_written(most).text);
}

bool softgpu_config_read_number_word(struct line *line, const char *name, const char *word,
                                     uint64_t least, uint64_t most, uint64_t *number)
{
    if (read_digits(word, number) && *number >= least && *number <= most)
        return true;
    return wrong(line, "%s: \"%s\"; expected %llu to %llu", name, word, (unsigned long long)least,
                 (unsigned long long)most);
}

static bool read_choice_word(struct line *line, const char *name, const char *word,
                             const char *const *choices, uint32_t *choice)
{
    char all[LINE];
    size_t length = 0;

    for (*choice = 0; choices[*choice] != NULL; ++*choice)
        if (strcmp(word, choices[*choice]) == 0)
            return true;
    for (uint32_t i = 0; choices[i] != NULL && length < sizeof(all); i++)
        length +=
            (size_t)snprintf(all + length, sizeof(all) - length, "%s%s", i ? ", " : "", choices[i]);
    return wrong(line, "%s: \"%s\"; expected one of %s", name, word, all);
}

static bool one_value(struct line *line, const struct key *key)
{
    if (line->count == 2)
        return true;
    return wrong(line, "%s: expected 1 value, not %u", key->name, line->count - 1);
}

static void store(struct softgpu_config *config, const struct key *key, uint32_t value)
{
    memcpy((char *)config + key->offset, &value, sizeof(value));
}

/* ---- how a key is read ----------------------------------------------------------------------- */

static bool read_number(struct softgpu_config *config, const struct key *key, struct line *line)
{
    uint64_t number;

    if (!one_value(line, key) || !softgpu_config_read_number_word(line, key->name, line->word[1],
                                                                  key->least, key->most, &number))
        return false;
    store(config, key, (uint32_t)number);
    return true;
}

static bool read_size(struct softgpu_config *config, const struct key *key, struct line *line)
{
    uint64_t size;

    if (!one_value(line, key) ||
        !read_size_word(line, key->name, line->word[1], key->least, key->most, &size))
        return false;
    store(config, key, (uint32_t)size);
    return true;
}

static bool read_choice(struct softgpu_config *config, const struct key *key, struct line *line)
{
    uint32_t choice;

    if (!one_value(line, key) ||
        !read_choice_word(line, key->name, line->word[1], key->choices, &choice))
        return false;
    store(config, key, choice);
    return true;
}

static bool read_switch(struct softgpu_config *config, const struct key *key, struct line *line)
{
    uint32_t choice;
    bool on;

    if (!one_value(line, key) ||
        !read_choice_word(line, key->name, line->word[1], key->choices, &choice))
        return false;
    on = choice == 1;
    memcpy((char *)config + key->offset, &on, sizeof(on));
    return true;
}

static const char *const levels[] = {"1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "2.2", "2.3", "2.4",
                                     "2.5", "2.6", "2.7", "2.8", "2.9", "3.0", "3.1", "3.2", NULL};

static bool read_wddm(struct softgpu_config *config, const struct key *key, struct line *line)
{
    uint32_t choice;

    if (!one_value(line, key) ||
        !read_choice_word(line, key->name, line->word[1], key->choices, &choice))
        return false;
    config->wddm = (uint32_t)(10 * (levels[choice][0] - '0') + levels[choice][2] - '0');
    return true;
}

static bool read_address(struct softgpu_config *config, const struct key *key, struct line *line)
{
    return one_value(line, key) && read_size_word(line, key->name, line->word[1], key->least,
                                                  key->most, &config->highest_address);
}

/* The last bank ends with its segment. */
static bool resize_banks(struct line *line, const struct key *key, struct softgpu_segment *segment)
{
    uint32_t last = segment->bank_count;

    if (last > 1 && segment->bank_ends[last - 2] >= segment->size)
        return wrong(line, "%s: smaller than the banks of the segment", key->name);
    if (last > 0)
        segment->bank_ends[last - 1] = segment->size;
    return true;
}

/* The size of the first segment of a kind: `memory 240M`. */
static bool read_first_segment(struct softgpu_config *config, const struct key *key,
                               struct line *line)
{
    uint32_t id = softgpu_config_segment(config, (enum softgpu_segment_kind)key->offset);
    struct softgpu_segment *segment;
    uint64_t size;

    if (!one_value(line, key) ||
        !read_size_word(line, key->name, line->word[1], SMALLEST_SEGMENT, LARGEST_SEGMENT, &size))
        return false;
    if (id == 0)
        return wrong(line, "%s: there is no %s segment", key->name, key->name);
    segment = &config->segments[id - 1];
    segment->size = size & ~(uint64_t)(SOFTGPU_PAGE_SIZE - 1);
    return resize_banks(line, key, segment);
}

/* banks SIZE[,SIZE ...]: where each ends but the last, which ends with the segment. */
static bool read_banks(struct line *line, char *word, struct softgpu_segment *segment)
{
    uint64_t before = 0, end;

    segment->bank_count = 0;
    for (char *at = word, *comma; at != NULL; at = comma) {
        comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = 0;
        if (segment->bank_count + 1 == SOFTGPU_BANKS)
            return wrong(line, "banks: more than %u", SOFTGPU_BANKS);
        if (!read_size_word(line, "banks", at, before + SMALLEST_SEGMENT,
                            segment->size - SMALLEST_SEGMENT, &end))
            return false;
        segment->bank_ends[segment->bank_count++] = before = end;
    }
    segment->bank_ends[segment->bank_count++] = segment->size;
    return true;
}

/* vpr START SIZE: a protected range inside the segment. */
static bool read_vpr(struct line *line, const char *start, const char *size,
                     struct softgpu_segment *segment)
{
    const uint64_t alignment = SOFTGPU_VPR_ALIGNMENT;

    if (segment->size < alignment)
        return wrong(line, "vpr: the segment is smaller than 64K");
    if (!read_size_word(line, "vpr START", start, 0, segment->size - alignment,
                        &segment->vpr_start) ||
        !read_size_word(line, "vpr SIZE", size, alignment, segment->size - segment->vpr_start,
                        &segment->vpr_size))
        return false;
    if (segment->vpr_start % alignment != 0 || segment->vpr_size % alignment != 0)
        return wrong(line, "vpr: START %s, SIZE %s; expected multiples of 64K", start, size);
    return true;
}

/* A word of a memory segment, and the value behind some. False: an error, or it is none; *none. */
static bool read_memory_word(struct line *line, unsigned *at, struct softgpu_segment *segment,
                             bool *none)
{
    static const struct {
        const char *word;
        size_t offset;
    } flags[] = {{"cpuvisible", offsetof(struct softgpu_segment, cpu_visible)},
                 {"hostaperture", offsetof(struct softgpu_segment, host_aperture)},
                 {"cachedhostaperture", offsetof(struct softgpu_segment, host_cached)},
                 {"pitchaligned", offsetof(struct softgpu_segment, pitch_aligned)},
                 {"populated", offsetof(struct softgpu_segment, populated)},
                 {"standby", offsetof(struct softgpu_segment, standby)},
                 {"vprstandby", offsetof(struct softgpu_segment, vpr_standby)},
                 {"vprlost", offsetof(struct softgpu_segment, vpr_lost)},
                 {"encrypted", offsetof(struct softgpu_segment, encrypted)},
                 {"cleartext", offsetof(struct softgpu_segment, cleartext)},
                 {"hibernate", offsetof(struct softgpu_segment, hibernate)},
                 {"directflip", offsetof(struct softgpu_segment, direct_flip)}};
    const char *word = line->word[*at];

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
        if (strcmp(word, flags[i].word) == 0)
            return *(bool *)((char *)segment + flags[i].offset) = true;
    if (strcmp(word, "banks") == 0 && *at + 1 < line->count)
        return read_banks(line, line->word[++*at], segment);
    if (strcmp(word, "partly") == 0 && *at + 1 < line->count)
        return segment->partly = true, read_size_word(line, "partly", line->word[++*at], 0,
                                                      segment->size, &segment->preserved_end);
    if (strcmp(word, "vpr") == 0 && *at + 2 < line->count) {
        *at += 2;
        return read_vpr(line, line->word[*at - 1], line->word[*at], segment);
    }
    *none = true;
    return false;
}

/* The words behind the size of a segment. */
static bool read_segment_words(struct line *line, struct softgpu_segment *segment)
{
    bool aperture = segment->kind == SOFTGPU_SEGMENT_APERTURE;

    if (segment->kind == SOFTGPU_SEGMENT_AGP && line->count > 4)
        return wrong(line, "segment: \"%s\" behind an agp segment", line->word[4]);

    for (unsigned i = 4; i < line->count; i++) {
        const char *word = line->word[i];
        bool none = false;

        if (!aperture && read_memory_word(line, &i, segment, &none))
            continue;
        if (!aperture && !none)
            return false;

        if (aperture && strcmp(word, "cachecoherent") == 0) {
            segment->cache_coherent = true;
        } else if (aperture && strcmp(word, "commit") == 0 && i + 1 < line->count) {
            if (!read_size_word(line, "commit", line->word[++i], SMALLEST_SEGMENT, segment->size,
                                &segment->commit_limit))
                return false;
        } else {
            return wrong(
                line, "segment: \"%s\"; expected one of %s", word,
                aperture
                    ? "cachecoherent, commit SIZE"
                    : "cpuvisible, hostaperture, cachedhostaperture, pitchaligned, "
                      "populated, standby, hibernate, directflip, partly SIZE, vpr START SIZE, "
                      "vprstandby, vprlost, encrypted, cleartext, banks SIZE,...");
        }
    }
    return true;
}

/* segment ID aperture|memory SIZE [WORD ...] */
static bool read_segment(struct softgpu_config *config, const struct key *key, struct line *line)
{
    struct softgpu_segment segment = {.kind = SOFTGPU_SEGMENT_NONE};
    uint32_t kind, count = line->new_segments ? 0 : config->segment_count;
    uint64_t id;

    if (line->count < 4)
        return wrong(line, "segment: expected ID aperture|memory SIZE");
    if (!softgpu_config_read_number_word(line, "segment", line->word[1], 1,
                                         count < SOFTGPU_SEGMENTS ? count + 1 : SOFTGPU_SEGMENTS,
                                         &id))
        return false;
    if (!line->lone && id <= count)
        return wrong(line, "segment: %s is there already", line->word[1]);
    if (!read_choice_word(line, "segment", line->word[2], key->choices, &kind) ||
        !read_size_word(line, "segment", line->word[3], key->least, key->most, &segment.size))
        return false;
    segment.size &= ~(uint64_t)(SOFTGPU_PAGE_SIZE - 1);
    segment.kind = (enum softgpu_segment_kind)(kind + 1);
    if (!read_segment_words(line, &segment))
        return false;
    if (line->new_segments)
        memset(config->segments, 0, sizeof(config->segments));
    line->new_segments = false;
    config->segments[id - 1] = segment;
    config->segment_count = id > count ? (uint32_t)id : count;
    return true;
}

/* engines render|copy ... */
static bool read_engines(struct softgpu_config *config, const struct key *key, struct line *line)
{
    uint32_t kind[SOFTGPU_ENGINES];

    if (line->count < 2 || line->count - 1 > SOFTGPU_ENGINES)
        return wrong(line, "engines: expected 1 to %u values, not %u", SOFTGPU_ENGINES,
                     line->count - 1);
    for (uint32_t i = 0; i + 1 < line->count; i++)
        if (!read_choice_word(line, key->name, line->word[i + 1], key->choices, &kind[i]))
            return false;
    config->engine_count = line->count - 1;
    for (uint32_t i = 0; i < config->engine_count; i++)
        config->engines[i] = (enum softgpu_engine_kind)kind[i];
    return true;
}

/* busy never | first | CALL */
static bool read_busy(struct softgpu_config *config, const struct key *key, struct line *line)
{
    uint64_t call = 0;
    bool first;

    if (!one_value(line, key))
        return false;
    first = strcmp(line->word[1], "first") == 0;
    if (!first && strcmp(line->word[1], "never") != 0 &&
        !softgpu_config_read_number_word(line, "busy (or never, first)", line->word[1], key->least,
                                         key->most, &call))
        return false;
    config->busy_first = first;
    config->busy_at = (uint32_t)call;
    return true;
}

/* insufficient never | CALL | every CALLS */
static bool read_insufficient(struct softgpu_config *config, const struct key *key,
                              struct line *line)
{
    bool every = line->count == 3 && strcmp(line->word[1], "every") == 0;
    uint64_t call = 0;

    if (!every && !one_value(line, key))
        return false;
    if (strcmp(line->word[1], "never") != 0 &&
        !softgpu_config_read_number_word(line, "insufficient (or never, every)",
                                         line->word[every ? 2 : 1], every ? 2 : key->least,
                                         key->most, &call))
        return false;
    config->insufficient_at = every ? 0 : (uint32_t)call;
    config->insufficient_every = every ? (uint32_t)call : 0;
    return true;
}

/* hang never | ENGINE PACKET [every] [preemptible] */
static bool read_hang(struct softgpu_config *config, const struct key *key, struct line *line)
{
    uint64_t engine = 0, packet = 0;
    bool every = false, preemptible = false;

    if (line->count == 2 && strcmp(line->word[1], "never") == 0) {
        config->hang_packet = 0;
        return true;
    }
    if (line->count < 3 || line->count > 5)
        return wrong(line, "hang: expected never, or ENGINE PACKET");
    if (!softgpu_config_read_number_word(line, "hang", line->word[1], 0, SOFTGPU_RINGS - 1,
                                         &engine) ||
        !softgpu_config_read_number_word(line, "hang", line->word[2], key->least, key->most,
                                         &packet))
        return false;
    config->hang_engine = (uint32_t)engine;
    for (int i = 3; i < (int)line->count; i++) {
        every |= strcmp(line->word[i], "every") == 0;
        preemptible |= strcmp(line->word[i], "preemptible") == 0;
    }
    if ((int)line->count - 3 != every + preemptible)
        return wrong(line, "hang: only every and preemptible may follow");
    config->hang_packet = (uint32_t)packet;
    config->hang_every = every;
    config->hang_preemptible = preemptible;
    return true;
}

static bool read_broken(struct softgpu_config *config, const struct key *key, struct line *line)
{
    enum softgpu_broken which;

    if (!one_value(line, key))
        return false;
    which = softgpu_broken_find(line->word[1]);
    if (which == SOFTGPU_BROKEN_COUNT)
        return wrong(line, "broken: no misbehaviour is called \"%s\"", line->word[1]);
    config->broken |= (uint64_t)1 << which;
    return true;
}

static const char *const segment_kinds[] = {"aperture", "memory", "agp", NULL};
static const char *const engine_kinds[] = {"render", "copy", NULL};
static const char *const habits[] = {"queued", "immediate", NULL};
static const char *const interrupts[] = {"prompt", "late", NULL};
static const char *const switches[] = {"off", "on", NULL};
static const char *const recoveries[] = {
    "honest",      "preempt_fails", "engine_fails",  "aborted_fence", "group_empty", "group_all",
    "reset_fails", "power_fails",   "release_fails", "reset_reports", NULL};
static const char *const saves[] = {"none", "memory", "aperture", NULL};
static const char *const mmus[] = {"none", "gpu", "io", NULL};
static const char *const update_modes[] = {"cpu_virtual", "gpu_virtual", "gpu_physical", NULL};
static const char *const companions[] = {"paging", "none", "0", "1", "2", "3", NULL};
static const char *const tables_64k[] = {"off", "single", "dual", NULL};
static const char *const page_faults[] = {"skips", "stands", NULL};
static const char *const executions[] = {"none", "full", NULL};

#define AT(member) offsetof(struct softgpu_config, member)

static const struct key keys[] = {
    {"wddm", read_wddm, 0, 0, 0, levels},
    {"segment", read_segment, 0, SMALLEST_SEGMENT, LARGEST_SEGMENT, segment_kinds},
    {"aperture", read_first_segment, SOFTGPU_SEGMENT_APERTURE, 0, 0, NULL},
    {"memory", read_first_segment, SOFTGPU_SEGMENT_MEMORY, 0, 0, NULL},
    {"engines", read_engines, 0, 0, 0, engine_kinds},
    {"multi_engine", read_switch, AT(multi_engine), 0, 0, switches},
    {"preemption", read_switch, AT(preemption), 0, 0, switches},
    {"engine_reset", read_switch, AT(engine_reset), 0, 0, switches},
    {"cancel", read_switch, AT(cancel), 0, 0, switches},
    {"non_vga", read_switch, AT(non_vga), 0, 0, switches},
    {"recovery", read_choice, AT(recovery), 0, 0, recoveries},
    {"context_save", read_choice, AT(context_save), 0, 0, saves},
    {"habit", read_choice, AT(habit), 0, 0, habits},
    {"queue", read_number, AT(queue), 1, 4096, NULL},
    {"paging_buffer", read_size, AT(paging_buffer), 128, 1 << 24, NULL},
    {"paging_buffer_segment", read_number, AT(paging_buffer_segment), 0, SOFTGPU_SEGMENTS, NULL},
    {"private_data", read_size, AT(private_data), 0, 1 << 16, NULL},
    {"dma_buffer", read_size, AT(dma_buffer), 128, 1 << 24, NULL},
    {"dma_buffer_segment", read_number, AT(dma_buffer_segment), 0, SOFTGPU_SEGMENTS, NULL},
    {"dma_private_data", read_size, AT(dma_private_data), 0, 1 << 16, NULL},
    {"allocation_list", read_number, AT(allocation_list), 1, 65536, NULL},
    {"patch_list", read_number, AT(patch_list), 1, 65536, NULL},
    {"highest_address", read_address, 0, 1 << 20, (uint64_t)1 << 52, NULL},
    {"ranges", read_number, AT(range_count), 0, SOFTGPU_RANGES, NULL},
    {"range_limit", read_number, AT(range_limit), 0, SOFTGPU_RANGES, NULL},
    {"mmu", read_choice, AT(mmu.kind), 0, 0, mmus},
    {"levels", softgpu_config_read_levels, 0, 2, SOFTGPU_LEVELS, NULL},
    {"index_bits", softgpu_config_read_index_bits, 0, 0, 0, NULL},
    {"page_table_update", read_choice, AT(mmu.update_mode), 0, 0, update_modes},
    {"companion", read_choice, AT(mmu.companion), 0, 0, companions},
    {"page_table_segment", read_number, AT(mmu.table_segment), 0, SOFTGPU_SEGMENTS, NULL},
    {"paging_table_segment", read_number, AT(mmu.paging_table_segment), 0, SOFTGPU_SEGMENTS, NULL},
    {"pages_64k", read_choice, AT(mmu.pages_64k), 0, 0, tables_64k},
    {"page_fault", read_choice, AT(mmu.on_page_fault), 0, 0, page_faults},
    {"zero_pte", read_switch, AT(mmu.zero_pte), 0, 0, switches},
    {"read_only", read_switch, AT(mmu.read_only), 0, 0, switches},
    {"no_execute", read_switch, AT(mmu.no_execute), 0, 0, switches},
    {"coherent", read_switch, AT(mmu.coherent), 0, 0, switches},
    {"large_pages", read_switch, AT(mmu.large_pages), 0, 0, switches},
    {"unaligned_large", read_switch, AT(mmu.unaligned_large), 0, 0, switches},
    {"system_large", read_switch, AT(mmu.system_large), 0, 0, switches},
    {"system_64k", read_switch, AT(mmu.system_64k), 0, 0, switches},
    {"cached_tables", read_switch, AT(mmu.cached_tables), 0, 0, switches},
    {"invalid_cached", read_switch, AT(mmu.invalid_cached), 0, 0, switches},
    {"explicit_invalidation", read_switch, AT(mmu.explicit_invalidation), 0, 0, switches},
    {"idle_updates", read_switch, AT(mmu.idle_updates), 0, 0, switches},
    {"map_aperture2", read_switch, AT(map_aperture2), 0, 0, switches},
    {"atomics_64", read_switch, AT(atomics_64), 0, 0, switches},
    {"hw_queues", read_number, AT(hw_queues), 0, SOFTGPU_HW_QUEUES, NULL},
    {"isolation", read_switch, AT(isolation), 0, 0, switches},
    {"remapping", read_switch, AT(remapping), 0, 0, switches},
    {"move_paging", read_switch, AT(move_paging), 0, 0, switches},
    {"vpr_context", read_switch, AT(vpr_context), 0, 0, switches},
    {"hardware_protected", read_switch, AT(hardware_protected), 0, 0, switches},
    {"alternate_primary", read_switch, AT(alternate_primary), 0, 0, switches},
    {"sources", read_number, AT(sources), 0, SOFTGPU_SOURCES, NULL},
    {"history", read_number, AT(history), 0, 64, NULL},
    {"interrupts", read_choice, AT(interrupts), 0, 0, interrupts},
    {"execute", read_switch, AT(execute), 0, 0, executions},
    {"poison_discard", read_switch, AT(poison_discard), 0, 0, switches},
    {"busy", read_busy, 0, 1, UINT32_MAX, NULL},
    {"insufficient", read_insufficient, 0, 1, UINT32_MAX, NULL},
    {"hang", read_hang, 0, 1, UINT32_MAX, NULL},
    {"broken", read_broken, 0, 0, 0, NULL},
};

static bool apply(struct softgpu_config *config, struct line *line)
{
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(line->word[0], keys[i].name) == 0)
            return keys[i].read(config, &keys[i], line);
    return wrong(line, "there is no key \"%s\"", line->word[0]);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Cut a line into words; a # ends it. False: too many words. */
static bool split(char *text, struct line *line)
{
    line->count = 0;
    for (char *at = text; *at != 0 && *at != '#';) {
        if (*at == ' ' || *at == '\t' || *at == '\r') {
            *at++ = 0;
            continue;
        }
        if (line->count == WORDS)
            return wrong(line, "more than %u words", WORDS);
        line->word[line->count++] = at;
        while (*at != 0 && *at != ' ' && *at != '\t' && *at != '\r' && *at != '#')
            at++;
        if (*at == '#') {
            *at = 0;
            break;
        }
    }
    return true;
}

/* Copy one line out of the text. False: it is too long. */
static bool take_line(const char **text, struct line *line, char copy[LINE])
{
    size_t length = strcspn(*text, "\n");

    if (length >= LINE)
        return wrong(line, "longer than %u bytes", LINE - 1);
    memcpy(copy, *text, length);
    copy[length] = 0;
    *text += length + ((*text)[length] == '\n');
    return true;
}

bool softgpu_config_parse(const char *text, struct softgpu_config *config, char *error,
                          size_t error_size)
{
    struct line line = {.error = error, .error_size = error_size, .new_segments = true};
    struct softgpu_config copy = *config;
    char words[LINE];

    while (*text != 0) {
        line.number++;
        if (!take_line(&text, &line, words) || !split(words, &line))
            return false;
        if (line.count != 0 && !apply(&copy, &line))
            return false;
    }
    if (!softgpu_config_check(&copy, error, error_size))
        return false;
    *config = copy;
    return true;
}

bool softgpu_config_knows(const char *key)
{
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(key, keys[i].name) == 0)
            return true;
    return false;
}

bool softgpu_config_set(struct softgpu_config *config, const char *key, const char *value,
                        char *error, size_t error_size)
{
    struct line line = {.error = error, .error_size = error_size, .lone = true};
    struct softgpu_config copy = *config;
    char words[LINE];

    if (snprintf(words, sizeof(words), "%s %s", key, value) >= (int)sizeof(words))
        return wrong(&line, "longer than %u bytes", LINE - 1);
    if (!split(words, &line))
        return false;
    if (line.count == 0)
        return wrong(&line, "an empty key");
    if (!apply(&copy, &line))
        return false;
    *config = copy;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool check_buffer_segment(const struct softgpu_config *config, struct line *line,
                                 const char *name, uint32_t id)
{
    if (id == 0 ||
        (id <= config->segment_count && config->segments[id - 1].kind == SOFTGPU_SEGMENT_APERTURE))
        return true;
    return wrong(line, "%s: %u is neither 0 nor an aperture segment", name, id);
}

/* Check that a paging buffer holds at least one small record. */
static bool check_sizes(const struct softgpu_config *config, struct line *line)
{
    uint32_t record = config->habit == SOFTGPU_IMMEDIATE ? 512 : 128;

    if (config->paging_buffer < record)
        return wrong(line, "paging_buffer: %u is below %u, one record of habit %s",
                     config->paging_buffer, record, habits[config->habit]);
    if (config->private_data < 16 &&
        (config->private_data != 0 || config->habit == SOFTGPU_IMMEDIATE))
        return wrong(line, "private_data: %u is below 16, one record of habit %s",
                     config->private_data, habits[config->habit]);
    if (config->dma_private_data != 0 && config->dma_private_data < 16)
        return wrong(line, "dma_private_data: %u is neither 0 nor 16 or more",
                     config->dma_private_data);
    return true;
}

/* Contexts are saved to a segment in which bytes lie as they are. */
static bool check_save(const struct softgpu_config *config, struct line *line)
{
    enum softgpu_segment_kind kind = config->context_save == SOFTGPU_SAVE_APERTURE
                                         ? SOFTGPU_SEGMENT_APERTURE
                                         : SOFTGPU_SEGMENT_MEMORY;

    for (uint32_t i = 0; i < config->segment_count; i++)
        if (config->segments[i].kind == kind && !config->segments[i].pitch_aligned)
            return true;
    return config->context_save == SOFTGPU_SAVE_NONE ||
           wrong(line, "context_save: %s, and there is no such segment without pitchaligned",
                 saves[config->context_save]);
}

static bool check_hw_queues(const struct softgpu_config *config, struct line *line)
{
    if (config->hw_queues == 0)
        return true;
    if (config->wddm < 25 || config->mmu.kind != SOFTGPU_MMU_GPU)
        return wrong(line, "hw_queues: %u; expected 0 below wddm 2.5, and without mmu gpu",
                     config->hw_queues);
    if (!config->atomics_64 || config->context_save != SOFTGPU_SAVE_NONE)
        return wrong(line, "hw_queues: %u; expected 0 with atomics_64 off, and with context_save",
                     config->hw_queues);
    return true;
}

static bool check_engines(const struct softgpu_config *config, struct line *line)
{
    if (config->hang_packet != 0 && config->hang_engine >= softgpu_rings(config))
        return wrong(line, "hang: there are engines 0 .. %u only", softgpu_rings(config) - 1);
    if (!check_hw_queues(config, line))
        return false;
    for (uint32_t i = 0; i < config->engine_count; i++)
        if (config->engines[i] == SOFTGPU_ENGINE_RENDER && (config->multi_engine || i == 0))
            return true;
    return wrong(line, "engines: none that renders%s",
                 config->multi_engine ? "" : " at node 0, the only one without multi_engine");
}

/* obeys D-043, D-044, W-003 */
static bool check_host_aperture(const struct softgpu_config *config, struct line *line)
{
    for (uint32_t i = 0; i < config->segment_count; i++) {
        const struct softgpu_segment *segment = &config->segments[i];

        if (segment->host_cached && !segment->host_aperture)
            return wrong(line, "segment %u: cachedhostaperture; expected hostaperture with it",
                         i + 1);
        if (!segment->host_aperture)
            continue;
        if (config->wddm < 20)
            return wrong(line, "segment %u: hostaperture; expected none below wddm 2.0", i + 1);
        if (i + 1 != config->segment_count)
            return wrong(line, "segment %u: hostaperture; expected in the last, %u (W-003)", i + 1,
                         config->segment_count);
        if (segment->cpu_visible || segment->pitch_aligned)
            return wrong(line, "segment %u: hostaperture and %s; expected one of them", i + 1,
                         segment->cpu_visible ? "cpuvisible" : "pitchaligned");
        if (segment->size % ((uint64_t)1 << softgpu_host_page_shift(config)) != 0)
            return wrong(line, "segment %u: %llu bytes; expected whole pages of 64 KiB", i + 1,
                         (unsigned long long)segment->size);
    }
    return true;
}

/* Refuse keys that the level has no words for. */
static bool check_level(const struct softgpu_config *config, struct line *line)
{
    if (config->wddm < 20)
        return true;
    if (config->range_count != 0)
        return wrong(line, "ranges: %u; expected 0 with wddm 2.0 or later", config->range_count);
    for (uint32_t i = 0; i < config->segment_count; i++) {
        const struct softgpu_segment *segment = &config->segments[i];

        if (segment->kind == SOFTGPU_SEGMENT_AGP || segment->bank_count != 0)
            return wrong(line, "segment %u: %s; expected none with wddm 2.0 or later", i + 1,
                         segment->bank_count != 0 ? "banks" : "agp");
    }
    return true;
}

bool softgpu_config_check(const struct softgpu_config *config, char *error, size_t error_size)
{
    struct line line = {.error = error, .error_size = error_size};

    if (config->segment_count == 0)
        return wrong(&line, "segment: there is none; expected 1 to %u", SOFTGPU_SEGMENTS);
    return check_buffer_segment(config, &line, "paging_buffer_segment",
                                config->paging_buffer_segment) &&
           check_buffer_segment(config, &line, "dma_buffer_segment", config->dma_buffer_segment) &&
           check_sizes(config, &line) && check_engines(config, &line) &&
           check_save(config, &line) && check_level(config, &line) &&
           check_host_aperture(config, &line) && softgpu_config_check_virtual(config, &line);
}

struct softgpu_config softgpu_config_default(void)
{
    return (struct softgpu_config){
        .wddm = 13,
        .segment_count = 2,
        .segments = {{.kind = SOFTGPU_SEGMENT_APERTURE, .size = (uint64_t)256 << 20},
                     {.kind = SOFTGPU_SEGMENT_MEMORY,
                      .size = (uint64_t)256 << 20,
                      .cpu_visible = true}},
        .engine_count = 2,
        .engines = {SOFTGPU_ENGINE_RENDER, SOFTGPU_ENGINE_COPY},
        .multi_engine = true,
        .preemption = true,
        .cancel = true,
        .habit = SOFTGPU_QUEUED,
        .queue = 31,
        .paging_buffer = 64 << 10,
        .paging_buffer_segment = 1,
        .private_data = 1024,
        .dma_buffer = 64 << 10,
        .dma_buffer_segment = 1,
        .dma_private_data = 64,
        .allocation_list = 1024,
        .patch_list = 1024,
        .highest_address = (uint64_t)1 << 52,
        .mmu = {.levels = 4,
                .index_bits = {9, 9, 9, 9},
                .update_mode = SOFTGPU_UPDATE_GPU_PHYSICAL,
                .table_segment = 2,
                .paging_table_segment = 2,
                .zero_pte = true,
                .read_only = true,
                .no_execute = true,
                .coherent = true,
                .invalid_cached = true},
        .atomics_64 = true,
        .history = 64,
        .interrupts = SOFTGPU_PROMPT,
        .execute = true,
        .poison_discard = true,
    };
}

uint32_t softgpu_config_segment(const struct softgpu_config *config, enum softgpu_segment_kind kind)
{
    for (uint32_t id = 1; id <= config->segment_count; id++)
        if (config->segments[id - 1].kind == kind)
            return id;
    return 0;
}
