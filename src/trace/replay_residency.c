/* Residency of a recorded program from WDDM 2.0 on: before a submission all that it names is made
 * resident; if that is more than there is room for, what was not used for longest is evicted from
 * the program's own list first. The program knows by itself when the GPU is done with what it
 * named, and has locked what the CPU sees for as long as that lives. */
#include "trace/program.h"

#include <vidmm/lock2.h>
#include <vidmm/page.h>
#include <vidmm/paging_queue.h>
#include <wddm/ntstatus.h>

#include "base/assert.h"

NTSTATUS vidmm_program_begin_residency(struct vidmm_program *program, struct vidmm_report *report)
{
    struct vidmm_residency_set *set = &program->residency;

    set->last_uses = program->memory.allocate(program->memory.context,
                                              (program->options.trace->allocation_count + 1) *
                                                  sizeof(*set->last_uses));
    if (set->last_uses == NULL)
        return STATUS_NO_MEMORY;
    return vidmm_paging_queue_create(program->device, VIDMM_PAGING_QUEUE_NORMAL, &set->queue,
                                     report);
}

void vidmm_program_end_residency(struct vidmm_program *program)
{
    vidmm_paging_queue_destroy(program->residency.queue);
    program->residency.queue = NULL;
}

/* ---- allocations that the CPU sees ----------------------------------------------------------- */

/* A block of whole pages. It stays until the device has gone, for nobody says when the manager is
 * done with it. NULL: no memory. */
static unsigned char *take_memory(struct vidmm_program *program, uint64_t size)
{
    void **block =
        program->memory.allocate(program->memory.context, size + 2 * (uint64_t)VIDMM_PAGE_SIZE);

    if (block == NULL)
        return NULL;
    *block = program->residency.blocks;
    program->residency.blocks = block;
    uintptr_t first = ((uintptr_t)(block + 1) + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE;
    return (unsigned char *)(first * VIDMM_PAGE_SIZE);
}

void vidmm_program_free_memory(struct vidmm_program *program)
{
    for (void **block = program->residency.blocks, **next; block != NULL; block = next) {
        next = *block;
        program->memory.free(program->memory.context, block);
    }
    program->residency.blocks = NULL;
}

/* The driver describes it as memory of the program (ExistingSysMem). */
static NTSTATUS create_over(struct vidmm_program *program, uint64_t size, const void *private_data,
                            uint32_t described, struct vidmm_live_allocation *live,
                            struct vidmm_report *report)
{
    uint64_t whole = (size + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE * VIDMM_PAGE_SIZE;
    unsigned char *bytes = take_memory(program, whole);

    return bytes == NULL ? STATUS_NO_MEMORY
                         : vidmm_allocation_create_over(program->device, private_data, described,
                                                        bytes, whole, &live->handle, report);
}

NTSTATUS vidmm_program_create_mapped(struct vidmm_program *program, uint64_t size, uint32_t types,
                                     struct vidmm_live_allocation *live,
                                     struct vidmm_report *report)
{
    const struct vidmm_replay_driver *driver = program->options.driver;
    _Alignas(8) unsigned char private_data[VIDMM_REPLAY_PRIVATE];
    uint32_t described = driver->describe(driver->context, size, types, private_data);
    NTSTATUS status =
        vidmm_allocation_create(program->device, private_data, described, &live->handle, report);
    void *bytes = NULL;

    if (status == STATUS_INVALID_PARAMETER && program->options.cpu_only)
        status = create_over(program, size, private_data, described, live, report);
    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_lock2(live->handle, 0, &bytes, report);
    if (status == STATUS_INVALID_PARAMETER && program->options.cpu_only)
        status = STATUS_SUCCESS; /* a driver of its own mind: the CPU does not see it */
    if (status != STATUS_SUCCESS)
        vidmm_allocation_destroy(live->handle);
    live->bytes = bytes;
    return status;
}

void vidmm_program_unmap(struct vidmm_live_allocation *live)
{
    if (live->bytes != NULL)
        vidmm_unlock2(live->handle, NULL);
    live->bytes = NULL;
}

/* ---- uses by the GPU ------------------------------------------------------------------------- */

void vidmm_program_note_uses(struct vidmm_program *program, const struct vidmm_trace_record *record,
                             uint64_t value)
{
    for (uint32_t i = 0; i < record->submit.count; i++) {
        uint32_t index = program->options.trace->references[record->submit.first + i].allocation;

        program->residency.last_uses[index][record->queue] = value;
    }
}

bool vidmm_program_is_used(const struct vidmm_program *program, uint32_t allocation)
{
    const uint64_t *last = program->residency.last_uses[allocation];

    for (uint32_t queue = 0; queue < VIDMM_TRACE_QUEUES; queue++)
        if (last[queue] != 0 && vidmm_context_completed(program->contexts[queue]) < last[queue])
            return true;
    return false;
}

/* ---- residency ------------------------------------------------------------------------------- */

/* Note the use of all that the submission names, and list what of it is missing; answers how many
 * those are. */
static uint32_t list_missing(struct vidmm_program *program, const struct vidmm_trace_record *record)
{
    struct vidmm_residency_set *set = &program->residency;
    uint32_t missing = 0;

    set->now = program->next + 1;
    for (uint32_t i = 0; i < record->submit.count; i++) {
        uint32_t index = program->options.trace->references[record->submit.first + i].allocation;
        struct vidmm_live_allocation *live = &program->allocations[index];

        VIDMM_ASSERT(live->handle != NULL); /* R2 */
        live->used = set->now;
        if (live->resident)
            continue;
        set->missing[missing] = live->handle;
        set->missing_index[missing++] = index;
    }
    return missing;
}

/* The one that was not used for longest, and not by this submission nor one that the GPU has not
 * done; NULL: there is none. *used: some are used. */
static struct vidmm_live_allocation *oldest(struct vidmm_program *program, bool *used)
{
    struct vidmm_live_allocation *found = NULL;

    *used = false;

    for (uint32_t i = 0; i < program->options.trace->allocation_count; i++) {
        struct vidmm_live_allocation *live = &program->allocations[i];

        if (live->handle == NULL || !live->resident || live->used == program->residency.now)
            continue;
        if (vidmm_program_is_used(program, i))
            *used = true; /* what is queued has to find it on the list: D-094 */
        else if (found == NULL || live->used < found->used)
            found = live;
    }
    return found;
}

/* Evict at least so many bytes, if the program can do without; answers how many those are. 0, and
 * STATUS_GRAPHICS_ALLOCATION_BUSY: it can when the GPU has done more. */
static NTSTATUS trim(struct vidmm_program *program, uint64_t bytes, uint64_t *trimmed,
                     struct vidmm_report *report)
{
    struct vidmm_live_allocation *live;
    NTSTATUS status = STATUS_SUCCESS;
    bool used = false;

    *trimmed = 0;
    while (*trimmed < bytes && status == STATUS_SUCCESS &&
           (live = oldest(program, &used)) != NULL) {
        status = vidmm_evict(program->device, &live->handle, 1, 0, NULL, report);
        live->resident = status != STATUS_SUCCESS;
        *trimmed += vidmm_allocation_size(live->handle);
    }
    return *trimmed == 0 && used ? STATUS_GRAPHICS_ALLOCATION_BUSY : status;
}

static void note_resident(struct vidmm_program *program, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        program->allocations[program->residency.missing_index[i]].resident = true;
}

/* Ask for it, and trim as often as that is asked for and possible. */
static NTSTATUS ask(struct vidmm_program *program, uint32_t count, struct vidmm_report *report)
{
    struct vidmm_residency_set *set = &program->residency;
    uint32_t flags = 0;

    for (;;) {
        struct vidmm_residency_result result;
        uint64_t trimmed;
        NTSTATUS status =
            vidmm_make_resident(set->queue, set->missing, count, flags, &result, report);

        if (status == STATUS_PENDING)
            set->value = result.value;
        if (status != STATUS_NO_MEMORY || result.bytes_to_trim == 0 ||
            flags == VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER)
            return status;
        status = trim(program, result.bytes_to_trim, &trimmed, report);
        if (status != STATUS_SUCCESS)
            return status;
        if (trimmed == 0)
            flags = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER;
    }
}

enum vidmm_program_state vidmm_program_make_resident(struct vidmm_program *program,
                                                     const struct vidmm_trace_record *record)
{
    struct vidmm_residency_set *set = &program->residency;
    struct vidmm_report report = {""};
    uint32_t missing = list_missing(program, record);

    if (missing != 0) {
        NTSTATUS status = ask(program, missing, &report);

        if (status == STATUS_GRAPHICS_ALLOCATION_BUSY)
            return VIDMM_PROGRAM_BLOCKED;
        if (status != STATUS_SUCCESS && status != STATUS_PENDING)
            return vidmm_program_fail(program, status, report.text);
        note_resident(program, missing);
    }
    if (set->value == 0)
        return VIDMM_PROGRAM_RAN;
    if (vidmm_paging_queue_passed(set->queue) < set->value)
        return VIDMM_PROGRAM_BLOCKED;
    set->value = 0;
    NTSTATUS failure = vidmm_paging_queue_failure(set->queue);
    return failure == STATUS_SUCCESS
               ? VIDMM_PROGRAM_RAN
               : vidmm_program_fail(program, failure,
                                    "what was pending could not be made resident");
}
