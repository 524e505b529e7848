/* A step is one event of the trace.
 *
 * R1  submissions[q] submissions of the trace were queued on contexts[q]; where the driver renders,
 *     each is one DMA buffer, so that the trace's submission n of a queue has the fence value n + 1
 * R2  allocations[i].handle is NULL unless the i-th allocation of the trace is live
 * R3  generation is the number of the GPU's writes in all commands queued so far; DMA buffers run
 *     in the order in which they were queued, so each finds what its command says
 * R4  cpu[p] is the number of the CPU's writes to page p, digest the sum over all pages; cpu is
 *     NULL until the first
 * R5  a step that answers BLOCKED has changed nothing, but for presents of its submission (R6), and
 *     for what was made resident for it (R7)
 * R6  where the driver presents: presents.lines is what the screen shows when all presents queued
 *     so far are done; the first n submissions of queue q are complete with value
 *     presents.values[q][n], n up to submissions[q]
 * R7  where residency is explicit: an allocation is the current instance of its pool; the set of
 *     `residency` has all that a submission names on the device's list, and it is in place when the
 *     queue has come to `awaited`
 * R8  there, a visible allocation is locked at bytes for life, and nobody but the program knows of
 *     its uses: they are in the track of the instance, and the trace's submission n of a queue has
 *     the value n + 1 there. Memory of the program for it is in residency->blocks until the device
 *     has gone
 * R9  where commands name addresses: all of a live allocation is mapped at its address
 * R10 where pages are copied: cpu[p] of an allocation without `bytes` is the number of the write
 *     that the newest copy to page p has in it
 */
#include "trace/program.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include <vidmm/lock.h>
#include <vidmm/page.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "base/assert.h"
#include "base/content.h"
#include "base/text.h"
#include "wddm/status.h"

/* ---- sentences and time ---------------------------------------------------------------------- */

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static const struct vidmm_trace_record *record_of(const struct vidmm_program *program)
{
    return &program->options.trace->records[program->next];
}

void vidmm_program_begin_sentence(const struct vidmm_program *program, struct vidmm_text *text,
                                  struct vidmm_report *report)
{
    const struct vidmm_trace *trace = program->options.trace;
    bool ended = program->next >= trace->record_count;

    vidmm_text_init(text, report->text, sizeof(report->text));
    vidmm_text_string(text, program->options.name);
    if (ended) {
        vidmm_text_string(text, ": at its end: ");
        return;
    }
    vidmm_text_char(text, ':');
    vidmm_text_number(text, record_of(program)->line);
    vidmm_text_string(text, ": ");
    vidmm_text_char(text, (char)record_of(program)->op);
    vidmm_text_string(text, ": ");
}

/* The program ends here. `why` is what the adapter said, or NULL. */
enum vidmm_program_state vidmm_program_fail(struct vidmm_program *program, NTSTATUS status,
                                            const char *why)
{
    struct vidmm_text text;

    vidmm_program_begin_sentence(program, &text, &program->failure);
    vidmm_status_print(&text, status);
    if (why != NULL && why[0] != 0) {
        vidmm_text_string(&text, ": ");
        vidmm_text_string(&text, why);
    }
    program->status = status;
    return VIDMM_PROGRAM_DONE;
}

bool vidmm_program_may_wait(const struct vidmm_program *program)
{
    uint64_t x = (program->options.seed + program->next) * 0x9e3779b97f4a7c15u;

    return program->options.may_wait && (x >> 62) == 0;
}

/* ---- A and F --------------------------------------------------------------------------------- */

NTSTATUS vidmm_program_create_plain(struct vidmm_program *program, uint32_t allocation,
                                    struct vidmm_allocation **handle, struct vidmm_report *report)
{
    const struct vidmm_trace_allocation *wish = &program->options.trace->allocations[allocation];
    const struct vidmm_replay_driver *driver = program->options.driver;
    _Alignas(8) unsigned char private_data[VIDMM_REPLAY_PRIVATE];
    uint32_t size = driver->describe(driver->context, wish->size, wish->types, private_data);

    return vidmm_allocation_create(program->device, private_data, size, handle, report);
}

static enum vidmm_program_state step_allocate(struct vidmm_program *program,
                                              const struct vidmm_trace_record *record)
{
    const struct vidmm_program_options *o = &program->options;
    const struct vidmm_trace_allocation *wish = &o->trace->allocations[record->allocation];
    struct vidmm_live_allocation *live = &program->allocations[record->allocation];
    VIDMM_ASSERT(live->handle == NULL && live->generation == 0); /* R2 */
    struct vidmm_report report = {""};
    NTSTATUS status;

    if (o->presents)
        status = vidmm_presents_allocate(program, wish->size, live, &report);
    else if (o->explicit_residency)
        status = vidmm_program_create_instances(program, record->allocation, &report);
    else
        status = vidmm_program_create_plain(program, record->allocation, &live->handle, &report);
    if (status != STATUS_SUCCESS) {
        live->handle = NULL;
        return vidmm_program_fail(program, status, report.text);
    }
    atomic_fetch_add(&program->counts.allocations, 1);
    if (live->pool == NULL && o->listener != NULL && o->listener->allocation != NULL)
        o->listener->allocation(o->listener->context, vidmm_allocation_id(live->handle),
                                record->allocation);
    return VIDMM_PROGRAM_RAN;
}

static void let_go(struct vidmm_program *program, struct vidmm_live_allocation *live)
{
    VIDMM_ASSERT(live->handle != NULL); /* R2 */
    if (live->pool != NULL)
        vidmm_program_end_instances(program, live);
    else if (live->resource != NULL)
        vidmm_resource_destroy(live->resource);
    else
        vidmm_allocation_destroy(live->handle);
    live->resource = NULL;
    live->handle = NULL;
    live->bytes = NULL;
    if (live->cpu != NULL)
        program->memory.free(program->memory.context, live->cpu);
    live->cpu = NULL;
}

/* ---- D --------------------------------------------------------------------------------------- */

struct vidmm_content_key vidmm_program_key(const struct vidmm_program *program, uint32_t allocation)
{
    return (struct vidmm_content_key){program->options.seed,
                                      program->options.content_base + allocation + 1};
}

/* Describe the first page that the CPU found to be wrong. */
static void report_page(struct vidmm_program *program, const void *bytes, uint32_t allocation,
                        uint32_t page)
{
    const struct vidmm_live_allocation *live = &program->allocations[allocation];
    struct vidmm_content_key key = vidmm_program_key(program, allocation);
    struct vidmm_content_finding found = vidmm_content_examine(bytes, key, page, live->generation);
    struct vidmm_text text;

    if (program->mismatch.text[0] != 0)
        return;
    if (found.kind == VIDMM_CONTENT_RIGHT) { /* in itself; but not the write that was expected */
        found.kind = VIDMM_CONTENT_LOST_CPU;
        found.expected = live->cpu[page];
    }
    vidmm_program_begin_sentence(program, &text, &program->mismatch);
    vidmm_text_string(&text, "allocation ");
    vidmm_text_number(&text, program->options.trace->allocations[allocation].id);
    vidmm_text_string(&text, ", page ");
    vidmm_text_number(&text, page);
    vidmm_text_string(&text, ", sector ");
    vidmm_text_number(&text, found.sector);
    vidmm_text_string(&text, ": there should be write ");
    vidmm_text_number(&text, found.expected);
    vidmm_text_string(&text, ", and there is: ");
    vidmm_text_string(&text, vidmm_content_kind_name(found.kind));
}

/* Check a page and write to it. False: it was wrong. */
static bool write_page(struct vidmm_program *program, void *bytes, uint32_t allocation,
                       uint32_t page)
{
    struct vidmm_live_allocation *live = &program->allocations[allocation];
    struct vidmm_content_key key = vidmm_program_key(program, allocation);
    uint64_t expected = vidmm_content_digest(key, page, live->cpu[page]), found = 0;
    bool right =
        vidmm_content_check_page(bytes, key, page, live->generation, &found) && found == expected;

    if (!right)
        report_page(program, bytes, allocation, page);
    VIDMM_ASSERT(live->cpu[page] < UINT32_MAX);
    live->cpu[page]++;
    live->digest += vidmm_content_digest(key, page, live->cpu[page]) - expected;
    vidmm_content_write_cpu(bytes, key, page, live->cpu[page]);
    return right;
}

static void write_pages(struct vidmm_program *program, const struct vidmm_trace_record *record,
                        unsigned char *bytes)
{
    uint64_t first = record->write.offset / VIDMM_PAGE_SIZE, begun = now_ns();
    uint64_t last = (record->write.offset + record->write.size - 1) / VIDMM_PAGE_SIZE;
    bool right = true;

    for (uint64_t page = first; page <= last; page++)
        right &=
            write_page(program, bytes + page * VIDMM_PAGE_SIZE, record->allocation, (uint32_t)page);
    atomic_fetch_add(&program->counts.pages_checked, last - first + 1);
    atomic_fetch_add(&program->counts.mismatches, !right);
    atomic_fetch_add(&program->counts.check_ns, now_ns() - begun);
}

bool vidmm_program_reserve_cpu(struct vidmm_program *program, struct vidmm_live_allocation *live)
{
    uint64_t pages = vidmm_allocation_size(live->handle) / VIDMM_PAGE_SIZE;

    if (live->cpu == NULL)
        live->cpu = program->memory.allocate(program->memory.context, pages * sizeof(*live->cpu));
    return live->cpu != NULL;
}

/* Bytes of an allocation that the GPU does not use; locked, where they are not the program's. */
static NTSTATUS let_cpu_see(struct vidmm_program *program, uint32_t allocation, void **bytes)
{
    struct vidmm_live_allocation *live = &program->allocations[allocation];

    if (live->bytes == NULL)
        return vidmm_lock(live->handle, VIDMM_LOCK_DONOT_WAIT, bytes, NULL);
    *bytes = live->bytes;
    return vidmm_program_is_used(program, allocation) ? STATUS_GRAPHICS_ALLOCATION_BUSY
                                                      : STATUS_SUCCESS;
}

/* Check all of an allocation that the CPU wrote to. */
static enum vidmm_program_state look_at(struct vidmm_program *program, uint32_t allocation)
{
    struct vidmm_live_allocation *live = &program->allocations[allocation];
    struct vidmm_content_key key = vidmm_program_key(program, allocation);
    uint64_t pages, begun = now_ns();
    bool right = true;
    void *bytes = NULL;

    if (!program->options.cpu_only || live->cpu == NULL || live->digest == 0)
        return VIDMM_PROGRAM_RAN;
    NTSTATUS status = let_cpu_see(program, allocation, &bytes);
    if (status == STATUS_GRAPHICS_ALLOCATION_BUSY)
        return VIDMM_PROGRAM_BLOCKED;
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, NULL);
    pages = vidmm_allocation_size(live->handle) / VIDMM_PAGE_SIZE;
    for (uint32_t page = 0; page < pages; page++) {
        uint8_t *at = (uint8_t *)bytes + page * (uint64_t)VIDMM_PAGE_SIZE;
        uint64_t found = 0;

        if (!vidmm_content_check_page(at, key, page, live->generation, &found) ||
            found != vidmm_content_digest(key, page, live->cpu[page])) {
            report_page(program, at, allocation, page);
            right = false;
        }
    }
    if (live->bytes == NULL)
        vidmm_unlock(live->handle);
    atomic_fetch_add(&program->counts.pages_checked, pages);
    atomic_fetch_add(&program->counts.mismatches, !right);
    atomic_fetch_add(&program->counts.check_ns, now_ns() - begun);
    return VIDMM_PROGRAM_RAN;
}

static enum vidmm_program_state step_free(struct vidmm_program *program,
                                          const struct vidmm_trace_record *record)
{
    enum vidmm_program_state state = look_at(program, record->allocation);

    if (state == VIDMM_PROGRAM_RAN)
        let_go(program, &program->allocations[record->allocation]);
    return state;
}

static enum vidmm_program_state write_without_lock(struct vidmm_program *program,
                                                   const struct vidmm_trace_record *record)
{
    struct vidmm_report report = {""};
    void *bytes;
    NTSTATUS status = vidmm_program_map_for_write(program, record, vidmm_program_may_wait(program),
                                                  &bytes, &report); /* obeys S2-002 */

    if (status == STATUS_GRAPHICS_ALLOCATION_BUSY)
        return VIDMM_PROGRAM_BLOCKED;
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, report.text);
    if (program->options.execute)
        write_pages(program, record, bytes);
    status = vidmm_program_unmap(program, record, &report);
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, report.text);
    atomic_fetch_add(&program->counts.writes, 1);
    return VIDMM_PROGRAM_RAN;
}

static enum vidmm_program_state step_write(struct vidmm_program *program,
                                           const struct vidmm_trace_record *record)
{
    const struct vidmm_program_options *o = &program->options;
    struct vidmm_live_allocation *live = &program->allocations[record->allocation];
    void *bytes;

    if (o->cpu_only && o->explicit_residency && live->bytes == NULL)
        return VIDMM_PROGRAM_RAN; /* nothing but a lock would let the CPU see it */
    if (!vidmm_program_reserve_cpu(program, live))
        return vidmm_program_fail(program, STATUS_NO_MEMORY, NULL);
    if (live->bytes != NULL)
        return write_without_lock(program, record);
    NTSTATUS status = vidmm_lock(
        live->handle, vidmm_program_may_wait(program) ? 0 : VIDMM_LOCK_DONOT_WAIT, &bytes, NULL);
    if (status == STATUS_GRAPHICS_ALLOCATION_BUSY)
        return VIDMM_PROGRAM_BLOCKED;
    if (status == STATUS_INVALID_PARAMETER && program->options.cpu_only)
        return VIDMM_PROGRAM_RAN; /* not CpuVisible */
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, NULL);
    if (program->options.execute)
        write_pages(program, record, bytes);
    status = vidmm_unlock(live->handle);
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, "unlock");
    atomic_fetch_add(&program->counts.writes, 1);
    return VIDMM_PROGRAM_RAN;
}

/* ---- S --------------------------------------------------------------------------------------- */

static void describe_use(struct vidmm_program *program, uint32_t i,
                         const struct vidmm_trace_reference *reference)
{
    const struct vidmm_live_allocation *live = &program->allocations[reference->allocation];

    VIDMM_ASSERT(live->handle != NULL); /* R2 */
    program->references[program->options.driver->leading + i] =
        (struct vidmm_render_reference){.allocation = live->handle, .write = reference->write != 0};
    program->uses[i] = (struct vidmm_replay_use){
        .index = program->options.driver->leading + i,
        .write = reference->write != 0,
        .content_id = vidmm_program_key(program, reference->allocation).id,
        .generation = live->generation,
        .pages = vidmm_allocation_size(live->handle) / VIDMM_PAGE_SIZE,
        .digest = live->digest,
        .address = live->address,
    };
}

static uint32_t command_size(const struct vidmm_program *program, uint32_t count)
{
    const struct vidmm_replay_driver *driver = program->options.driver;

    return driver->command_size(driver->context, count);
}

static void build_command(struct vidmm_program *program, const struct vidmm_trace_record *record)
{
    const struct vidmm_program_options *o = &program->options;

    if (program->built == program->next + 1)
        return;
    for (uint32_t i = 0; i < record->submit.count; i++)
        describe_use(program, i, &o->trace->references[record->submit.first + i]);
    program->command_bytes = o->driver->command(o->driver->context, o->seed, program->uses,
                                                record->submit.count, program->command);
    if (o->by_copies)
        vidmm_program_add_copies(program, record);
    program->built = program->next + 1;
}

/* R3, R1 */
static void count_submission(struct vidmm_program *program, const struct vidmm_trace_record *record)
{
    for (uint32_t i = 0; i < record->submit.count; i++)
        if (!program->options.cpu_only &&
            program->references[program->options.driver->leading + i].write)
            program
                ->allocations[program->options.trace->references[record->submit.first + i]
                                  .allocation]
                .generation++;
    program->submissions[record->queue]++;
    atomic_fetch_add(&program->counts.submissions, 1);
}

static void end_frame(struct vidmm_program *program)
{
    const struct vidmm_replay_listener *listener = program->options.listener;

    program->frame++;
    program->frame_due = program->options.trace->presents;
    atomic_store(&program->counts.frames, program->frame);
    if (listener != NULL && listener->frame != NULL)
        listener->frame(listener->context, program->frame);
}

static enum vidmm_program_state step_present(struct vidmm_program *program,
                                             const struct vidmm_trace_record *record)
{
    enum vidmm_program_state state = vidmm_presents_submit(program, record);

    if (state != VIDMM_PROGRAM_RAN)
        return state;
    count_submission(program, record);
    if (!program->options.trace->presents)
        end_frame(program);
    return state;
}

static enum vidmm_program_state step_submit(struct vidmm_program *program,
                                            const struct vidmm_trace_record *record)
{
    struct vidmm_report report = {""};
    uint64_t value = 0;

    if (program->options.explicit_residency) {
        enum vidmm_program_state state = vidmm_program_make_resident(program, record);

        if (state != VIDMM_PROGRAM_RAN)
            return state;
    }
    if (program->options.by_copies && !vidmm_program_take_slot(program))
        return VIDMM_PROGRAM_BLOCKED;
    build_command(program, record);
    NTSTATUS status = program->options.by_address
                          ? vidmm_program_submit_by_address(
                                program, record, vidmm_program_may_wait(program), &value, &report)
                          : vidmm_render(program->contexts[record->queue], program->command,
                                         program->command_bytes, program->references,
                                         program->options.driver->leading + record->submit.count,
                                         vidmm_program_may_wait(program), &value, &report);
    if (status == STATUS_DEVICE_BUSY)
        return VIDMM_PROGRAM_BLOCKED;
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, report.text);
    if (program->options.explicit_residency)
        status = vidmm_program_note_submission(program, record->queue, &report);
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, report.text);
    count_submission(program, record);
    if (value != program->submissions[record->queue])
        return vidmm_program_fail(program, STATUS_INTERNAL_ERROR,
                                  "fence values do not count submissions");
    if (!program->options.trace->presents)
        end_frame(program);
    return VIDMM_PROGRAM_RAN;
}

/* ---- C, K and P ------------------------------------------------------------------------------ */

/* Is this number of the queue's submissions complete, or may the step wait until it is? */
static enum vidmm_program_state wait_for(struct vidmm_program *program, uint32_t queue,
                                         uint64_t value)
{
    struct vidmm_context *context = program->contexts[queue];
    VIDMM_ASSERT(value <= program->submissions[queue]); /* R1 */

    if (program->options.presents)
        value = program->presents.values[queue][value];
    if (value == 0 || vidmm_context_completed(context) >= value)
        return VIDMM_PROGRAM_RAN;
    if (!vidmm_program_may_wait(program))
        return VIDMM_PROGRAM_BLOCKED;
    NTSTATUS status = vidmm_context_wait(context, value);
    if (status == STATUS_SUCCESS)
        return VIDMM_PROGRAM_RAN;
    struct vidmm_report report = {""};
    vidmm_device_condition(program->device, &report); /* it knows why it was given up */
    return vidmm_program_fail(program, status, report.text);
}

/* Wait until the frame before the last is complete; then the last becomes the one before. */
static enum vidmm_program_state begin_frame(struct vidmm_program *program)
{
    for (uint32_t queue = 0; queue < VIDMM_TRACE_QUEUES; queue++) {
        enum vidmm_program_state state = wait_for(program, queue, program->frame_ends[queue]);

        if (state != VIDMM_PROGRAM_RAN)
            return state;
    }
    memcpy(program->frame_ends, program->submissions, sizeof(program->frame_ends));
    program->frame_due = false;
    return VIDMM_PROGRAM_RAN;
}

/* The trace is behind it: let the GPU finish, and ask whether all went well. */
static enum vidmm_program_state finish(struct vidmm_program *program)
{
    struct vidmm_report report = {""};

    for (uint32_t queue = 0; queue < VIDMM_TRACE_QUEUES; queue++) {
        enum vidmm_program_state state = wait_for(program, queue, program->submissions[queue]);

        if (state != VIDMM_PROGRAM_RAN)
            return state;
    }
    if (program->options.presents && vidmm_presents_look(program) != VIDMM_PROGRAM_RAN)
        return program->status == STATUS_SUCCESS ? VIDMM_PROGRAM_BLOCKED : VIDMM_PROGRAM_DONE;
    for (; program->seen < program->options.trace->allocation_count; program->seen++)
        if (look_at(program, program->seen) != VIDMM_PROGRAM_RAN)
            return program->status == STATUS_SUCCESS ? VIDMM_PROGRAM_BLOCKED : VIDMM_PROGRAM_DONE;
    if (program->options.by_copies)
        vidmm_program_look_at_copies(program);
    NTSTATUS status = vidmm_device_condition(program->device, &report);
    return status == STATUS_SUCCESS ? VIDMM_PROGRAM_DONE
                                    : vidmm_program_fail(program, status, report.text);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static enum vidmm_program_state do_record(struct vidmm_program *program,
                                          const struct vidmm_trace_record *record)
{
    switch (record->op) {
    case VIDMM_TRACE_ALLOCATE:
        return step_allocate(program, record);
    case VIDMM_TRACE_FREE:
        return step_free(program, record);
    case VIDMM_TRACE_MAP: /* D-160: see the header */
        atomic_fetch_add(&program->counts.maps, 1);
        return VIDMM_PROGRAM_RAN;
    case VIDMM_TRACE_UNMAP:
        atomic_fetch_add(&program->counts.unmaps, 1);
        return VIDMM_PROGRAM_RAN;
    case VIDMM_TRACE_WRITE:
        return step_write(program, record);
    case VIDMM_TRACE_SUBMIT:
        return program->options.presents ? step_present(program, record)
                                         : step_submit(program, record);
    case VIDMM_TRACE_PRESENT:
        end_frame(program);
        return VIDMM_PROGRAM_RAN;
    default: /* COMPLETE, COMPLETE_TO */
        return wait_for(program, record->queue, record->complete.submissions);
    }
}

enum vidmm_program_state vidmm_program_step(struct vidmm_program *program)
{
    enum vidmm_program_state state = VIDMM_PROGRAM_RAN;

    if (program->status != STATUS_SUCCESS)
        return VIDMM_PROGRAM_DONE;
    if (program->frame_due)
        state = begin_frame(program);
    if (state != VIDMM_PROGRAM_RAN)
        return state;
    if (program->next == program->options.trace->record_count)
        return finish(program);
    if (program->options.explicit_residency)
        state = vidmm_program_trim(program);
    if (state != VIDMM_PROGRAM_RAN)
        return state;
    state = do_record(program, record_of(program));
    if (state == VIDMM_PROGRAM_RAN) {
        program->next++;
        atomic_store(&program->counts.records, program->next);
    }
    return state;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

/* The most references that a submission has. */
static uint32_t most_references(const struct vidmm_trace *trace)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < trace->record_count; i++)
        if (trace->records[i].op == VIDMM_TRACE_SUBMIT && trace->records[i].submit.count > most)
            most = trace->records[i].submit.count;
    return most;
}

/* Blocks for one command of the largest kind and for all allocations. */
static bool reserve_records(struct vidmm_program *program)
{
    const struct vidmm_memory *memory = &program->memory;
    const struct vidmm_trace *trace = program->options.trace;
    uint32_t most = most_references(trace);

    program->command_capacity = command_size(program, most);
    program->command = memory->allocate(memory->context, program->command_capacity + 8);
    program->uses = memory->allocate(memory->context, (most + 1) * sizeof(*program->uses));
    program->references =
        memory->allocate(memory->context, (most + 1) * sizeof(*program->references));
    program->allocations = memory->allocate(memory->context, (trace->allocation_count + 1) *
                                                                 sizeof(*program->allocations));
    return program->command != NULL && program->uses != NULL && program->references != NULL &&
           program->allocations != NULL;
}

static NTSTATUS create_contexts(struct vidmm_program *program, struct vidmm_report *report)
{
    const struct vidmm_program_options *o = &program->options;

    for (uint32_t i = 0; i < o->trace->record_count; i++) {
        const struct vidmm_trace_record *record = &o->trace->records[i];
        struct vidmm_context **context = &program->contexts[record->queue];

        if (record->op != VIDMM_TRACE_SUBMIT || *context != NULL)
            continue;
        uint32_t engines = o->links > 1 ? 1u << record->queue % o->links : 0;
        NTSTATUS status =
            vidmm_context_create_on(program->device, o->node, engines, NULL, 0, context, report);
        if (status != STATUS_SUCCESS) {
            *context = NULL;
            return status;
        }
        if (o->explicit_residency)
            status = vidmm_program_add_queue(program, record->queue, report);
        if (status != STATUS_SUCCESS)
            return status;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS fill(struct vidmm_program *program, struct vidmm_report *report)
{
    const struct vidmm_program_options *o = &program->options;

    if (!reserve_records(program))
        return STATUS_NO_MEMORY;
    NTSTATUS status = vidmm_device_create(o->adapter, o->process, &program->device, report);
    if (status != STATUS_SUCCESS) {
        program->device = NULL;
        return status;
    }
    status = o->presents ? vidmm_presents_init(program, report) : STATUS_SUCCESS;
    if (status == STATUS_SUCCESS && o->explicit_residency)
        status = vidmm_program_begin_residency(program, report);
    if (status == STATUS_SUCCESS && o->by_address)
        status = vidmm_program_begin_addresses(program, report);
    return status == STATUS_SUCCESS ? create_contexts(program, report) : status;
}

NTSTATUS vidmm_program_create(const struct vidmm_memory *memory,
                              const struct vidmm_program_options *options,
                              struct vidmm_program **program, struct vidmm_report *report)
{
    *program = memory->allocate(memory->context, sizeof(**program));
    if (*program == NULL)
        return STATUS_NO_MEMORY;
    (*program)->options = *options;
    (*program)->memory = *memory;
    NTSTATUS status = fill(*program, report);
    if (status != STATUS_SUCCESS) {
        vidmm_program_destroy(*program);
        *program = NULL;
    }
    return status;
}

void vidmm_program_destroy(struct vidmm_program *program)
{
    if (program == NULL)
        return;
    struct vidmm_memory memory = program->memory;
    uint32_t count = program->options.trace->allocation_count;
    for (uint32_t i = 0; program->allocations != NULL && i < count; i++)
        if (program->allocations[i].handle != NULL)
            let_go(program, &program->allocations[i]);
    for (uint32_t queue = 0; queue < VIDMM_TRACE_QUEUES; queue++)
        if (program->contexts[queue] != NULL)
            vidmm_context_destroy(program->contexts[queue]);
    vidmm_presents_finish(program);
    vidmm_program_end_addresses(program);
    vidmm_program_end_residency(program);
    if (program->device != NULL)
        vidmm_device_destroy(program->device);
    vidmm_program_free_memory(program);
    void *const blocks[] = {program->command, program->uses, program->references,
                            program->allocations, program};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if (blocks[i] != NULL)
            memory.free(memory.context, blocks[i]);
}

/* ---- questions ------------------------------------------------------------------------------- */

const char *vidmm_program_failure(const struct vidmm_program *program)
{
    return program->status != STATUS_SUCCESS ? program->failure.text : NULL;
}

NTSTATUS vidmm_program_failure_status(const struct vidmm_program *program)
{
    return program->status;
}

const char *vidmm_program_mismatch(const struct vidmm_program *program)
{
    return program->mismatch.text[0] != 0 ? program->mismatch.text : NULL;
}

const struct vidmm_program_counts *vidmm_program_counts(const struct vidmm_program *program)
{
    return &program->counts;
}

/* The record of a submission, and the frame it is in. */
static const struct vidmm_trace_record *find_submission(const struct vidmm_trace *trace,
                                                        uint64_t number, uint64_t *frame)
{
    uint64_t submissions = 0, presents = 0;

    for (uint32_t i = 0; i < trace->record_count; i++) {
        const struct vidmm_trace_record *record = &trace->records[i];

        presents += record->op == VIDMM_TRACE_PRESENT;
        if (record->op != VIDMM_TRACE_SUBMIT || submissions++ != number)
            continue;
        *frame = trace->presents ? presents : number;
        return record;
    }
    return NULL;
}

const struct vidmm_trace_record *vidmm_program_submission(const struct vidmm_trace *trace,
                                                          uint64_t number)
{
    uint64_t frame;

    return find_submission(trace, number, &frame);
}

void vidmm_program_name_submission(const struct vidmm_trace *trace, const char *name,
                                   uint64_t number, struct vidmm_report *text)
{
    uint64_t frame = 0;
    const struct vidmm_trace_record *record = find_submission(trace, number, &frame);

    snprintf(text->text, sizeof(text->text),
             "%s:%" PRIu32 ": submission %" PRIu64 " (frame %" PRIu64 ")", name,
             record != NULL ? record->line : 0, number, frame);
}
