/* A recorded program from WDDM 2.0 on, where its user-mode driver keeps what the manager kept
 * before (include/umd): the program knows by itself when the GPU is done with what it named, has
 * locked what the CPU sees for as long as that lives, writes caches back, and makes resident what a
 * submission names. It trims when it is told to, and in the order of use.
 *
 *     D   a map: BLOCKED while the GPU uses it; all of it, which the GPU only reads: renamed
 *     S   note uses, write caches back, require, submit, signal
 */
#include "trace/program.h"

#include <string.h>

#include <umd/map.h>
#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/lock2.h>
#include <vidmm/page.h>
#include <vidmm/paging_queue.h>
#include <wddm/ntstatus.h>

#include "base/assert.h"

#define INSTANCES 4u /* of one allocation, at most */

/* R7. The user-mode driver's side of a program: its queues, what it has resident, and how its
 * instances are made. */
struct vidmm_program_residency {
    struct umd_queues queues;
    uint32_t numbers[VIDMM_TRACE_QUEUES]; /* of the trace's queues, in `queues` */
    struct umd_residency set;
    struct umd_resident **named; /* as many as the longest submission names */
    struct umd_maker maker;
    uint32_t making; /* the trace's allocation whose instance is made */
    bool halved;     /* halve_budget: it is done */
    void *blocks;    /* R8: memory of instances; the first word of each leads to the next */
};

/* ---- instances ------------------------------------------------------------------------------- */

/* A block of whole pages. It stays until the device has gone, for nobody says when the manager is
 * done with it. NULL: no memory. */
static unsigned char *take_memory(struct vidmm_program *program, uint64_t size)
{
    void **block =
        program->memory.allocate(program->memory.context, size + 2 * (uint64_t)VIDMM_PAGE_SIZE);

    if (block == NULL)
        return NULL;
    *block = program->residency->blocks;
    program->residency->blocks = block;
    uintptr_t first = ((uintptr_t)(block + 1) + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE;
    return (unsigned char *)(first * VIDMM_PAGE_SIZE);
}

/* The driver describes it as memory of the program (ExistingSysMem). */
static NTSTATUS create_over(struct vidmm_program *program, uint64_t size, const void *private_data,
                            uint32_t described, struct vidmm_allocation **handle,
                            struct vidmm_report *report)
{
    uint64_t whole = (size + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE * VIDMM_PAGE_SIZE;
    unsigned char *bytes = take_memory(program, whole);

    return bytes == NULL ? STATUS_NO_MEMORY
                         : vidmm_allocation_create_over(program->device, private_data, described,
                                                        bytes, whole, handle, report);
}

NTSTATUS vidmm_program_create_mapped(struct vidmm_program *program, uint64_t size, uint32_t types,
                                     struct vidmm_allocation **handle, unsigned char **bytes,
                                     struct vidmm_report *report)
{
    const struct vidmm_replay_driver *driver = program->options.driver;
    _Alignas(8) unsigned char private_data[VIDMM_REPLAY_PRIVATE];
    uint32_t described = driver->describe(driver->context, size, types, private_data);
    NTSTATUS status =
        vidmm_allocation_create(program->device, private_data, described, handle, report);
    void *data = NULL;

    if (status == STATUS_INVALID_PARAMETER && program->options.cpu_only)
        status = create_over(program, size, private_data, described, handle, report);
    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_lock2(*handle, 0, &data, report);
    if (status == STATUS_INVALID_PARAMETER && program->options.cpu_only)
        status = STATUS_SUCCESS; /* a driver of its own mind: the CPU does not see it */
    if (status != STATUS_SUCCESS)
        vidmm_allocation_destroy(*handle);
    *bytes = data;
    return status;
}

void vidmm_program_destroy_mapped(struct vidmm_allocation *handle, const unsigned char *bytes)
{
    if (bytes != NULL)
        vidmm_unlock2(handle, NULL);
    vidmm_allocation_destroy(handle);
}

static void unmake(void *context, struct umd_instance *instance)
{
    struct vidmm_program *program = context;

    umd_residency_forget(&program->residency->set, &instance->resident);
    vidmm_program_destroy_mapped(instance->allocation, instance->data);
}

/* An instance of the trace's allocation `making`. */
static NTSTATUS make(void *context, struct umd_instance *instance, struct vidmm_report *report)
{
    struct vidmm_program *program = context;
    const struct vidmm_program_options *o = &program->options;
    uint32_t index = program->residency->making;
    const struct vidmm_trace_allocation *wish = &o->trace->allocations[index];
    NTSTATUS status =
        (wish->types & VIDMM_TRACE_VISIBLE) != 0
            ? vidmm_program_create_mapped(program, wish->size, wish->types, &instance->allocation,
                                          &instance->data, report)
            : vidmm_program_create_plain(program, index, &instance->allocation, report);

    if (status != STATUS_SUCCESS)
        return status;
    umd_resident_init(&instance->resident, instance->allocation, &instance->track);
    umd_cache_init(&instance->cache, (wish->types & VIDMM_TRACE_CACHED) != 0 || o->cpu_only);
    status = o->by_address
                 ? vidmm_program_map(program, instance->allocation, &instance->address, report)
                 : STATUS_SUCCESS;
    if (status != STATUS_SUCCESS)
        unmake(program, instance);
    else if (o->listener != NULL && o->listener->allocation != NULL)
        o->listener->allocation(o->listener->context, vidmm_allocation_id(instance->allocation),
                                index);
    return status;
}

/* The allocation is what its pool's current instance is. */
static void bind(struct vidmm_live_allocation *live)
{
    live->handle = live->pool->current->allocation;
    live->bytes = live->pool->current->data;
    live->address = live->pool->current->address;
}

NTSTATUS vidmm_program_create_instances(struct vidmm_program *program, uint32_t allocation,
                                        struct vidmm_report *report)
{
    struct vidmm_live_allocation *live = &program->allocations[allocation];
    const struct umd_pool_options options = {.queues = &program->residency->queues,
                                             .maker = &program->residency->maker,
                                             .memory = &program->memory,
                                             .most = program->options.cpu_only ? 1 : INSTANCES};

    live->pool = program->memory.allocate(program->memory.context, sizeof(*live->pool));
    if (live->pool == NULL)
        return STATUS_NO_MEMORY;
    program->residency->making = allocation;
    NTSTATUS status = umd_pool_init(live->pool, &options, report);
    if (status == STATUS_SUCCESS) {
        bind(live);
        return status;
    }
    program->memory.free(program->memory.context, live->pool);
    live->pool = NULL;
    return status;
}

void vidmm_program_end_instances(struct vidmm_program *program, struct vidmm_live_allocation *live)
{
    umd_pool_finish(live->pool);
    program->memory.free(program->memory.context, live->pool);
    live->pool = NULL;
}

/* ---- writes of the CPU ----------------------------------------------------------------------- */

bool vidmm_program_is_used(const struct vidmm_program *program, uint32_t allocation)
{
    const struct umd_pool *pool = program->allocations[allocation].pool;

    return pool != NULL && umd_track_is_busy(&program->residency->queues, &pool->current->track,
                                             UMD_READ | UMD_WRITE);
}

/* Does the CPU write all pages, while the GPU reads them and writes none? Then another instance
 * does, and there is no need to wait. */
static bool is_renamed(const struct vidmm_program *program, const struct vidmm_trace_record *record)
{
    const struct vidmm_live_allocation *live = &program->allocations[record->allocation];
    const struct umd_track *track = &live->pool->current->track;
    uint64_t end = record->write.offset + record->write.size;

    return live->pool->options.most > 1 && record->write.offset < VIDMM_PAGE_SIZE &&
           end + VIDMM_PAGE_SIZE > vidmm_allocation_size(live->handle) &&
           vidmm_program_is_used(program, record->allocation) &&
           !umd_track_is_busy(&program->residency->queues, track, UMD_READ);
}

/* A write replaces a part of each page, so the rest comes along from the instance before. */
static NTSTATUS bring_along(struct vidmm_program *program, struct vidmm_live_allocation *live,
                            struct umd_instance *before, struct vidmm_report *report)
{
    struct umd_instance *current = live->pool->current;
    uint64_t size = vidmm_allocation_size(current->allocation);
    NTSTATUS status =
        umd_cache_before_cpu(&before->cache, program->device, before->allocation, true, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (program->options.execute)
        memcpy(current->data, before->data, size);
    umd_cache_cpu_wrote(&current->cache, 0, size);
    atomic_fetch_add(&program->counts.renames, 1);
    return status;
}

NTSTATUS vidmm_program_map_for_write(struct vidmm_program *program,
                                     const struct vidmm_trace_record *record, bool wait,
                                     void **bytes, struct vidmm_report *report)
{
    struct vidmm_live_allocation *live = &program->allocations[record->allocation];
    struct umd_instance *before = live->pool->current;
    uint32_t flags = is_renamed(program, record) ? UMD_MAP_WRITE | UMD_MAP_DISCARD
                                                 : UMD_MAP_READ | UMD_MAP_WRITE;

    program->residency->making = record->allocation;
    NTSTATUS status = umd_map(live->pool, flags | (wait ? 0 : UMD_MAP_DO_NOT_WAIT), program->device,
                              bytes, report);
    bind(live);
    return status == STATUS_SUCCESS && live->pool->current != before
               ? bring_along(program, live, before, report)
               : status;
}

NTSTATUS vidmm_program_unmap(struct vidmm_program *program, const struct vidmm_trace_record *record,
                             struct vidmm_report *report)
{
    return umd_unmap(program->allocations[record->allocation].pool, record->write.offset,
                     record->write.size, report);
}

/* ---- submissions ----------------------------------------------------------------------------- */

/* Half of the trace is behind it: set the budget to half of what it is. */
static NTSTATUS halve_budget(struct vidmm_program *program, struct vidmm_report *report)
{
    const struct vidmm_program_options *o = &program->options;
    struct vidmm_budget_info info;
    uint32_t group = o->shares_addresses ? VIDMM_GROUP_NON_LOCAL : VIDMM_GROUP_LOCAL;
    NTSTATUS status = vidmm_query_video_memory(o->adapter, o->process, group, &info, report);

    program->residency->halved = true;
    return status != STATUS_SUCCESS
               ? status
               : vidmm_set_budget(o->adapter, o->process, group, info.budget / 2, report);
}

enum vidmm_program_state vidmm_program_trim(struct vidmm_program *program)
{
    struct vidmm_trim_request request;
    struct vidmm_report report = {""};
    NTSTATUS status = STATUS_SUCCESS;
    uint64_t trimmed = 0;

    if (program->options.halve_budget && !program->residency->halved &&
        program->next >= program->options.trace->record_count / 2)
        status = halve_budget(program, &report);
    if (status == STATUS_SUCCESS && vidmm_trim_take(program->device, &request))
        status = umd_residency_obey(&program->residency->set, &request, &trimmed, &report);
    atomic_fetch_add(&program->counts.trimmed, trimmed);
    return status == STATUS_SUCCESS ? VIDMM_PROGRAM_RAN
                                    : vidmm_program_fail(program, status, report.text);
}

/* Note its uses, and have the GPU find what the CPU wrote. */
static NTSTATUS note_uses(struct vidmm_program *program, const struct vidmm_trace_record *record,
                          struct vidmm_report *report)
{
    struct vidmm_program_residency *residency = program->residency;
    uint32_t queue = residency->numbers[record->queue];
    uint64_t value = umd_queue_next(&residency->queues, queue);
    NTSTATUS status = STATUS_SUCCESS;

    for (uint32_t i = 0; i < record->submit.count && status == STATUS_SUCCESS; i++) {
        const struct vidmm_trace_reference *reference =
            &program->options.trace->references[record->submit.first + i];
        struct umd_instance *instance = program->allocations[reference->allocation].pool->current;
        uint32_t access = reference->write != 0 ? UMD_READ | UMD_WRITE : UMD_READ;

        VIDMM_ASSERT(instance != NULL); /* R2 */
        residency->named[i] = &instance->resident;
        umd_track_use(&instance->track, queue, value, access);
        status = umd_cache_before_gpu(&instance->cache, program->device, instance->allocation,
                                      access, report);
    }
    return status;
}

/* Has the queue come to the value, so that all is in place? */
static enum vidmm_program_state is_in_place(struct vidmm_program *program)
{
    if (program->awaited == 0)
        return VIDMM_PROGRAM_RAN;
    if (vidmm_paging_queue_passed(program->paging_queue) < program->awaited)
        return VIDMM_PROGRAM_BLOCKED;
    program->awaited = 0;
    NTSTATUS failure = vidmm_paging_queue_failure(program->paging_queue);
    return failure == STATUS_SUCCESS
               ? VIDMM_PROGRAM_RAN
               : vidmm_program_fail(program, failure,
                                    "what was pending could not be made resident");
}

enum vidmm_program_state vidmm_program_make_resident(struct vidmm_program *program,
                                                     const struct vidmm_trace_record *record)
{
    struct vidmm_program_residency *residency = program->residency;
    struct vidmm_report report = {""};
    uint64_t value = 0;
    NTSTATUS status = note_uses(program, record, &report);

    if (status == STATUS_SUCCESS)
        status = umd_residency_require(&residency->set, residency->named, record->submit.count,
                                       vidmm_program_may_wait(program), &value, &report);
    if (status == STATUS_GRAPHICS_ALLOCATION_BUSY)
        return VIDMM_PROGRAM_BLOCKED;
    if (status != STATUS_SUCCESS)
        return vidmm_program_fail(program, status, report.text);
    if (value > program->awaited)
        program->awaited = value;
    return is_in_place(program);
}

NTSTATUS vidmm_program_note_submission(struct vidmm_program *program, uint32_t queue,
                                       struct vidmm_report *report)
{
    return umd_queue_signal(&program->residency->queues, program->residency->numbers[queue],
                            report);
}

/* ---- begin and end --------------------------------------------------------------------------- */

/* The most references that a submission has. */
static uint32_t most_named(const struct vidmm_trace *trace)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < trace->record_count; i++)
        if (trace->records[i].op == VIDMM_TRACE_SUBMIT && trace->records[i].submit.count > most)
            most = trace->records[i].submit.count;
    return most;
}

NTSTATUS vidmm_program_begin_residency(struct vidmm_program *program, struct vidmm_report *report)
{
    const struct vidmm_memory *memory = &program->memory;
    struct vidmm_program_residency *residency =
        memory->allocate(memory->context, sizeof(*residency));

    program->residency = residency;
    if (residency == NULL)
        return STATUS_NO_MEMORY;
    residency->named = memory->allocate(memory->context, (most_named(program->options.trace) + 1) *
                                                             sizeof(*residency->named));
    if (residency->named == NULL)
        return STATUS_NO_MEMORY;
    NTSTATUS status = vidmm_paging_queue_create(program->device, VIDMM_PAGING_QUEUE_NORMAL,
                                                &program->paging_queue, report);
    for (uint32_t gpu = 1; gpu < program->options.links && status == STATUS_SUCCESS; gpu++)
        status = vidmm_paging_queue_create_for(program->device, VIDMM_PAGING_QUEUE_NORMAL, gpu,
                                               &program->linked_queues[gpu], report);
    if (status != STATUS_SUCCESS)
        return status;
    umd_queues_init(&residency->queues, program->device);
    umd_residency_init(&residency->set,
                       &(struct umd_residency_options){.device = program->device,
                                                       .paging_queue = program->paging_queue,
                                                       .queues = &residency->queues,
                                                       .memory = &program->memory});
    residency->maker = (struct umd_maker){program, make, unmake};
    return status;
}

NTSTATUS vidmm_program_add_queue(struct vidmm_program *program, uint32_t queue,
                                 struct vidmm_report *report)
{
    return umd_queues_add(&program->residency->queues, program->contexts[queue],
                          &program->residency->numbers[queue], report);
}

void vidmm_program_end_residency(struct vidmm_program *program)
{
    if (program->paging_queue == NULL)
        return;
    umd_queues_finish(&program->residency->queues);
    umd_residency_finish(&program->residency->set);
    for (uint32_t gpu = 1; gpu < program->options.links; gpu++)
        vidmm_paging_queue_destroy(program->linked_queues[gpu]);
    vidmm_paging_queue_destroy(program->paging_queue);
    program->paging_queue = NULL;
}

void vidmm_program_free_memory(struct vidmm_program *program)
{
    struct vidmm_program_residency *residency = program->residency;

    if (residency == NULL)
        return;
    for (void **block = residency->blocks, **next; block != NULL; block = next) {
        next = *block;
        program->memory.free(program->memory.context, block);
    }
    if (residency->named != NULL)
        program->memory.free(program->memory.context, residency->named);
    program->memory.free(program->memory.context, residency);
    program->residency = NULL;
}
