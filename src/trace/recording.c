/* R1  memories[id] and parts[id] are those of the recording: ids count from 1, without a gap
 * R2  of parts of one kind with one range of one memory that are live, one is the first; the others
 *     go by its id, and it is live as long as one of them is
 */
#include "trace/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "trace/trace.h"

#define HEADERS 32u
#define SWAPCHAIN_OR_MEMORY                                                                        \
    (VIDMM_TRACE_LOCAL | VIDMM_TRACE_VISIBLE | VIDMM_TRACE_COHERENT | VIDMM_TRACE_CACHED |         \
     VIDMM_TRACE_DEDICATED | VIDMM_TRACE_IMPORT | VIDMM_TRACE_EXPORT | VIDMM_TRACE_SWAPCHAIN)

struct memory {
    uint64_t size;
    uint32_t types;
    uint32_t first_part; /* of those bound to it; 0: none */
};

struct part {
    uint64_t offset, size;
    uint32_t memory, next; /* next: of the same memory */
    bool image;
};

struct header {
    char *key, *value;
};

struct vidmm_recording {
    char *path;
    struct memory *memories;
    struct part *parts;
    uint32_t memory_count, memory_room, part_count, part_room; /* entry 0 is nobody's */
    struct header headers[HEADERS];
    uint32_t header_count;
    struct vidmm_recording_counts counts;
};

/* ---- lines ----------------------------------------------------------------------------------- */

struct line {
    char *text;
    size_t room;
    uint64_t time;
    char op;
    char *rest; /* behind the op, without the end of the line */
};

enum { NO_LINE, A_LINE, A_HEADER, A_WRONG_LINE };

/* Take the next whole line apart; a last one without its end is none. */
static int next_line(FILE *file, struct line *line, bool *cut)
{
    ssize_t length = getline(&line->text, &line->room, file);
    char *end;

    if (length <= 0)
        return NO_LINE;
    if (line->text[length - 1] != '\n') {
        *cut = true;
        return NO_LINE;
    }
    line->text[length - 1] = 0;
    if (line->text[0] == '#')
        return A_HEADER;
    line->time = strtoull(line->text, &end, 10);
    if (end == line->text || end[0] != ' ' || end[1] == 0 || (end[2] != ' ' && end[2] != 0))
        return A_WRONG_LINE;
    line->op = end[1];
    line->rest = end + 2;
    return A_LINE;
}

/* The next number of the line; 0 at its end. */
static uint64_t number(struct line *line)
{
    return strtoull(line->rest, &line->rest, 10);
}

/* Room for the element `index` of an array, zeroed. */
static bool reserve(void **array, uint32_t *room, uint32_t index, size_t size)
{
    if (index < *room)
        return true;
    uint32_t larger = *room == 0 ? 256 : *room * 2;
    char *copy = realloc(*array, (size_t)larger * size);
    if (copy == NULL)
        return false;
    memset(copy + *room * size, 0, (larger - *room) * size);
    *array = copy;
    *room = larger;
    return true;
}

/* ---- the first reading ----------------------------------------------------------------------- */

static bool read_header(struct vidmm_recording *recording, const char *text)
{
    const char *colon = strstr(text, ": ");
    struct header *header = NULL;

    if (colon == NULL || colon < text + 2)
        return true;
    size_t length = (size_t)(colon - text) - 2;
    for (uint32_t i = 0; i < recording->header_count; i++)
        if (strlen(recording->headers[i].key) == length &&
            memcmp(recording->headers[i].key, text + 2, length) == 0)
            header = &recording->headers[i];
    if (header == NULL && recording->header_count < HEADERS) {
        header = &recording->headers[recording->header_count++];
        header->key = strndup(text + 2, length);
    }
    if (header == NULL)
        return true;
    free(header->value);
    header->value = strdup(colon + 2);
    return header->key != NULL && header->value != NULL;
}

static bool read_allocation(struct vidmm_recording *recording, struct line *line)
{
    uint64_t id = number(line), size = number(line), types = number(line);

    if (id != recording->memory_count + 1u || id > VIDMM_TRACE_ALLOCATIONS_MAX || size == 0 ||
        !reserve((void **)&recording->memories, &recording->memory_room, (uint32_t)id,
                 sizeof(*recording->memories)))
        return false;
    recording->memories[id] = (struct memory){size, (uint32_t)types, 0};
    recording->memory_count++;
    return true;
}

static bool read_binding(struct vidmm_recording *recording, struct line *line)
{
    uint64_t id = number(line), memory = number(line), offset = number(line), size = number(line);
    bool image = strcmp(line->rest, " i") == 0;

    if (id != recording->part_count + 1u || memory == 0 || memory > recording->memory_count ||
        size == 0 || offset >= recording->memories[memory].size ||
        size > recording->memories[memory].size - offset || id > VIDMM_TRACE_ALLOCATIONS_MAX ||
        !reserve((void **)&recording->parts, &recording->part_room, (uint32_t)id,
                 sizeof(*recording->parts)))
        return false;
    struct memory *of = &recording->memories[memory];
    recording->parts[id] = (struct part){offset, size, (uint32_t)memory, of->first_part, image};
    of->first_part = (uint32_t)id;
    of->types |= image ? VIDMM_TRACE_IMAGE : VIDMM_TRACE_BUFFER;
    recording->part_count++;
    return true;
}

static bool read_line(struct vidmm_recording *recording, struct line *line)
{
    recording->counts.duration_us = line->time;
    recording->counts.frames += line->op == 'P';
    recording->counts.submissions += line->op == 'S';
    if (line->op == 'A')
        return read_allocation(recording, line);
    return line->op != 'B' || read_binding(recording, line);
}

static bool read_all(struct vidmm_recording *recording, FILE *file, char *error, size_t error_size)
{
    struct line line = {.text = NULL};
    uint64_t number_of_line = 0;
    bool right = true;
    int kind = NO_LINE;

    while (right && (kind = next_line(file, &line, &recording->counts.cut)) != NO_LINE) {
        number_of_line++;
        right = kind == A_HEADER ? read_header(recording, line.text)
                                 : kind == A_LINE && read_line(recording, &line);
    }
    free(line.text);
    if (!right)
        snprintf(error, error_size, "%s:%" PRIu64 ": not a line of a recording, or too much",
                 recording->path, number_of_line);
    return right;
}

struct vidmm_recording *vidmm_recording_read(const char *path, char *error, size_t error_size)
{
    struct vidmm_recording *recording = calloc(1, sizeof(*recording));
    FILE *file = fopen(path, "re");
    bool right = false;

    if (recording == NULL || file == NULL || (recording->path = strdup(path)) == NULL)
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
    else
        right = read_all(recording, file, error, error_size);
    if (file != NULL)
        fclose(file);
    if (right) {
        recording->counts.allocations = recording->memory_count;
        recording->counts.resources = recording->part_count;
        return recording;
    }
    vidmm_recording_destroy(recording);
    return NULL;
}

void vidmm_recording_destroy(struct vidmm_recording *recording)
{
    if (recording == NULL)
        return;
    for (uint32_t i = 0; i < recording->header_count; i++) {
        free(recording->headers[i].key);
        free(recording->headers[i].value);
    }
    free(recording->memories);
    free(recording->parts);
    free(recording->path);
    free(recording);
}

struct vidmm_recording_counts vidmm_recording_count(const struct vidmm_recording *recording)
{
    return recording->counts;
}

const char *vidmm_recording_header(const struct vidmm_recording *recording, const char *key)
{
    for (uint32_t i = 0; i < recording->header_count; i++)
        if (strcmp(recording->headers[i].key, key) == 0)
            return recording->headers[i].value;
    return NULL;
}

/* ---- the second reading ---------------------------------------------------------------------- */

/* A trace that is being written. */
struct writer {
    const struct vidmm_recording *recording;
    gzFile file;
    bool by_resource;
    bool *dead;                /* memories that are freed */
    uint32_t *goes_by, *users; /* R2, by part; goes_by 0: it is not live */
    uint64_t *named;           /* by id of the trace: the last submission that named it */
    uint32_t *place;           /* and its place in that */
    uint64_t submission;
    uint32_t *ids; /* of the submission */
    bool *writes;
    uint32_t count, room;
};

static void print_types(gzFile file, uint32_t types)
{
    const char *comma = "";

    for (uint32_t bit = 0; bit < VIDMM_TRACE_TYPES; bit++)
        if (types >> bit & 1) {
            gzprintf(file, "%s%s", comma, vidmm_trace_type_name(bit));
            comma = ",";
        }
    gzprintf(file, "%s\n", comma[0] == 0 ? "none" : "");
}

static void write_allocation(struct writer *w, uint64_t time, uint64_t id, uint64_t size,
                             uint32_t types)
{
    gzprintf(w->file, "%" PRIu64 " A %" PRIu64 " %" PRIu64 " ", time, id, size);
    print_types(w->file, types);
}

static void write_binding(struct writer *w, struct line *line)
{
    uint64_t id = number(line);
    const struct part *part = &w->recording->parts[id];
    uint32_t types = w->recording->memories[part->memory].types & SWAPCHAIN_OR_MEMORY;

    for (uint32_t i = w->recording->memories[part->memory].first_part; i != 0;
         i = w->recording->parts[i].next) {
        const struct part *other = &w->recording->parts[i];

        if (w->goes_by[i] != i || other->offset != part->offset || other->size != part->size ||
            other->image != part->image)
            continue;
        w->goes_by[id] = i; /* R2 */
        w->users[i]++;
        return;
    }
    w->goes_by[id] = (uint32_t)id;
    w->users[id] = 1;
    types |= part->image ? VIDMM_TRACE_IMAGE : VIDMM_TRACE_BUFFER;
    write_allocation(w, line->time, id, part->size, types);
}

static void write_unbinding(struct writer *w, uint64_t time, uint32_t part)
{
    uint32_t first = w->goes_by[part];

    if (first == 0)
        return;
    if (part != first)
        w->goes_by[part] = 0;
    if (--w->users[first] != 0)
        return; /* R2 */
    w->goes_by[first] = 0;
    gzprintf(w->file, "%" PRIu64 " F %" PRIu32 "\n", time, first);
}

/* The memory is gone, and with it all that is bound to it. */
static void write_free(struct writer *w, struct line *line)
{
    uint64_t memory = number(line);

    w->dead[memory] = true;
    if (!w->by_resource) {
        gzprintf(w->file, "%" PRIu64 " F %" PRIu64 "\n", line->time, memory);
        return;
    }
    for (uint32_t i = w->recording->memories[memory].first_part; i != 0;
         i = w->recording->parts[i].next) {
        if (w->goes_by[i] == i)
            gzprintf(w->file, "%" PRIu64 " F %" PRIu32 "\n", line->time, i);
        w->goes_by[i] = 0;
    }
}

static void write_written(struct writer *w, struct line *line)
{
    uint64_t memory = number(line), offset = number(line), size = number(line);

    if (!w->by_resource) {
        gzprintf(w->file, "%" PRIu64 " D %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", line->time, memory,
                 offset, size);
        return;
    }
    for (uint32_t i = w->recording->memories[memory].first_part; i != 0;
         i = w->recording->parts[i].next) {
        const struct part *part = &w->recording->parts[i];
        uint64_t from = part->offset > offset ? part->offset : offset;
        uint64_t part_end = part->offset + part->size, end = offset + size;

        if (end > part_end)
            end = part_end;
        if (w->goes_by[i] == i && from < end)
            gzprintf(w->file, "%" PRIu64 " D %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", line->time, i,
                     from - part->offset, end - from);
    }
}

static bool name(struct writer *w, uint32_t part, bool write)
{
    uint32_t id = w->by_resource ? w->goes_by[part] : w->recording->parts[part].memory;

    if (id == 0 || (!w->by_resource && w->dead[id]))
        return true;
    if (w->named[id] == w->submission) {
        w->writes[w->place[id]] |= write;
        return true;
    }
    if (w->count == w->room) {
        uint32_t room = w->room * 2 + 64;
        uint32_t *ids = realloc(w->ids, room * sizeof(*ids));
        bool *writes = ids != NULL ? realloc(w->writes, room * sizeof(*writes)) : NULL;

        w->ids = ids != NULL ? ids : w->ids;
        if (writes == NULL)
            return false;
        w->writes = writes;
        w->room = room;
    }
    w->named[id] = w->submission;
    w->place[id] = w->count;
    w->ids[w->count] = id;
    w->writes[w->count++] = write;
    return true;
}

static bool write_submission(struct writer *w, struct line *line)
{
    uint64_t queue = number(line);

    w->submission++;
    w->count = 0;
    while (*line->rest == ' ') {
        uint64_t part = number(line);

        if (part == 0 || part > w->recording->part_count || *line->rest != ':' ||
            !name(w, (uint32_t)part, line->rest[1] == 'W'))
            return false;
        line->rest += 2;
    }
    gzprintf(w->file, "%" PRIu64 " S %" PRIu64 " %" PRIu32, line->time, queue, w->count);
    for (uint32_t i = 0; i < w->count; i++)
        gzprintf(w->file, " %" PRIu32 ":%c", w->ids[i], w->writes[i] ? 'W' : 'R');
    gzputc(w->file, '\n');
    return true;
}

static bool memory_is_known(const struct writer *w, const struct line *line)
{
    uint64_t id = strtoull(line->rest, NULL, 10);

    return id != 0 && id <= w->recording->memory_count && !w->dead[id];
}

static bool write_line(struct writer *w, struct line *line)
{
    uint64_t id = strtoull(line->rest, NULL, 10);

    switch (line->op) {
    case 'A':
        if (!w->by_resource)
            write_allocation(w, line->time, id, w->recording->memories[id].size,
                             w->recording->memories[id].types);
        return true;
    case 'B':
        if (w->by_resource)
            write_binding(w, line);
        return true;
    case 'X':
        if (id == 0 || id > w->recording->part_count)
            return false;
        if (w->by_resource)
            write_unbinding(w, line->time, (uint32_t)id);
        return true;
    case 'F':
        if (memory_is_known(w, line))
            write_free(w, line);
        return true;
    case 'D':
        if (memory_is_known(w, line))
            write_written(w, line);
        return true;
    case 'S':
        return write_submission(w, line);
    case 'M':
    case 'U':
        if (w->by_resource)
            return true;
        break;
    default:
        break;
    }
    gzprintf(w->file, "%" PRIu64 " %c%s\n", line->time, line->op, line->rest);
    return true;
}

static void write_headers(struct writer *w, const struct vidmm_recording_header *headers,
                          size_t count)
{
    const struct vidmm_recording_counts *counts = &w->recording->counts;

    gzputs(w->file, "# vidmm-trace 1\n");
    for (size_t i = 0; i < count; i++)
        gzprintf(w->file, "# %s: %s\n", headers[i].key, headers[i].value);
    if (counts->frames != 0)
        gzprintf(w->file, "# frames: %" PRIu64 "\n", counts->frames);
    gzprintf(w->file, "# submits: %" PRIu64 "\n# duration_us: %" PRIu64 "\n", counts->submissions,
             counts->duration_us);
    gzprintf(w->file, "# granularity: %s\n",
             w->by_resource
                 ? "resource (one id = one bound buffer or image, as if each had its own "
                   "allocation; no M/U events)"
                 : "allocation (one id = one vkAllocateMemory)");
    for (uint32_t i = 0; i < w->recording->header_count; i++)
        gzprintf(w->file, "# %s: %s\n", w->recording->headers[i].key,
                 w->recording->headers[i].value);
    if (counts->cut && vidmm_recording_header(w->recording, "truncated") == NULL)
        gzputs(w->file, "# truncated: the program was killed\n");
}

static bool write_all(struct writer *w, char *error, size_t error_size)
{
    FILE *file = fopen(w->recording->path, "re");
    struct line line = {.text = NULL};
    bool right = true, cut = false;
    uint64_t at = 0;
    int kind;

    if (file == NULL) {
        snprintf(error, error_size, "%s: %s", w->recording->path, strerror(errno));
        return false;
    }
    while (right && (kind = next_line(file, &line, &cut)) != NO_LINE) {
        at++;
        right = kind == A_HEADER || (kind == A_LINE && write_line(w, &line));
    }
    free(line.text);
    fclose(file);
    if (!right)
        snprintf(error, error_size, "%s:%" PRIu64 ": not a line of a recording", w->recording->path,
                 at);
    return right;
}

bool vidmm_recording_write(const struct vidmm_recording *recording,
                           enum vidmm_granularity granularity,
                           const struct vidmm_recording_header *headers, size_t header_count,
                           const char *path, char *error, size_t error_size)
{
    size_t ids = (size_t)recording->part_count + recording->memory_count + 1;
    struct writer w = {.recording = recording, .by_resource = granularity == VIDMM_BY_RESOURCE};
    bool right = false;

    w.dead = calloc(ids, sizeof(*w.dead));
    w.goes_by = calloc(ids, sizeof(*w.goes_by));
    w.users = calloc(ids, sizeof(*w.users));
    w.named = calloc(ids, sizeof(*w.named));
    w.place = calloc(ids, sizeof(*w.place));
    w.file = gzopen(path, "wb9");
    if (w.file == NULL) {
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
    } else if (w.dead == NULL || w.goes_by == NULL || w.users == NULL || w.named == NULL ||
               w.place == NULL) {
        snprintf(error, error_size, "%s: no memory to write a trace", path);
        gzclose(w.file);
    } else {
        write_headers(&w, headers, header_count);
        right = write_all(&w, error, error_size);
        if (gzclose(w.file) != Z_OK && right) {
            snprintf(error, error_size, "%s: cannot be written: %s", path, strerror(errno));
            right = false;
        }
    }
    void *const blocks[] = {w.dead, w.goes_by, w.users, w.named, w.place, w.ids, w.writes};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        free(blocks[i]);
    return right;
}
