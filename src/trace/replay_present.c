/* replay_present.c: a recorded program on a driver that has DxgkDdiPresent and no DxgkDdiRender.
 *
 *     submission  a b c   -->   present a to the screen, present b, present c
 *
 *     a (1024 pixels a line, a line a page)       screen
 *     +------------------+                        +------------------+
 *     | page 0           |  --------------------> | page 0 of a      |
 *     | ...              |                        | ...              |   16 lines
 *     +------------------+                        +------------------+
 *
 * All are standard allocations, which the driver describes. Nothing is written but the screen, so
 * the contents of the trace's allocations stay what the CPU wrote; and what the screen must show is
 * known. Lines show pages where the driver's pitch is a page, as it is unless the driver aligns by
 * more; where it is not, the screen is not compared.
 */
#include "trace/program.h"

#include <string.h>

#include <vidmm/lock.h>
#include <vidmm/page.h>
#include <vidmm/present.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "base/text.h"

#define WIDTH 1024u
#define PIXEL 4u
#define LOOK_EVERY 64u /* presents */

static NTSTATUS create(struct vidmm_program *program, D3DKMDT_STANDARDALLOCATION_TYPE type,
                       uint32_t lines, struct vidmm_resource **resource,
                       struct vidmm_allocation **allocation, uint32_t *pitch,
                       struct vidmm_report *report)
{
    const struct vidmm_standard wish = {
        .type = type, .width = WIDTH, .height = lines, .format = D3DDDIFMT_X8R8G8B8};

    return vidmm_standard_create(program->device, &wish, resource, allocation, pitch, report);
}

/* Room for the values of each queue's submissions. */
static bool reserve_values(struct vidmm_program *program)
{
    const struct vidmm_trace *trace = program->options.trace;
    uint64_t counts[VIDMM_TRACE_QUEUES] = {0};

    for (uint32_t i = 0; i < trace->record_count; i++)
        if (trace->records[i].op == VIDMM_TRACE_SUBMIT)
            counts[trace->records[i].queue]++;
    for (uint32_t queue = 0; queue < VIDMM_TRACE_QUEUES; queue++) {
        program->presents.values[queue] = program->memory.allocate(
            program->memory.context, (counts[queue] + 1) * sizeof(uint64_t));
        if (program->presents.values[queue] == NULL)
            return false;
        program->presents.values[queue][0] = 0;
    }
    return true;
}

NTSTATUS vidmm_presents_init(struct vidmm_program *program, struct vidmm_report *report)
{
    static const D3DKMDT_STANDARDALLOCATION_TYPE types[] = {
        D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE};
    struct vidmm_presents *presents = &program->presents;
    NTSTATUS status = STATUS_NO_MEMORY;
    uint32_t pitch;

    if (!reserve_values(program))
        return status;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]) && presents->screen == NULL; i++) {
        presents->type = types[i];
        status = create(program, types[i], VIDMM_SCREEN_LINES, &presents->resource,
                        &presents->screen, &pitch, report);
        if (status != STATUS_SUCCESS) {
            presents->resource = NULL;
            presents->screen = NULL;
        } else {
            presents->compared = pitch == VIDMM_PAGE_SIZE;
        }
    }
    return status;
}

void vidmm_presents_finish(struct vidmm_program *program)
{
    struct vidmm_presents *presents = &program->presents;

    vidmm_resource_destroy(presents->resource);
    for (uint32_t queue = 0; queue < VIDMM_TRACE_QUEUES; queue++)
        if (presents->values[queue] != NULL)
            program->memory.free(program->memory.context, presents->values[queue]);
}

NTSTATUS vidmm_presents_allocate(struct vidmm_program *program, uint64_t size,
                                 struct vidmm_live_allocation *live, struct vidmm_report *report)
{
    uint64_t lines = (size + WIDTH * PIXEL - 1) / (WIDTH * PIXEL);
    uint32_t pitch;
    NTSTATUS status =
        create(program, program->presents.type, lines > UINT32_MAX ? UINT32_MAX : (uint32_t)lines,
               &live->resource, &live->handle, &pitch, report);

    if (status != STATUS_SUCCESS)
        live->resource = NULL;
    return status;
}

/* R6: the content of the screen when the present is done. */
static void note(struct vidmm_program *program, uint32_t allocation, uint32_t lines)
{
    const struct vidmm_live_allocation *live = &program->allocations[allocation];

    for (uint32_t line = 0; line < lines; line++)
        program->presents.lines[line] =
            (struct vidmm_screen_line){allocation + 1, live->cpu != NULL ? live->cpu[line] : 0};
    program->presents.since++;
    atomic_fetch_add(&program->counts.presents, 1);
}

/* Copy the first lines of one allocation. */
static enum vidmm_program_state present_one(struct vidmm_program *program,
                                            const struct vidmm_trace_record *record,
                                            uint32_t allocation, uint64_t *value)
{
    struct vidmm_allocation *source = program->allocations[allocation].handle;
    uint64_t pages = vidmm_allocation_size(source) / VIDMM_PAGE_SIZE;
    uint64_t wished = program->options.trace->allocations[allocation].size;
    uint64_t lines = (wished + WIDTH * PIXEL - 1) / (WIDTH * PIXEL);
    struct vidmm_report report = {""};
    NTSTATUS status;

    lines = lines > pages ? pages : lines;
    lines = lines > VIDMM_SCREEN_LINES ? VIDMM_SCREEN_LINES : lines;
    const RECT rect = {0, 0, (LONG)WIDTH, (LONG)lines};
    const struct vidmm_present copy = {.source = source,
                                       .destination = program->presents.screen,
                                       .source_rect = rect,
                                       .destination_rect = rect};
    status = vidmm_present(program->contexts[record->queue], &copy, false, value, &report);
    if (status == STATUS_DEVICE_BUSY)
        return VIDMM_PROGRAM_BLOCKED;
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, report.text);
    note(program, allocation, (uint32_t)lines);
    return VIDMM_PROGRAM_RAN;
}

enum vidmm_program_state vidmm_presents_submit(struct vidmm_program *program,
                                               const struct vidmm_trace_record *record)
{
    struct vidmm_presents *presents = &program->presents;
    uint64_t *values = presents->values[record->queue];
    uint64_t number = program->submissions[record->queue];
    enum vidmm_program_state state = VIDMM_PROGRAM_RAN;

    if (presents->done == 0)
        values[number + 1] = values[number];
    while (presents->done < record->submit.count && state == VIDMM_PROGRAM_RAN) {
        uint32_t allocation =
            program->options.trace->references[record->submit.first + presents->done].allocation;

        if (presents->since >= LOOK_EVERY)
            state = vidmm_presents_look(program);
        if (state == VIDMM_PROGRAM_RAN)
            state = present_one(program, record, allocation, &values[number + 1]);
        presents->done += state == VIDMM_PROGRAM_RAN;
    }
    if (state == VIDMM_PROGRAM_RAN)
        presents->done = 0;
    return state;
}

/* ---- the screen ------------------------------------------------------------------------------ */

static void report_line(struct vidmm_program *program, uint32_t line, const void *bytes,
                        struct vidmm_content_key key)
{
    const struct vidmm_screen_line *shown = &program->presents.lines[line];
    struct vidmm_content_finding found = vidmm_content_examine(bytes, key, line, 0);
    struct vidmm_text text;

    if (program->mismatch.text[0] != 0)
        return;
    vidmm_program_begin_sentence(program, &text, &program->mismatch);
    vidmm_text_string(&text, "line ");
    vidmm_text_number(&text, line);
    vidmm_text_string(&text, " of what was presented: there should be page ");
    vidmm_text_number(&text, line);
    vidmm_text_string(&text, " of allocation ");
    vidmm_text_number(&text, program->options.trace->allocations[shown->allocation - 1].id);
    vidmm_text_string(&text, ", write ");
    vidmm_text_number(&text, shown->cpu);
    vidmm_text_string(&text, ", and there is: ");
    vidmm_text_string(&text, found.kind == VIDMM_CONTENT_RIGHT
                                 ? "another write of it"
                                 : vidmm_content_kind_name(found.kind));
}

/* Answers whether the lines are what was presented. */
static bool compare(struct vidmm_program *program, const uint8_t *bytes)
{
    bool right = true;

    for (uint32_t line = 0; line < VIDMM_SCREEN_LINES; line++) {
        const struct vidmm_screen_line *shown = &program->presents.lines[line];
        struct vidmm_content_key key;
        uint64_t found = 0;

        if (shown->allocation == 0)
            continue;
        key = vidmm_program_key(program, shown->allocation - 1);
        if (vidmm_content_check_page(bytes + line * VIDMM_PAGE_SIZE, key, line, 0, &found) &&
            found == vidmm_content_digest(key, line, shown->cpu))
            continue;
        report_line(program, line, bytes + line * VIDMM_PAGE_SIZE, key);
        right = false;
    }
    return right;
}

enum vidmm_program_state vidmm_presents_look(struct vidmm_program *program)
{
    struct vidmm_presents *presents = &program->presents;
    NTSTATUS status;
    void *bytes;

    if (!presents->compared || presents->since == 0)
        return VIDMM_PROGRAM_RAN;
    status = vidmm_lock(presents->screen, VIDMM_LOCK_DONOT_WAIT, &bytes, NULL);
    if (status == STATUS_GRAPHICS_ALLOCATION_BUSY)
        return VIDMM_PROGRAM_BLOCKED;
    if (status == STATUS_INVALID_PARAMETER) { /* not CpuVisible */
        presents->compared = false;
        return VIDMM_PROGRAM_RAN;
    }
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, NULL);
    atomic_fetch_add(&program->counts.mismatches, !compare(program, bytes));
    atomic_fetch_add(&program->counts.pages_checked, VIDMM_SCREEN_LINES);
    atomic_fetch_add(&program->counts.screens, 1);
    presents->since = 0;
    vidmm_unlock(presents->screen);
    return VIDMM_PROGRAM_RAN;
}
