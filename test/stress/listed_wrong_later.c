/* listed_wrong_later.c: wrong calls of WDDM 2 that older seeds do not know: fences, queues,
 * budgets, addresses, heaps, caches. Each is refused, and nothing changes by it.
 */
#include "stress.h"

#include <vidmm/budget.h>
#include <vidmm/cache.h>
#include <vidmm/delay.h>
#include <vidmm/dump.h>
#include <vidmm/engine.h>
#include <vidmm/fence.h>
#include <vidmm/hw_queue.h>
#include <vidmm/page.h>
#include <vidmm/page_out.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>

/* A call, judged: it is made between the two. */
#define REFUSED(program, call, what)                                                               \
    do {                                                                                           \
        stress_enter((program), STRESS_LISTED_LATER_WRONG);                                        \
        stress_refused((program), STRESS_LISTED_LATER_WRONG, (call), (what));                      \
    } while (0)

static const struct stress_listed *some(struct stress_program *program)
{
    const struct stress_listed *one =
        &program->explicit.allocations[stress_below(program, STRESS_ALLOCATIONS)];

    return one->handle != NULL ? one : NULL;
}

/* ---- fences ---------------------------------------------------------------------------------- */

static void fences_that_are_none(struct stress_program *program)
{
    static const uint32_t flags[] = {VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_WAIT,
                                     VIDMM_FENCE_NT_SECURITY_SHARING, VIDMM_FENCE_NARROW, 128,
                                     1u << 31};
    struct vidmm_device *device = program->explicit.device;
    struct vidmm_fence *fence = program->explicit.fences[0];
    uint64_t address;

    REFUSED(
        program,
        vidmm_fence_create(device, 0, flags[stress_below(program, 5)], &fence, &program->report),
        "flags of a fence that there are not");
    REFUSED(program, vidmm_fence_create(device, 0, 0, NULL, &program->report),
            "no place for a fence");
    REFUSED(program, vidmm_fence_gpu_address(NULL, device, &address, &program->report),
            "a fence that is NULL");
    REFUSED(program, vidmm_fence_gpu_address(fence, device, NULL, &program->report),
            "no place for an address");
}

static void signals_that_are_none(struct stress_program *program)
{
    struct vidmm_device *device = program->explicit.device;
    struct vidmm_fence *own = program->explicit.fences[0];
    const struct vidmm_fence_point point = {own, 1}, nothing = {NULL, 1};
    const struct vidmm_fence_point pending = {
        vidmm_paging_queue_monitored_fence(program->explicit.queue), 1};
    const struct stress_context *queue = &program->explicit.contexts[0];

    REFUSED(program, vidmm_fence_signal(device, &point, 0, &program->report), "no fences");
    REFUSED(program, vidmm_fence_signal(device, &point, 33, &program->report), "too many fences");
    REFUSED(program, vidmm_fence_signal(device, NULL, 1, &program->report), "a list that is NULL");
    REFUSED(program, vidmm_fence_signal(device, &nothing, 1, &program->report),
            "a fence that is NULL");
    REFUSED(program, vidmm_fence_signal(device, &pending, 1, &program->report),
            "the fence of a paging queue");
    if (queue->hw == NULL) {
        REFUSED(program, vidmm_context_signal_fences(queue->handle, &pending, 1, &program->report),
                "the fence of a paging queue");
        return;
    }
    REFUSED(program, vidmm_hw_queue_signal_fences(queue->hw, &pending, 1, &program->report),
            "the fence of a paging queue");
    REFUSED(program, vidmm_hw_queue_wait_for_fences(queue->hw, NULL, 1, &program->report),
            "a list that is NULL");
}

static void waits_that_are_none(struct stress_program *program)
{
    struct vidmm_device *device = program->explicit.device;
    const struct vidmm_fence_point point = {program->explicit.fences[0], 0};
    const struct vidmm_fence_notice nobody = {NULL, program};
    struct vidmm_fence_waiting *waiting;

    REFUSED(program, vidmm_fence_wait_begin(device, &point, 1, true, NULL, &program->report),
            "no place for a wait");
    REFUSED(program, vidmm_fence_wait_begin(device, &point, 0, true, &waiting, &program->report),
            "no fences");
    REFUSED(program, vidmm_fence_wait_end(NULL, &program->report), "a wait that is NULL");
    REFUSED(program, vidmm_fence_notify(device, &point, 1, true, NULL, &program->report),
            "no notice");
    REFUSED(program, vidmm_fence_notify(device, &point, 1, true, &nobody, &program->report),
            "a notice that nobody hears");
}

/* A fence that is for one half of what fences are for. */
static void the_wrong_half(struct stress_program *program)
{
    bool signals = stress_chance(program, 50);
    struct vidmm_device *device = program->explicit.device;
    struct vidmm_fence_point point = {NULL, 1};
    NTSTATUS status;

    stress_enter(program, STRESS_FENCE_CREATE);
    status = vidmm_fence_create(device, 0, signals ? VIDMM_FENCE_NO_SIGNAL : VIDMM_FENCE_NO_WAIT,
                                &point.fence, &program->report);
    if (stress_listed_leave(program, STRESS_FENCE_CREATE, status) != STATUS_SUCCESS)
        return;
    if (signals)
        REFUSED(program, vidmm_fence_signal(device, &point, 1, &program->report),
                "a signal of a fence with NoSignal");
    else
        REFUSED(program, vidmm_fence_wait(device, &point, 1, true, &program->report),
                "a wait for a fence with NoWait");
    stress_enter(program, STRESS_FENCE_DESTROY);
    vidmm_fence_destroy(point.fence);
    stress_leave(program, STRESS_FENCE_DESTROY, STATUS_SUCCESS);
}

/* ---- queues ---------------------------------------------------------------------------------- */

static void queues_that_are_none(struct stress_program *program)
{
    struct vidmm_device *device = program->explicit.device;
    struct vidmm_paging_queue *queue;
    struct vidmm_context *context;
    struct vidmm_hw_queue *hw;

    REFUSED(
        program,
        vidmm_paging_queue_create(device, 3 + stress_below(program, 100), &queue, &program->report),
        "a priority that is none");
    REFUSED(program, vidmm_paging_queue_create(device, 0, NULL, &program->report),
            "no place for a queue");
    REFUSED(program,
            vidmm_paging_queue_create_for(device, 0, program->world->weather.links, &queue,
                                          &program->report),
            "an adapter that is none");
    REFUSED(program,
            vidmm_hw_queue_create(program->explicit.contexts[0].handle,
                                  8u << stress_below(program, 29), NULL, 0, &hw, &program->report),
            "flags of a queue that there are not");
    REFUSED(program, vidmm_hw_context_create(device, 64, NULL, 0, &context, &program->report),
            "a node that is none");
}

static void values_that_are_none(struct stress_program *program)
{
    struct vidmm_paging_queue *queue = program->explicit.queue;

    REFUSED(program, vidmm_paging_queue_wait(queue, UINT64_MAX, &program->report),
            "a value that nobody was told");
    REFUSED(program, vidmm_paging_queue_delay(queue, 0, NULL, &program->report), "no time");
    REFUSED(program, vidmm_paging_queue_delay(queue, UINT64_MAX, NULL, &program->report),
            "too long a time");
    REFUSED(program, vidmm_delay_evictions(program->world->adapter, UINT64_MAX, &program->report),
            "too long a time");
    REFUSED(program, vidmm_trim_intervals(program->world->adapter, 2, 1, 0, &program->report),
            "a minimum above the maximum");
}

/* ---- budgets --------------------------------------------------------------------------------- */

static void budgets_that_are_none(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    uint64_t process = program->index + 1;
    const struct vidmm_trim_notice nobody = {NULL, program};
    const enum vidmm_segment_group none = (enum vidmm_segment_group)2;
    struct vidmm_budget_info info;

    REFUSED(program, vidmm_query_video_memory(adapter, process, none, &info, &program->report),
            "a group that is none");
    REFUSED(program,
            vidmm_query_video_memory(adapter, 1000000, VIDMM_GROUP_LOCAL, &info, &program->report),
            "a process that is none");
    REFUSED(program,
            vidmm_query_video_memory(adapter, process, VIDMM_GROUP_LOCAL, NULL, &program->report),
            "no place for a budget");
    REFUSED(program, vidmm_reserve_video_memory(adapter, process, none, 0, &program->report),
            "a group that is none");
    REFUSED(program,
            vidmm_reserve_video_memory(adapter, process, VIDMM_GROUP_LOCAL, UINT64_MAX,
                                       &program->report),
            "more than there is");
    REFUSED(program,
            vidmm_set_budget(adapter, process, VIDMM_GROUP_LOCAL, UINT64_MAX - 1, &program->report),
            "more than there is");
    REFUSED(program, vidmm_trim_notify(program->explicit.device, &nobody, &program->report),
            "a notice that nobody hears");
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void reservations_that_are_none(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    const struct vidmm_address_request odd = {.size = VIDMM_PAGE_SIZE};
    const struct vidmm_address_request whole = {.size = VIDMM_RESERVATION_GRANULE};
    uint64_t address, value;

    REFUSED(program,
            vidmm_reserve_addresses(explicit->device, explicit->queue, &odd, VIDMM_ADDRESSES_ZERO,
                                    0, &address, &value, &program->report),
            "a part of 64 KiB");
    REFUSED(program,
            vidmm_reserve_addresses(explicit->device, explicit->queue, &whole,
                                    VIDMM_ADDRESSES_MAPPED, 0, &address, &value, &program->report),
            "a reservation that means an allocation");
    REFUSED(program,
            vidmm_reserve_addresses(explicit->device, explicit->queue, NULL, VIDMM_ADDRESSES_ZERO,
                                    0, &address, &value, &program->report),
            "no request");
    REFUSED(program,
            vidmm_free_addresses(explicit->device, UINT64_C(1) << 40, VIDMM_PAGE_SIZE,
                                 &program->report),
            "addresses that are free");
}

static void changes_that_are_none(struct stress_program *program)
{
    struct vidmm_paging_queue *queue = program->explicit.queue;
    const struct vidmm_address_use nothing = {.state = VIDMM_ADDRESSES_MAPPED};
    const struct vidmm_address_use zero = {.state = VIDMM_ADDRESSES_ZERO};
    const uint64_t nowhere = UINT64_C(1) << 40;
    uint64_t value;

    REFUSED(
        program,
        vidmm_update_addresses(queue, nowhere, VIDMM_PAGE_SIZE, &nothing, &value, &program->report),
        "no allocation");
    REFUSED(
        program,
        vidmm_update_addresses(queue, nowhere, VIDMM_PAGE_SIZE, &zero, &value, &program->report),
        "addresses that are free");
    REFUSED(program,
            vidmm_update_addresses(queue, 0, VIDMM_PAGE_SIZE, NULL, &value, &program->report),
            "no meaning");
    REFUSED(
        program,
        vidmm_copy_addresses(queue, nowhere, VIDMM_PAGE_SIZE, nowhere, &value, &program->report),
        "addresses that are free");
    REFUSED(program, vidmm_copy_addresses(queue, nowhere, 100, nowhere, &value, &program->report),
            "a part of a page");
}

static void batches_that_are_none(struct stress_program *program)
{
    const struct vidmm_address_operation change = {
        .base = UINT64_C(1) << 40, .size = VIDMM_PAGE_SIZE, .use = {.state = VIDMM_ADDRESSES_ZERO}};
    const struct vidmm_fence_point after = {program->explicit.changes, program->explicit.changed};
    const struct vidmm_fence_point nothing = {NULL, 1};
    struct vidmm_context *context = program->explicit.contexts[0].handle;

    REFUSED(program, vidmm_update_addresses_after(context, &change, 0, &after, 0, &program->report),
            "no changes");
    REFUSED(program,
            vidmm_update_addresses_after(context, &change, 1, &nothing, 0, &program->report),
            "a fence that is NULL");
    REFUSED(program,
            vidmm_update_addresses_after(context, &change, 1, &after,
                                         4u << stress_below(program, 30), &program->report),
            "flags of a batch that there are not");
    REFUSED(program, vidmm_update_addresses_after(context, &change, 1, &after, 0, &program->report),
            "addresses that are free");
}

static void commands_that_are_none(struct stress_program *program)
{
    const struct stress_context *queue = &program->explicit.contexts[0];
    const struct vidmm_command none = {.address = program->explicit.commands_address};
    const struct vidmm_command much = {.address = program->explicit.commands_address,
                                       .length = 16,
                                       .private_data_size = UINT32_MAX,
                                       .private_data = &none};
    const struct vidmm_command many = {.address = program->explicit.commands_address,
                                       .length = 16,
                                       .written_primary_count = VIDMM_WRITTEN_PRIMARIES + 1};
    const struct vidmm_command *const wrong[] = {&none, &much, &many};
    const struct vidmm_command *command = wrong[stress_below(program, 3)];
    uint64_t value;

    if (queue->hw != NULL)
        REFUSED(program,
                vidmm_hw_queue_submit(queue->hw, command, queue->value + 1, true, &program->report),
                "commands that are none");
    else
        REFUSED(program,
                vidmm_submit_command(queue->handle, command, true, &value, &program->report),
                "commands that are none");
}

/* ---- allocations ----------------------------------------------------------------------------- */

enum { EXISTING_SYS_MEM = 0x20, STANDARD_ALLOCATION = 0x10000, EXISTING_SECTION = 0x20000 };

static void heaps_that_are_none(struct stress_program *program)
{
    static _Alignas(4096) char page[4096];
    const uint32_t flags = STANDARD_ALLOCATION | EXISTING_SYS_MEM;
    const struct vidmm_heap heaps[] = {
        {page, sizeof(page), EXISTING_SYS_MEM},
        {page, sizeof(page), STANDARD_ALLOCATION},
        {page, sizeof(page), STANDARD_ALLOCATION | EXISTING_SECTION},
        {NULL, sizeof(page), flags},
        {page, 0, flags},
        {page, UINT64_C(1) << 32, flags},
        {page + 1, sizeof(page), flags},
    };
    struct vidmm_device *device = program->explicit.device;
    struct vidmm_resource *resource;
    struct vidmm_allocation *made;

    REFUSED(program,
            vidmm_heap_create(device, &heaps[stress_below(program, 7)], &resource, &made,
                              &program->report),
            "a heap that is none");
    REFUSED(program, vidmm_heap_create(device, NULL, &resource, &made, &program->report),
            "no heap");
    REFUSED(program, vidmm_heap_create(device, &heaps[0], NULL, &made, &program->report),
            "no place for a resource");
}

static void bytes_that_are_none(struct stress_program *program)
{
    const struct vidmm_segment_range range = {.segment = 2, .size = VIDMM_PAGE_SIZE};
    struct vidmm_device *device = program->explicit.device;
    const struct stress_listed *one = some(program);
    unsigned char bytes[VIDMM_PAGE_SIZE];
    uint64_t size;

    REFUSED(program, vidmm_read_segment(program->world->adapter, &range, bytes, &program->report),
            "raw bytes, which WDDM 2 does not read");
    if (one == NULL)
        return;
    size = vidmm_allocation_size(one->handle); /* as the driver rounds it */
    REFUSED(program, vidmm_invalidate_cache(device, one->handle, size, 1, &program->report),
            "bytes behind the end");
    REFUSED(program, vidmm_invalidate_cache(device, one->handle, 1, size, &program->report),
            "bytes behind the end");
    REFUSED(program, vidmm_invalidate_cache(device, one->handle, 0, 0, &program->report),
            "no bytes");
    REFUSED(program, vidmm_invalidate_cache(device, NULL, 0, 1, &program->report), "no allocation");
}

static void properties_that_are_none(struct stress_program *program)
{
    const struct vidmm_property none = {.mask = 8u << stress_below(program, 29)};
    struct vidmm_paging_queue *queue = program->explicit.queue;
    const struct stress_listed *one = some(program);
    const struct vidmm_selection nothing = {.allocation_count = 0};
    enum vidmm_reclaimed reclaimed;

    REFUSED(program, vidmm_reclaim_queued(queue, &nothing, &reclaimed, NULL, &program->report),
            "nothing");
    if (one == NULL)
        return;
    REFUSED(program, vidmm_update_property(queue, one->handle, &none, NULL, &program->report),
            "properties that there are not");
    REFUSED(program, vidmm_update_property(queue, one->handle, NULL, NULL, &program->report),
            "no properties");
}

void stress_listed_wrong_later_work(struct stress_program *program)
{
    static void (*const wrong[])(struct stress_program *) = {
        fences_that_are_none,   signals_that_are_none,
        waits_that_are_none,    the_wrong_half,
        queues_that_are_none,   values_that_are_none,
        budgets_that_are_none,  changes_that_are_none,
        batches_that_are_none,  reservations_that_are_none,
        heaps_that_are_none,    bytes_that_are_none,
        commands_that_are_none, properties_that_are_none};
    NTSTATUS status;

    wrong[stress_below(program, sizeof(wrong) / sizeof(wrong[0]))](program);
    stress_enter(program, STRESS_DEVICE_CONDITION);
    status = vidmm_device_condition(program->explicit.device, &program->report);
    stress_listed_leave(program, STRESS_DEVICE_CONDITION, status);
}
