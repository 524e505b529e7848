/* The rules of traces/format.md, held against a text line by line.
 *
 * P1  a line is parsed only when it is whole; a line in two pieces is put together in `partial`
 * P2  a record is appended only when its line has passed every check
 * P3  slots[] is a hash table, open and linear, of index + 1 of every allocation by its id, at most
 *     half full
 * P4  marks[i] belongs to allocations[i]
 */
#include "trace/parser.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/assert.h"
#include "trace/trace.h"

/* A piece of a line; not closed by a 0. */
struct text {
    const char *at;
    size_t length;
};

/* The facts about an allocation that are needed to check the events after its A. */
struct mark {
    uint32_t submission; /* the last that named it, counted from 1 */
    bool mapped;
};

struct vidmm_trace_parser {
    struct vidmm_memory memory;
    const char *name;
    struct vidmm_trace_error *error;
    struct vidmm_trace *trace;
    bool refused;

    char *partial;
    size_t partial_length, partial_capacity;
    uint32_t line;    /* number of the line being parsed, from 1 */
    struct text rest; /* of that line */
    char op[8];       /* of that line, for errors */

    uint32_t record_capacity, allocation_capacity, reference_capacity, header_capacity;
    uint32_t mark_capacity;
    struct mark *marks;
    uint32_t *slots; /* P3; slot_count is a power of two, or 0 */
    uint32_t slot_count;

    uint64_t time_us;
    uint64_t submissions, frames;
    uint64_t queue_submissions[VIDMM_TRACE_QUEUES];
    bool events; /* one was seen: no header may follow */
};

/* ---- refusals and memory --------------------------------------------------------------------- */

/* Say why, once. Always false. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct vidmm_trace_parser *parser,
                                                         const char *format, ...)
{
    struct vidmm_trace_error *error = parser->error;
    va_list arguments;

    if (parser->refused)
        return false;
    parser->refused = true;
    int length =
        snprintf(error->text, sizeof(error->text), "%s:%" PRIu32 ": ", parser->name, parser->line);
    if (length < 0 || (size_t)length >= sizeof(error->text))
        return false;
    va_start(arguments, format);
    vsnprintf(error->text + length, sizeof(error->text) - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

void vidmm_trace_parser_refuse(struct vidmm_trace_parser *parser, const char *what)
{
    refuse(parser, "%s", what);
}

/* A piece of the file in an error: cut, and without bytes that a terminal might obey. */
struct shown {
    char text[44];
};

static struct shown show(struct text text)
{
    struct shown shown;
    size_t length = text.length < 40 ? text.length : 40;

    for (size_t i = 0; i < length; i++)
        shown.text[i] = (char)(text.at[i] < ' ' || text.at[i] > '~' ? '?' : text.at[i]);
    strcpy(shown.text + length, text.length > 40 ? "..." : "");
    return shown;
}

static bool no_memory(struct vidmm_trace_parser *parser)
{
    return refuse(parser, "no memory to hold the trace up to here");
}

/* Make room for one more element of an array with `count` elements. */
static bool reserve(struct vidmm_trace_parser *parser, void **array, uint32_t *capacity,
                    uint32_t count, size_t element)
{
    if (count < *capacity)
        return true;
    uint32_t larger = *capacity == 0 ? 64 : *capacity * 2;
    void *copy = parser->memory.allocate(parser->memory.context, larger * element);
    if (copy == NULL)
        return no_memory(parser);
    if (*array != NULL) {
        memcpy(copy, *array, count * element);
        parser->memory.free(parser->memory.context, *array);
    }
    VIDMM_ASSERT(count < larger);
    *array = copy;
    *capacity = larger;
    return true;
}

/* ---- fields of a line ------------------------------------------------------------------------ */

static bool is(struct text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.at, word, text.length) == 0;
}

/* Take everything up to `separator`, or to the end, off the front of `rest`. */
static struct text cut(struct text *rest, char separator)
{
    struct text piece = *rest;
    const char *end = memchr(rest->at, separator, rest->length);

    if (end == NULL) {
        *rest = (struct text){rest->at + rest->length, 0};
        return piece;
    }
    piece.length = (size_t)(end - rest->at);
    rest->at = end + 1;
    rest->length -= piece.length + 1;
    return piece;
}

/* The next field of the line. A line that ends in a space shows as an empty field before it. */
static bool next_field(struct vidmm_trace_parser *parser, const char *what, struct text *field)
{
    bool spaced = memchr(parser->rest.at, ' ', parser->rest.length) != NULL;

    if (parser->rest.length == 0)
        return refuse(parser, "%s: the line ends before its %s", parser->op, what);
    *field = cut(&parser->rest, ' ');
    if (field->length == 0 || (spaced && parser->rest.length == 0))
        return refuse(parser, "%s: a space too many near its %s; fields are parted by one",
                      parser->op, what);
    return true;
}

static bool line_ends(struct vidmm_trace_parser *parser)
{
    if (parser->rest.length == 0)
        return true;
    return refuse(parser, "%s: '%s' is too much on the line", parser->op, show(parser->rest).text);
}

/* A decimal number. False: it is none, or it is not in 64 bits. */
static bool to_number(struct text text, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.length; i++) {
        uint64_t digit = (uint64_t)(text.at[i] - '0');

        if (text.at[i] < '0' || text.at[i] > '9' || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return text.length > 0;
}

static bool in_range(struct vidmm_trace_parser *parser, const char *what, struct text text,
                     uint64_t least, uint64_t most, uint64_t *number)
{
    if (to_number(text, number) && *number >= least && *number <= most)
        return true;
    return refuse(parser, "%s: %s '%s'; expected %" PRIu64 " to %" PRIu64, parser->op, what,
                  show(text).text, least, most);
}

static bool next_number(struct vidmm_trace_parser *parser, const char *what, uint64_t least,
                        uint64_t most, uint64_t *number)
{
    struct text field;

    return next_field(parser, what, &field) && in_range(parser, what, field, least, most, number);
}

/* ---- allocations by id ----------------------------------------------------------------------- */

static uint32_t *slot_of(const struct vidmm_trace_parser *parser, uint32_t id)
{
    uint32_t mask = parser->slot_count - 1, at = id * 0x9e3779b1u;

    VIDMM_ASSERT(parser->trace->allocation_count <= parser->slot_count / 2); /* P3 */
    for (at ^= at >> 16;; at++) {
        uint32_t *slot = parser->slots + (at & mask);

        if (*slot == 0 || parser->trace->allocations[*slot - 1].id == id)
            return slot;
    }
}

/* P3 */
static bool reserve_slot(struct vidmm_trace_parser *parser)
{
    uint32_t count = parser->trace->allocation_count;

    if (count < parser->slot_count / 2)
        return true;
    uint32_t larger = parser->slot_count == 0 ? 128 : parser->slot_count * 2;
    uint32_t *slots = parser->memory.allocate(parser->memory.context, larger * sizeof(*slots));
    if (slots == NULL)
        return no_memory(parser);
    if (parser->slots != NULL)
        parser->memory.free(parser->memory.context, parser->slots);
    parser->slots = slots;
    parser->slot_count = larger;
    for (uint32_t i = 0; i < count; i++)
        *slot_of(parser, parser->trace->allocations[i].id) = i + 1;
    return true;
}

/* The index of a live allocation that a field names. */
static bool live_allocation(struct vidmm_trace_parser *parser, struct text field, uint32_t *index)
{
    uint64_t id;

    if (!in_range(parser, "id", field, 1, UINT32_MAX, &id))
        return false;
    uint32_t slot = parser->slot_count == 0 ? 0 : *slot_of(parser, (uint32_t)id);
    if (slot == 0)
        return refuse(parser, "%s: no A has made an allocation %" PRIu64, parser->op, id);
    *index = slot - 1;
    if (parser->trace->allocations[*index].freed_line == 0)
        return true;
    return refuse(parser, "%s: allocation %" PRIu64 " was freed on line %" PRIu32, parser->op, id,
                  parser->trace->allocations[*index].freed_line);
}

static bool next_allocation(struct vidmm_trace_parser *parser, uint32_t *index)
{
    struct text field;

    return next_field(parser, "id", &field) && live_allocation(parser, field, index);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* P2: the last check of a line, and its act. */
static bool append(struct vidmm_trace_parser *parser, const struct vidmm_trace_record *record)
{
    struct vidmm_trace *trace = parser->trace;

    if (trace->record_count == VIDMM_TRACE_RECORDS_MAX)
        return refuse(parser, "more than %u events", VIDMM_TRACE_RECORDS_MAX);
    if (!reserve(parser, (void **)&trace->records, &parser->record_capacity, trace->record_count,
                 sizeof(*trace->records)))
        return false;
    trace->records[trace->record_count++] = *record;
    return true;
}

static bool type_bit(struct vidmm_trace_parser *parser, struct text word, uint32_t *types)
{
    for (uint32_t bit = 0; bit < VIDMM_TRACE_TYPES; bit++) {
        if (!is(word, vidmm_trace_type_name(bit)))
            continue;
        if (*types >> bit & 1)
            return refuse(parser, "A: type '%s' twice", vidmm_trace_type_name(bit));
        *types |= 1u << bit;
        return true;
    }
    return refuse(parser,
                  "A: type '%s'; expected none, or some of local, visible, coherent, cached, "
                  "dedicated, import, export, buffer, image, swapchain, parted by commas",
                  show(word).text);
}

static bool next_types(struct vidmm_trace_parser *parser, uint32_t *types)
{
    struct text field;

    *types = 0;
    if (!next_field(parser, "types", &field))
        return false;
    if (is(field, "none"))
        return true;
    for (bool more = true; more;) {
        more = memchr(field.at, ',', field.length) != NULL;
        if (!type_bit(parser, cut(&field, ','), types))
            return false;
    }
    return true;
}

/* Whether an id is free for a new allocation, and there is room for it. */
static bool check_new_allocation(struct vidmm_trace_parser *parser, uint32_t id)
{
    struct vidmm_trace *trace = parser->trace;
    uint32_t count = trace->allocation_count;

    if (count == VIDMM_TRACE_ALLOCATIONS_MAX)
        return refuse(parser, "A: more than %u allocations", VIDMM_TRACE_ALLOCATIONS_MAX);
    if (!reserve_slot(parser) ||
        !reserve(parser, (void **)&trace->allocations, &parser->allocation_capacity, count,
                 sizeof(*trace->allocations)) ||
        !reserve(parser, (void **)&parser->marks, &parser->mark_capacity, count,
                 sizeof(*parser->marks)))
        return false;
    uint32_t slot = *slot_of(parser, id);
    if (slot == 0)
        return true;
    return refuse(parser, "A: id %" PRIu32 " was used on line %" PRIu32 "; an id is used once", id,
                  trace->allocations[slot - 1].line);
}

static bool parse_allocate(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record)
{
    struct vidmm_trace *trace = parser->trace;
    struct vidmm_trace_allocation allocation = {.line = parser->line};
    uint64_t id;

    if (!next_number(parser, "id", 1, UINT32_MAX, &id) ||
        !next_number(parser, "size", 1, VIDMM_TRACE_SIZE_MAX, &allocation.size) ||
        !next_types(parser, &allocation.types) || !line_ends(parser) ||
        !check_new_allocation(parser, (uint32_t)id))
        return false;
    record->allocation = trace->allocation_count;
    if (!append(parser, record))
        return false;
    allocation.id = (uint32_t)id;
    *slot_of(parser, allocation.id) = trace->allocation_count + 1;
    VIDMM_ASSERT(trace->allocation_count < parser->mark_capacity);    /* P4 */
    parser->marks[trace->allocation_count] = (struct mark){0, false}; /* P4 */
    trace->allocations[trace->allocation_count++] = allocation;
    return true;
}

static bool parse_free(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record)
{
    if (!next_allocation(parser, &record->allocation) || !line_ends(parser) ||
        !append(parser, record))
        return false;
    parser->trace->allocations[record->allocation].freed_line = parser->line;
    return true;
}

/* An allocation that the CPU may touch. */
static bool next_visible(struct vidmm_trace_parser *parser, uint32_t *index)
{
    if (!next_allocation(parser, index))
        return false;
    const struct vidmm_trace_allocation *allocation = parser->trace->allocations + *index;
    if (allocation->types & VIDMM_TRACE_VISIBLE)
        return true;
    return refuse(parser, "%s: allocation %" PRIu32 " is not visible to the CPU (line %" PRIu32 ")",
                  parser->op, allocation->id, allocation->line);
}

static bool parse_map(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record)
{
    bool map = record->op == VIDMM_TRACE_MAP;

    if (!next_visible(parser, &record->allocation) || !line_ends(parser))
        return false;
    struct mark *mark = parser->marks + record->allocation;
    if (mark->mapped == map)
        return refuse(parser, "%s: allocation %" PRIu32 " is %s", parser->op,
                      parser->trace->allocations[record->allocation].id,
                      map ? "mapped already" : "not mapped");
    if (!append(parser, record))
        return false;
    mark->mapped = map;
    return true;
}

static bool parse_write(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record)
{
    if (!next_visible(parser, &record->allocation))
        return false;
    uint64_t size = parser->trace->allocations[record->allocation].size;
    return next_number(parser, "offset", 0, size - 1, &record->write.offset) &&
           next_number(parser, "size", 1, size - record->write.offset, &record->write.size) &&
           line_ends(parser) && append(parser, record);
}

static bool next_queue(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record)
{
    uint64_t queue;

    if (!next_number(parser, "queue", 0, VIDMM_TRACE_QUEUES - 1, &queue))
        return false;
    record->queue = (uint16_t)queue;
    return true;
}

static bool next_reference(struct vidmm_trace_parser *parser)
{
    struct vidmm_trace *trace = parser->trace;
    struct vidmm_trace_reference reference = {0, 0};
    struct text field;

    if (!next_field(parser, "references", &field))
        return false;
    struct text whole = field, id = cut(&field, ':');
    if (!is(field, "R") && !is(field, "W"))
        return refuse(parser, "S: reference '%s'; expected ID:R or ID:W", show(whole).text);
    if (!live_allocation(parser, id, &reference.allocation))
        return false;
    struct mark *mark = parser->marks + reference.allocation;
    if (mark->submission == parser->submissions + 1)
        return refuse(parser, "S: allocation %s is named twice; each is named once", show(id).text);
    if (trace->reference_count == VIDMM_TRACE_ALL_REFERENCES_MAX)
        return refuse(parser, "S: more than %u references", VIDMM_TRACE_ALL_REFERENCES_MAX);
    if (!reserve(parser, (void **)&trace->references, &parser->reference_capacity,
                 trace->reference_count, sizeof(*trace->references)))
        return false;
    mark->submission = (uint32_t)parser->submissions + 1;
    reference.write = is(field, "W");
    trace->references[trace->reference_count++] = reference;
    return true;
}

static bool parse_submit(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record)
{
    uint64_t count;

    record->submit.first = parser->trace->reference_count;
    if (!next_queue(parser, record) ||
        !next_number(parser, "number of references", 0, VIDMM_TRACE_REFERENCES_MAX, &count))
        return false;
    record->submit.count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++)
        if (!next_reference(parser))
            return false;
    if (!line_ends(parser) || !append(parser, record))
        return false;
    parser->queue_submissions[record->queue]++;
    parser->submissions++;
    return true;
}

static bool parse_complete(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record)
{
    if (!next_queue(parser, record))
        return false;
    uint64_t submissions = parser->queue_submissions[record->queue];
    if (record->op == VIDMM_TRACE_COMPLETE_TO) {
        if (submissions == 0)
            return refuse(parser, "K: nothing was submitted to queue %u", record->queue);
        if (!next_number(parser, "sequence number", 0, submissions - 1, &submissions))
            return false;
        submissions++;
    }
    record->complete.submissions = (uint32_t)submissions;
    return line_ends(parser) && append(parser, record);
}

static bool parse_present(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record)
{
    if (!line_ends(parser) || !append(parser, record))
        return false;
    parser->trace->presents = true;
    parser->frames++;
    return true;
}

static const struct event_kind {
    char op;
    bool (*parse)(struct vidmm_trace_parser *parser, struct vidmm_trace_record *record);
} event_kinds[] = {
    {VIDMM_TRACE_ALLOCATE, parse_allocate}, {VIDMM_TRACE_FREE, parse_free},
    {VIDMM_TRACE_MAP, parse_map},           {VIDMM_TRACE_UNMAP, parse_map},
    {VIDMM_TRACE_WRITE, parse_write},       {VIDMM_TRACE_SUBMIT, parse_submit},
    {VIDMM_TRACE_COMPLETE, parse_complete}, {VIDMM_TRACE_COMPLETE_TO, parse_complete},
    {VIDMM_TRACE_PRESENT, parse_present},
};

static bool parse_event(struct vidmm_trace_parser *parser)
{
    struct vidmm_trace_record record = {.line = parser->line};
    struct text op;

    strcpy(parser->op, "event"); /* its kind is not known yet */
    if (!next_number(parser, "time", parser->time_us, UINT64_MAX, &record.time_us) ||
        !next_field(parser, "kind", &op))
        return false;
    parser->events = true;
    parser->time_us = record.time_us;
    for (size_t i = 0; i < sizeof(event_kinds) / sizeof(event_kinds[0]); i++) {
        if (op.length != 1 || op.at[0] != event_kinds[i].op)
            continue;
        memcpy(parser->op, (const char[2]){op.at[0], 0}, 2);
        record.op = (uint16_t)op.at[0];
        return event_kinds[i].parse(parser, &record);
    }
    parser->trace->skipped++; /* a reader skips what it does not know */
    return true;
}

/* ---- headers and lines ----------------------------------------------------------------------- */

static bool parse_header(struct vidmm_trace_parser *parser, struct text line)
{
    struct vidmm_trace *trace = parser->trace;
    const char *colon = memchr(line.at, ':', line.length);

    if (parser->events)
        return refuse(parser, "a header line after events; headers stand at the top");
    if (line.length < 3 || line.at[1] != ' ' || colon == NULL || colon == line.at + 2 ||
        (colon + 1 < line.at + line.length && colon[1] != ' '))
        return refuse(parser, "'%s'; a header line is '# key: value'", show(line).text);
    if (trace->header_count == VIDMM_TRACE_HEADERS_MAX)
        return refuse(parser, "more than %u header lines", VIDMM_TRACE_HEADERS_MAX);
    if (!reserve(parser, (void **)&trace->headers, &parser->header_capacity, trace->header_count,
                 sizeof(*trace->headers)))
        return false;
    size_t length = line.length - 2, key_length = (size_t)(colon - line.at) - 2;
    char *copy = parser->memory.allocate(parser->memory.context, length + 2);
    if (copy == NULL)
        return no_memory(parser);
    memcpy(copy, line.at + 2, length);
    memset(copy + length, 0, 2);
    copy[key_length] = 0;
    size_t value = key_length + 2 < length ? key_length + 2 : length;
    trace->headers[trace->header_count++] = (struct vidmm_trace_header){copy, copy + value};
    return true;
}

static bool parse_first_line(struct vidmm_trace_parser *parser, struct text line)
{
    if (is(line, "# vidmm-trace 1"))
        return true;
    return refuse(parser, "'%s'; the first line of a trace is '# vidmm-trace 1'", show(line).text);
}

static bool parse_line(struct vidmm_trace_parser *parser, const char *at, size_t length)
{
    struct text line = {at, length};

    if (length > VIDMM_TRACE_LINE_MAX)
        return refuse(parser, "a line of more than %u bytes", VIDMM_TRACE_LINE_MAX);
    for (size_t i = 0; i < length; i++)
        if (at[i] < ' ' || at[i] > '~')
            return refuse(parser,
                          "byte 0x%02x in column %zu; a trace is printable ASCII text with "
                          "line ends of one byte, 0x0a",
                          (unsigned char)at[i], i + 1);
    if (parser->line == 1)
        return parse_first_line(parser, line);
    if (length > 0 && at[0] == '#')
        return parse_header(parser, line);
    parser->rest = line;
    return parse_event(parser);
}

/* P1: keep a piece until the rest of its line comes. */
static bool keep(struct vidmm_trace_parser *parser, const char *bytes, size_t size)
{
    size_t length = parser->partial_length + size, capacity = parser->partial_capacity;

    if (length > VIDMM_TRACE_LINE_MAX) {
        parser->line++;
        return refuse(parser, "a line of more than %u bytes", VIDMM_TRACE_LINE_MAX);
    }
    if (length > capacity) {
        while (capacity < length)
            capacity = capacity == 0 ? 4096 : capacity * 2;
        char *larger = parser->memory.allocate(parser->memory.context, capacity);
        if (larger == NULL)
            return no_memory(parser);
        if (parser->partial != NULL) {
            memcpy(larger, parser->partial, parser->partial_length);
            parser->memory.free(parser->memory.context, parser->partial);
        }
        parser->partial = larger;
        parser->partial_capacity = capacity;
    }
    memcpy(parser->partial + parser->partial_length, bytes, size);
    parser->partial_length = length;
    return true;
}

static bool take_line(struct vidmm_trace_parser *parser, const char *bytes, size_t size)
{
    VIDMM_ASSERT(parser->partial_length <= parser->partial_capacity);
    if (parser->partial_length == 0) {
        parser->line++;
        return parse_line(parser, bytes, size);
    }
    if (!keep(parser, bytes, size))
        return false;
    size_t length = parser->partial_length;
    parser->partial_length = 0;
    parser->line++;
    return parse_line(parser, parser->partial, length);
}

bool vidmm_trace_parser_feed(struct vidmm_trace_parser *parser, const char *bytes, size_t size)
{
    while (!parser->refused && size > 0) {
        const char *end = memchr(bytes, '\n', size);

        if (end == NULL)
            return keep(parser, bytes, size);
        size_t length = (size_t)(end - bytes);
        if (!take_line(parser, bytes, length))
            return false;
        bytes += length + 1;
        size -= length + 1;
    }
    return !parser->refused;
}

/* ---- begin and end --------------------------------------------------------------------------- */

struct vidmm_trace_parser *vidmm_trace_parser_begin(const struct vidmm_memory *memory,
                                                    const char *name,
                                                    struct vidmm_trace_error *error)
{
    struct vidmm_trace_parser *parser = memory->allocate(memory->context, sizeof(*parser));
    struct vidmm_trace *trace = NULL;

    if (parser != NULL)
        trace = memory->allocate(memory->context, sizeof(*trace));
    if (trace == NULL) {
        snprintf(error->text, sizeof(error->text), "%s: no memory to read a trace", name);
        if (parser != NULL)
            memory->free(memory->context, parser);
        return NULL;
    }
    *trace = (struct vidmm_trace){.memory = *memory};
    *parser = (struct vidmm_trace_parser){
        .memory = *memory, .name = name, .error = error, .trace = trace};
    return parser;
}

/* The recorder's count must be met: a file that was cut between two lines shows here. */
static bool check_count(struct vidmm_trace_parser *parser, const char *key, uint64_t counted)
{
    const char *value = vidmm_trace_header(parser->trace, key);
    uint64_t number;

    if (value == NULL ||
        (to_number((struct text){value, strlen(value)}, &number) && number == counted))
        return true;
    return refuse(parser,
                  "the header says '%s: %s', the file has %" PRIu64 "; it is cut short, or "
                  "the header is wrong",
                  key, show((struct text){value, strlen(value)}).text, counted);
}

static bool check_end(struct vidmm_trace_parser *parser)
{
    if (parser->refused)
        return false;
    if (parser->partial_length > 0) {
        parser->line++;
        return refuse(parser, "the last line has no end; the file is cut short");
    }
    if (parser->line == 0)
        return refuse(parser, "the file is empty; the first line of a trace is '# vidmm-trace 1'");
    return check_count(parser, "submits", parser->submissions) &&
           check_count(parser, "frames", parser->frames);
}

struct vidmm_trace *vidmm_trace_parser_finish(struct vidmm_trace_parser *parser)
{
    struct vidmm_memory memory = parser->memory;
    struct vidmm_trace *trace = parser->trace;

    if (!check_end(parser)) {
        vidmm_trace_destroy(trace);
        trace = NULL;
    }
    void *const blocks[] = {parser->partial, parser->marks, parser->slots, parser};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if (blocks[i] != NULL)
            memory.free(memory.context, blocks[i]);
    return trace;
}
