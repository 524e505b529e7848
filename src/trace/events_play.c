/* Reading and stepping go line by line; nothing of the list is kept.
 *
 * P1  the first line names the format, the second the engine, the next the segments, each in order
 * P2  a line is stepped only when it was read to its end
 * P3  references[] has room for those of the line, patches[] for its patch locations, allocations[]
 *     for the ids that it lists
 */
#include "trace/events.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "trace/events_format.h"
#include "trace/trace.h"

#define REFERENCES_MOST (1u << 20)
#define BANKS_MOST (VIDMM_SEGMENTS * 127u)
#define RESERVED_MOST (VIDMM_SEGMENTS * 257u) /* of all segments */

struct player {
    const char *name, *at, *end;
    struct vidmm_memory memory;
    struct vidmm_engine *engine;
    struct vidmm_reference *references; /* P3 */
    uint32_t capacity;
    uint64_t *banks; /* of all segments */
    uint32_t bank_count;
    struct vidmm_reserved_range *reserved; /* of all segments */
    uint32_t reserved_count;
    struct vidmm_patch_location *patches; /* P3 */
    uint32_t patch_capacity;
    uint32_t *allocations; /* P3 */
    uint32_t allocation_capacity;
    struct vidmm_fence_value *values; /* P3 */
    uint32_t value_capacity;
    bool wddm2; /* version 6 */
    FILE *plan;
    struct vidmm_events_result *result;
    struct vidmm_trace_error *error;
    uint32_t line;
    const char *line_end; /* of the line being read */
};

struct word {
    const char *at;
    size_t length;
};

/* ---- words of a line ------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static bool refuse(struct player *player, const char *format,
                                                         ...)
{
    char sentence[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    snprintf(player->error->text, sizeof(player->error->text), "%s:%" PRIu32 ": %s", player->name,
             player->line, sentence);
    return false;
}

/* Go to the next line. False: there is none. */
static bool next_line(struct player *player)
{
    if (player->line_end != NULL)
        player->at = player->line_end < player->end ? player->line_end + 1 : player->end;
    if (player->at == player->end)
        return false;
    player->line_end = memchr(player->at, '\n', (size_t)(player->end - player->at));
    if (player->line_end == NULL)
        player->line_end = player->end;
    player->line++;
    return true;
}

static struct word next_word(struct player *player)
{
    struct word word;

    while (player->at < player->line_end && *player->at == ' ')
        player->at++;
    word.at = player->at;
    while (player->at < player->line_end && *player->at != ' ')
        player->at++;
    word.length = (size_t)(player->at - word.at);
    return word;
}

static bool is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

/* A word in an error: cut, and without bytes that a terminal might obey. */
struct shown {
    char text[28];
};

static struct shown show(struct word word)
{
    struct shown shown = {""};
    size_t length = word.length < sizeof(shown.text) - 1 ? word.length : sizeof(shown.text) - 1;

    for (size_t i = 0; i < length; i++)
        shown.text[i] = (char)(word.at[i] < ' ' || word.at[i] > '~' ? '?' : word.at[i]);
    return shown;
}

static bool to_number(struct word word, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < word.length; i++) {
        uint64_t digit = (uint64_t)(unsigned char)word.at[i] - '0';

        if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return word.length > 0;
}

static bool read_number(struct player *player, const char *what, uint64_t *number)
{
    struct word word = next_word(player);

    return to_number(word, number) ||
           refuse(player, "%s: \"%s\" is no number of 0 .. 2^64 - 1", what, show(word).text);
}

static bool read_field(struct player *player, const struct vidmm_events_field *field, void *to)
{
    uint64_t number;

    if (!read_number(player, field->name, &number))
        return false;
    return vidmm_events_set(to, field, number) ||
           refuse(player, "%s: %" PRIu64 " is above %s", field->name, number,
                  field->width == 1 ? "1" : "2^32 - 1");
}

static bool at_end(struct player *player)
{
    struct word word = next_word(player);

    return word.length == 0 || refuse(player, "unexpected argument \"%s\"", show(word).text);
}

/* ---- the head -------------------------------------------------------------------------------- */

static bool read_named(struct player *player, const struct vidmm_events_row *row, void *to)
{
    for (const struct vidmm_events_field *field = row->fields; field->name != NULL; field++) {
        struct word word = next_word(player);

        if (!is(word, field->name))
            return refuse(player, "\"%s\" where %s is expected", show(word).text, field->name);
        if (!read_field(player, field, to))
            return false;
    }
    return true;
}

static bool begin_line(struct player *player, const char *name)
{
    struct word word;

    if (!next_line(player))
        return refuse(player, "it ends where a line %s is expected", name);
    word = next_word(player);
    return is(word, name) || refuse(player, "\"%s\" where %s is expected", show(word).text, name);
}

/* Read the ends of the banks; the head keeps them until the engine has its own. */
static bool read_banks(struct player *player, struct vidmm_engine_segment *segment)
{
    uint64_t *ends = player->banks + player->bank_count;

    if (segment->bank_count > BANKS_MOST - player->bank_count)
        return refuse(player, "banks: %" PRIu32 " are more than %u in all", segment->bank_count,
                      BANKS_MOST);
    for (uint32_t bank = 0; bank < segment->bank_count; bank++)
        if (!read_number(player, "the end of a bank", &ends[bank]))
            return false;
    segment->bank_ends = ends;
    player->bank_count += segment->bank_count;
    return true;
}

/* Whether another line begins with this word; its numbers are next then. Else nothing is read. */
static bool next_line_is(struct player *player, const char *name)
{
    struct player before = *player;

    if (next_line(player) && is(next_word(player), name))
        return true;
    *player = before;
    return false;
}

/* Read the ranges of a segment that are reserved, a line each; most segments have none. */
static bool read_reserved(struct player *player, struct vidmm_engine_segment *segment)
{
    segment->reserved = player->reserved + player->reserved_count;
    while (next_line_is(player, VIDMM_EVENTS_RESERVED)) {
        struct vidmm_reserved_range *range = player->reserved + player->reserved_count;

        if (player->reserved_count == RESERVED_MOST)
            return refuse(player, "reserved: more than %u ranges in all", RESERVED_MOST);
        if (!read_number(player, "the offset of a range", &range->offset) ||
            !read_number(player, "the size of a range", &range->size) || !at_end(player))
            return false;
        player->reserved_count++;
        segment->reserved_count++;
    }
    return true;
}

/* Read the segment that it is a part of, a line; most segments are none. */
static bool read_part(struct player *player, struct vidmm_engine_segment *segment)
{
    uint64_t whole;

    if (!next_line_is(player, VIDMM_EVENTS_PART))
        return true;
    if (!read_number(player, "the segment that it is a part of", &whole))
        return false;
    if (whole == 0 || whole >= VIDMM_SEGMENTS)
        return refuse(player, "part: %" PRIu64 "; expected 1 to %u", whole, VIDMM_SEGMENTS - 1);
    segment->part_of = (uint32_t)whole;
    return at_end(player);
}

static bool read_in_two(struct player *player, struct vidmm_engine_segment *segment)
{
    segment->move_in_two = next_line_is(player, VIDMM_EVENTS_IN_TWO);
    return !segment->move_in_two || at_end(player);
}

static bool read_segments(struct player *player, struct vidmm_engine_config *config)
{
    for (uint32_t id = 1; id <= config->segment_count; id++) {
        uint64_t number;

        if (!begin_line(player, vidmm_events_segment_row.name) ||
            !read_number(player, "the id of a segment", &number))
            return false;
        if (number != id)
            return refuse(player, "segment %" PRIu64 " where %" PRIu32 " is expected", number, id);
        if (!read_named(player, &vidmm_events_segment_row, &config->segments[id]) ||
            !read_banks(player, &config->segments[id]))
            return false;
        if (player->wddm2 &&
            !read_named(player, &vidmm_events_wddm2_segment_row, &config->segments[id]))
            return false;
        if (player->wddm2 && player->at < player->line_end &&
            !read_named(player, &vidmm_events_host_row, &config->segments[id]))
            return false;
        if (player->wddm2 && player->at < player->line_end &&
            !read_named(player, &vidmm_events_group_row, &config->segments[id]))
            return false;
        if (!at_end(player) || !read_reserved(player, &config->segments[id]) ||
            !read_part(player, &config->segments[id]) ||
            !read_in_two(player, &config->segments[id]))
            return false;
    }
    return true;
}

/* P1 */
static bool read_head(struct player *player)
{
    struct vidmm_engine_config config;

    memset(&config, 0, sizeof(config));
    if (!next_line(player))
        return refuse(player, "it is empty; the first line is \"%s\"", VIDMM_EVENTS_FIRST_LINE);
    struct word line = {player->at, (size_t)(player->line_end - player->at)};
    player->wddm2 = is(line, VIDMM_EVENTS_FIRST_LINE_WDDM2);
    if (!player->wddm2 && !is(line, VIDMM_EVENTS_FIRST_LINE))
        return refuse(player, "\"%s\" where \"%s\" or \"%s\" is expected", show(line).text,
                      VIDMM_EVENTS_FIRST_LINE, VIDMM_EVENTS_FIRST_LINE_WDDM2);
    if (!begin_line(player, vidmm_events_engine_row.name) ||
        !read_named(player, &vidmm_events_engine_row, &config))
        return false;
    if (player->wddm2 && !read_named(player, &vidmm_events_wddm2_row, &config))
        return false;
    if (player->wddm2 && player->at < player->line_end &&
        !read_named(player, &vidmm_events_node_row, &config))
        return false;
    if (player->wddm2 && player->at < player->line_end &&
        !read_named(player, &vidmm_events_isolated_row, &config))
        return false;
    if (player->wddm2 && player->at < player->line_end &&
        !read_named(player, &vidmm_events_hw_row, &config))
        return false;
    if (!at_end(player))
        return false;
    if (config.segment_count == 0 || config.segment_count >= VIDMM_SEGMENTS)
        return refuse(player, "segments: %" PRIu32 " is not 1 .. %u", config.segment_count,
                      VIDMM_SEGMENTS - 1);
    if (!read_segments(player, &config))
        return false;
    player->engine = vidmm_engine_create(&config, &player->memory);
    return player->engine != NULL ||
           refuse(player, "no engine can be made with this, or there is no memory for it");
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Room for `count` of what the line calls `what`, in *array. Each takes `least` bytes of the line
 * at least. */
static bool reserve(struct player *player, const char *what, uint32_t count, size_t least,
                    void **array, size_t size, uint32_t *capacity)
{
    if (count > REFERENCES_MOST)
        return refuse(player, "%s: %" PRIu32 " is above %u", what, count, REFERENCES_MOST);
    if (count <= *capacity)
        return true;
    if (count > (size_t)(player->line_end - player->at) / least + 1)
        return refuse(player, "%s: %" PRIu32 " do not stand there", what, count);
    if (*array != NULL)
        player->memory.free(player->memory.context, *array);
    *capacity = 0;
    *array = player->memory.allocate(player->memory.context, count * size);
    if (*array == NULL)
        return refuse(player, "no memory for %" PRIu32 " %s", count, what);
    *capacity = count;
    return true;
}

/* Take a letter off the end of the word, if it stands there. */
static bool take_letter(struct word *word, char letter)
{
    bool there = word->length > 0 && word->at[word->length - 1] == letter;

    word->length -= there;
    return there;
}

/* ALLOCATION:R or ALLOCATION:W, with an L behind it if the CPU holds a lock, then an O if it is the
 * context's own */
static bool read_reference(struct player *player, struct vidmm_reference *reference)
{
    struct word word = next_word(player), rest = word;
    bool owned = take_letter(&rest, 'O'), locked = take_letter(&rest, 'L');
    size_t length = rest.length;
    struct word digits = {word.at, length > 2 ? length - 2 : 0};
    char access = length > 2 ? word.at[length - 1] : 0;
    uint64_t number;

    if ((access != 'R' && access != 'W') || word.at[length - 2] != ':' ||
        !to_number(digits, &number) || number > UINT32_MAX)
        return refuse(player, "\"%s\" is no reference: ALLOCATION:R or ALLOCATION:W",
                      show(word).text);
    *reference =
        (struct vidmm_reference){(uint32_t)number, (access == 'W' ? VIDMM_REFERENCE_WRITES : 0) |
                                                       (locked ? VIDMM_REFERENCE_LOCKED : 0) |
                                                       (owned ? VIDMM_REFERENCE_OWNED : 0)};
    return true;
}

static bool read_references(struct player *player, struct vidmm_event *event)
{
    void *array = player->references;
    bool room = reserve(player, "references", event->submit.reference_count, 4, &array,
                        sizeof(*player->references), &player->capacity);

    player->references = array;
    if (!room)
        return false;
    for (uint32_t i = 0; i < event->submit.reference_count; i++)
        if (!read_reference(player, &player->references[i]))
            return false;
    event->submit.references = player->references;
    return true;
}

/* The number before `stop`, which is the rest of the word if `stop` is 0. */
static bool take_number(struct word *word, char stop, uint32_t *number)
{
    struct word digits = {word->at, 0};
    uint64_t wide;

    while (digits.length < word->length && digits.at[digits.length] != stop)
        digits.length++;
    if (!to_number(digits, &wide) || wide > UINT32_MAX ||
        (stop != 0 && digits.length == word->length))
        return false;
    word->at += digits.length + (stop != 0);
    word->length -= digits.length + (stop != 0);
    *number = (uint32_t)wide;
    return true;
}

/* REFERENCE/SLOT@SPLIT_OFFSET */
static bool read_patch(struct player *player, struct vidmm_patch_location *patch)
{
    struct word word = next_word(player), rest = word;

    return (take_number(&rest, '/', &patch->reference) && take_number(&rest, '@', &patch->slot) &&
            take_number(&rest, 0, &patch->split_offset)) ||
           refuse(player, "\"%s\" is no patch location: REFERENCE/SLOT@SPLIT_OFFSET",
                  show(word).text);
}

static bool read_patches(struct player *player, struct vidmm_event *event)
{
    void *array = player->patches;
    bool room = reserve(player, "patches", event->submit.patch_count, 4, &array,
                        sizeof(*player->patches), &player->patch_capacity);

    player->patches = array;
    if (!room)
        return false;
    for (uint32_t i = 0; i < event->submit.patch_count; i++)
        if (!read_patch(player, &player->patches[i]))
            return false;
    event->submit.patches = player->patches;
    return true;
}

static bool read_allocations(struct player *player, struct vidmm_event *event)
{
    void *array = player->allocations;
    bool room = reserve(player, "allocations", event->residency.count, 2, &array,
                        sizeof(*player->allocations), &player->allocation_capacity);

    player->allocations = array;
    if (!room)
        return false;
    for (uint32_t i = 0; i < event->residency.count; i++) {
        struct word word = next_word(player), rest = word;

        if (!take_number(&rest, 0, &player->allocations[i]))
            return refuse(player, "\"%s\" is no id of an allocation", show(word).text);
    }
    event->residency.allocations = player->allocations;
    return true;
}

/* FENCE=VALUE */
static bool read_value(struct player *player, struct vidmm_fence_value *value)
{
    struct word word = next_word(player), rest = word;

    *value = (struct vidmm_fence_value){0};
    return (take_number(&rest, '=', &value->fence) && to_number(rest, &value->value)) ||
           refuse(player, "\"%s\" is no value of a fence: FENCE=VALUE", show(word).text);
}

static bool read_values(struct player *player, struct vidmm_event *event)
{
    void *array = player->values;
    bool room = reserve(player, "fences", event->fences.count, 4, &array, sizeof(*player->values),
                        &player->value_capacity);

    player->values = array;
    if (!room)
        return false;
    for (uint32_t i = 0; i < event->fences.count; i++)
        if (!read_value(player, &player->values[i]))
            return false;
    event->fences.values = player->values;
    return true;
}

static uint32_t find_kind(struct word word)
{
    for (uint32_t kind = 1; kind < VIDMM_EVENTS; kind++)
        if (vidmm_events_rows[kind].name != NULL && is(word, vidmm_events_rows[kind].name))
            return kind;
    return 0;
}

static bool read_event(struct player *player, struct vidmm_event *event)
{
    struct word word;

    memset(event, 0, sizeof(*event));
    if (!read_number(player, "time", &event->time_ns))
        return false;
    word = next_word(player);
    event->kind = find_kind(word);
    if (event->kind == 0)
        return refuse(player, "there is no event \"%s\"", show(word).text);
    for (const struct vidmm_events_field *field = vidmm_events_rows[event->kind].fields;
         field->name != NULL; field++)
        if (!read_field(player, field, event))
            return false;
    if (event->kind == VIDMM_EVENT_SUBMIT &&
        (!read_references(player, event) || !read_patches(player, event)))
        return false;
    if (vidmm_events_lists_allocations(event) && !read_allocations(player, event))
        return false;
    if (vidmm_events_lists_fences(event) && !read_values(player, event))
        return false;
    return at_end(player);
}

static void take_plan(struct player *player, const struct vidmm_plan *plan)
{
    player->result->operations += plan->count;
    for (uint32_t i = 0; player->plan != NULL && i < plan->count; i++)
        vidmm_events_write_operation(player->plan, player->result->events, &plan->operations[i]);
}

static void step(struct player *player, const struct vidmm_event *event)
{
    struct vidmm_plan plan;
    NTSTATUS status;

    player->result->events++;
    status = vidmm_step(player->engine, event, &plan);
    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        player->result->refused++;
    take_plan(player, &plan);
    while (plan.more) {
        vidmm_step(player->engine, NULL, &plan);
        take_plan(player, &plan);
    }
}

static bool play(struct player *player)
{
    struct vidmm_event event;

    player->banks =
        player->memory.allocate(player->memory.context, BANKS_MOST * sizeof(*player->banks));
    player->reserved =
        player->memory.allocate(player->memory.context, RESERVED_MOST * sizeof(*player->reserved));
    if (player->banks == NULL || player->reserved == NULL)
        return refuse(player, "no memory for the banks and ranges of its segments");
    if (!read_head(player))
        return false;
    while (next_line(player)) {
        if (!read_event(player, &event))
            return false;
        step(player, &event); /* P2 */
    }
    return true;
}

bool vidmm_events_play(const char *name, const char *text, size_t size,
                       const struct vidmm_memory *memory, FILE *plan,
                       struct vidmm_events_result *result, struct vidmm_trace_error *error)
{
    struct player player = {
        .name = name,
        .at = text,
        .end = text + size,
        .memory = *memory,
        .plan = plan,
        .result = result,
        .error = error,
    };

    *result = (struct vidmm_events_result){0};
    bool whole = play(&player);
    vidmm_engine_destroy(player.engine);
    if (player.banks != NULL)
        player.memory.free(player.memory.context, player.banks);
    if (player.reserved != NULL)
        player.memory.free(player.memory.context, player.reserved);
    if (player.allocations != NULL)
        memory->free(memory->context, player.allocations);
    if (player.values != NULL)
        memory->free(memory->context, player.values);
    if (player.references != NULL)
        memory->free(memory->context, player.references);
    if (player.patches != NULL)
        memory->free(memory->context, player.patches);
    return whole;
}
