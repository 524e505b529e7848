/* paging_queue.c: the paging queues of devices.
 *
 *      queued --> begun --> its page-ins are queued: arriving --> all have ended: VIDMM_DO_SIGNAL
 *         |          '--> dropped: it fits nowhere, or its device is in error --------'
 *         '--> dropped: its device is in error ---------------------------------------'
 *
 * A paging queue is one more queue of the arbiter, and its works are prepared like DMA buffers. A
 * work does not keep its turn while its content travels: page-ins of the next one are built
 * meanwhile. Works of one queue end in their order. A request that has nothing to wait for
 * takes no value and never comes here (D-250).
 *
 * A work that was dropped is signalled as well, with the reason: nobody waits for ever.
 *
 * A queue whose value lies where the GPU reaches it has paging buffers write it (D-145). The value
 * is built when all that its work needs is built: it may stand in the same buffer. One write serves
 * several works of the queue. A work that is dropped needs none; the CPU writes its value.
 *
 * Invariants (I1 to I4 are in residency_list.c, I5 in listed.c, I6 and I7 in budget.c)
 * I8. Works of a queue, from its arrival to its signal, have the values behind that of its fence up
 *     to `newest`, one each. A queue has a fence while it exists or has works.
 * I9. One value of a queue at a time is being written by a paging buffer, `signaling`, and no work
 *     up to it ends meanwhile: so no lower value is written later.
 */
#include "vidmm/engine/work/paging_queue.h"

#include <base/assert.h>
#include <base/grow.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/fence_signal.h"
#include "vidmm/engine/carry/table_write.h"
#include "vidmm/engine/state/companion.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/fence_object.h"
#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/standstill.h"
#include "vidmm/engine/work/work.h"

#define FENCE /* of a queue: its works alone signal it, in error too, and no packet writes it */   \
    (VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_MAX_VALUE | VIDMM_FENCE_NO_GPU_ACCESS)

struct vidmm_paging_queue *vidmm_paging_queue_find(const struct vidmm_engine *engine, uint32_t id)
{
    return id < engine->paging_queue_capacity && engine->paging_queues[id].exists
               ? &engine->paging_queues[id]
               : NULL;
}

/* Whether the event names no memory for the fence's value, or such as a paging buffer writes. */
static bool has_good_memory(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_placement *placement =
        vidmm_placement_find(engine, event->paging_queue.fences);

    if (event->paging_queue.fences == 0)
        return event->paging_queue.offset == 0;
    return engine->mmu->paging && !engine->config.linked && placement && placement->fences &&
           !placement->dying && event->paging_queue.offset % sizeof(uint64_t) == 0 &&
           event->paging_queue.offset < placement->wish.size;
}

NTSTATUS vidmm_paging_queue_admit(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t id = event->paging_queue.queue;
    struct vidmm_paging_queue *queues;
    struct vidmm_fence_object *fence;

    if (!engine->config.explicit_residency || event->device >= engine->device_capacity ||
        !engine->devices[event->device].exists || id == 0 || id >= VIDMM_PAGING_QUEUES ||
        event->paging_queue.priority > VIDMM_PAGING_QUEUE_ABOVE_NORMAL ||
        !has_good_memory(engine, event))
        return STATUS_INVALID_PARAMETER;
    if (id < engine->paging_queue_capacity &&
        (engine->paging_queues[id].exists || engine->paging_queues[id].works > 0))
        return STATUS_INVALID_PARAMETER;
    if (vidmm_device_record_status(engine, event->device) != STATUS_SUCCESS)
        return vidmm_device_record_status(engine, event->device);
    queues = vidmm_grow(&engine->memory, engine->paging_queues, &engine->paging_queue_capacity, id,
                        sizeof(*queues));
    if (!queues)
        return STATUS_NO_MEMORY;
    engine->paging_queues = queues;
    fence = vidmm_fence_object_make(engine, VIDMM_PAGING_QUEUE_FENCE | id, event->device, FENCE,
                                    VIDMM_FIRST_PAGING_FENCE); /* obeys W-021 */
    if (!fence)
        return STATUS_NO_MEMORY;
    queues[id] = (struct vidmm_paging_queue){
        .exists = true,
        .priority = (uint8_t)event->paging_queue.priority,
        .device = event->device,
        .newest = VIDMM_FIRST_PAGING_FENCE,
        .fence = fence,
        .fences = event->paging_queue.fences,
        .offset = event->paging_queue.offset,
        .ready = VIDMM_FIRST_PAGING_FENCE,
        .signaled = VIDMM_FIRST_PAGING_FENCE,
    };
    return STATUS_SUCCESS;
}

/* The fence of a queue that is destroyed goes when its works have ended (D-249). */
static void end_fence(struct vidmm_engine *engine, struct vidmm_paging_queue *queue)
{
    if (queue->exists || queue->works > 0)
        return;
    vidmm_fence_object_end(engine, queue->fence);
    queue->fence = NULL;
}

NTSTATUS vidmm_paging_queue_dismiss(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_paging_queue *queue = vidmm_paging_queue_find(engine, event->paging_queue.queue);

    if (!queue)
        return STATUS_INVALID_PARAMETER;
    vidmm_companion_end(engine, event->paging_queue.queue);
    queue->exists = false;
    end_fence(engine, queue);
    return STATUS_SUCCESS;
}

bool vidmm_paging_queue_is_busy(const struct vidmm_engine *engine, uint32_t device)
{
    uint32_t id = 0;

    while (id < engine->paging_queue_capacity &&
           (engine->paging_queues[id].works == 0 || engine->paging_queues[id].device != device))
        id++;
    return id < engine->paging_queue_capacity;
}

void vidmm_paging_queue_clear(struct vidmm_engine *engine, uint32_t device)
{
    uint32_t id;

    VIDMM_ASSERT(!vidmm_paging_queue_is_busy(engine, device));
    for (id = 0; id < engine->paging_queue_capacity; id++) {
        if (engine->paging_queues[id].exists && engine->paging_queues[id].device == device) {
            vidmm_companion_end(engine, id);
            engine->paging_queues[id].exists = false;
            end_fence(engine, &engine->paging_queues[id]);
        }
    }
}

uint64_t vidmm_paging_queue_add(struct vidmm_engine *engine, uint32_t id)
{
    struct vidmm_paging_queue *queue = vidmm_paging_queue_find(engine, id);

    VIDMM_ASSERT(queue && queue->newest < UINT64_MAX);
    queue->works++;
    return ++queue->newest; /* I8 */
}

NTSTATUS vidmm_paging_queue_rest(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_paging_queue *queue = vidmm_paging_queue_find(engine, event->test.queue);
    struct vidmm_work *work;
    uint32_t device;
    NTSTATUS status;

    engine->answer = (struct vidmm_residency_answer){0, 0};
    if (!queue || event->test.time_ns[0] == 0 || event->test.time_ns[0] > VIDMM_LONGEST_DELAY_NS)
        return STATUS_INVALID_PARAMETER;
    device = queue->device;
    status = vidmm_device_record_status(engine, device);
    if (status == STATUS_SUCCESS)
        status = vidmm_work_check_paging(engine, event->test.queue, 0, &work);
    if (status != STATUS_SUCCESS)
        return status;
    engine->timed = true;
    work->delay_ns = event->test.time_ns[0];
    work->value = engine->answer.value = vidmm_paging_queue_add(engine, event->test.queue);
    vidmm_work_create_paging(engine, event->test.queue, device, work);
    return STATUS_PENDING;
}

void vidmm_paging_queue_arrive(struct vidmm_engine *engine)
{
    struct vidmm_work *work = vidmm_work_dequeue(engine);

    VIDMM_ASSERT(work->paging_queue != 0 && work->placed == 0);
    vidmm_works_add(&engine->arriving, work);
    engine->arrivals_may_go = true;
}

/* Whether none of the work's allocations is on its way any more, and its tables are written. One
 * that has left again since does not count: the list is in place before anything of the device
 * runs. */
static bool has_arrived(const struct vidmm_engine *engine, struct vidmm_work *work)
{
    const struct vidmm_process *process;

    for (; work->placed < work->count; work->placed++) {
        const struct vidmm_placement *placement = work->references[work->placed].placement;
        const struct vidmm_listing *listing = vidmm_listing_find(placement, work->device);

        if (listing && listing->state == LISTED_COMING)
            return false;
    }
    process = vidmm_process_find(engine, work->addresses_of);
    return !process || vidmm_process_is_told(engine, process);
}

/* The newest value that it has passed. */
static uint64_t passed(const struct vidmm_paging_queue *queue)
{
    return queue->fence ? queue->fence->fence.value : queue->newest;
}

/* ---- values that paging buffers write -------------------------------------------------------- */

static struct vidmm_paging_queue *queue_of(const struct vidmm_engine *engine,
                                           const struct vidmm_work *work)
{
    return &engine->paging_queues[work->paging_queue];
}

/* Whether paging buffers write the values of the queue. Nobody reads that of a destroyed one. */
static bool is_written(const struct vidmm_paging_queue *queue)
{
    return queue->exists && queue->fences != 0;
}

bool vidmm_paging_queue_is_written(const struct vidmm_engine *engine, uint32_t id)
{
    return id != 0 && is_written(&engine->paging_queues[id]);
}

/* Whether all that the work needs is in paging buffers, submitted or open: no page-in is queued,
 * and its tables are written. */
static bool is_built(const struct vidmm_engine *engine, const struct vidmm_work *work)
{
    const struct vidmm_process *process = vidmm_process_find(engine, work->addresses_of);

    VIDMM_ASSERT(!engine->moves.first && !engine->unmaps.first);
    return !process || (!process->due && !process->tables.old_root);
}

/* Note how far each queue is ready. One write serves no work behind another queue's: what was
 * served first is told first (D-248). */
static void find_ready(struct vidmm_engine *engine)
{
    const struct vidmm_paging_queue *before = NULL;
    const struct vidmm_work *work;

    for (work = engine->arriving.first; work; work = work->next) {
        struct vidmm_paging_queue *queue = queue_of(engine, work);
        bool first = queue->ready <= queue->signaled || queue->ready <= passed(queue);

        if (!is_written(queue))
            continue;
        if (queue->ready < passed(queue))
            queue->ready = passed(queue);
        if ((first || before == queue) && work->value == queue->ready + 1 &&
            work->status == STATUS_SUCCESS && is_built(engine, work))
            queue->ready = work->value;
        before = queue;
    }
}

enum vidmm_progress vidmm_paging_queue_signal(struct vidmm_engine *engine)
{
    const struct vidmm_work *work;

    if (!engine->arriving.first || vidmm_reset_rests(engine)) /* U1 */
        return PROGRESS_IDLE;
    find_ready(engine);
    for (work = engine->arriving.first; work; work = work->next) {
        struct vidmm_paging_queue *queue = queue_of(engine, work);
        struct vidmm_placement *placement = vidmm_placement_find(engine, queue->fences);

        if (!is_written(queue) || queue->signaling != 0 || queue->ready <= queue->signaled ||
            queue->ready <= passed(queue) || !vidmm_fence_signal_may_begin(placement))
            continue;
        vidmm_fence_signal_begin(engine, placement, work->paging_queue); /* I9 */
        return PROGRESS_MADE;
    }
    return PROGRESS_IDLE;
}

/* Whether the value of the work may be told: it is written, or it is the CPU that writes it. */
static bool may_end(const struct vidmm_engine *engine, const struct vidmm_work *work)
{
    const struct vidmm_paging_queue *queue = queue_of(engine, work);

    if (queue->signaling != 0)
        return false; /* I9 */
    return work->status != STATUS_SUCCESS || !is_written(queue) || queue->signaled >= work->value;
}

bool vidmm_paging_queue_serve(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->arriving.first, *before = NULL;

    for (; work; work = work->next) {
        NTSTATUS status = vidmm_device_record_status(engine, work->device);
        bool next = work->value == passed(queue_of(engine, work)) + 1; /* I8 */

        if (work->status == STATUS_SUCCESS)
            work->status = status;
        next = next && may_end(engine, work);
        if (next && (work->status != STATUS_SUCCESS || has_arrived(engine, work))) {
            vidmm_works_remove(&engine->arriving, before, work);
            vidmm_works_add(&engine->retired, work);
            return true;
        }
        before = work;
    }
    engine->arrivals_may_go = false;
    return false;
}

void vidmm_paging_queue_end(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    struct vidmm_paging_queue *queue = &engine->paging_queues[work->paging_queue];
    struct vidmm_operation *signal;

    VIDMM_ASSERT(work->value == passed(queue) + 1 && work->value <= queue->newest); /* I8 */
    VIDMM_ASSERT(queue->signaling == 0 || queue->signaling > work->value);          /* I9 */
    vidmm_monitored_fence_signal(&queue->fence->fence, work->value);
    VIDMM_ASSERT(queue->works > 0);
    queue->works--;
    engine->arrivals_may_go = true; /* the next of the queue */
    end_fence(engine, queue);
    if (!queue->exists)
        return;
    signal = vidmm_emit(engine, VIDMM_DO_SIGNAL);
    signal->signal.queue = work->paging_queue;
    signal->signal.value = work->value;
    signal->signal.status = (uint32_t)work->status;
}

uint64_t vidmm_engine_paging_fence(const struct vidmm_engine *engine, uint32_t queue)
{
    const struct vidmm_paging_queue *found = vidmm_paging_queue_find(engine, queue);

    return found ? passed(found) : 0;
}

void vidmm_paging_queue_check(const struct vidmm_engine *engine)
{
    const struct vidmm_work *work;
    uint32_t id;

    for (id = 0; id < engine->paging_queue_capacity; id++) {
        const struct vidmm_paging_queue *queue = &engine->paging_queues[id];

        VIDMM_VERIFY(queue->newest - passed(queue) == queue->works); /* I8 */
        VIDMM_VERIFY(queue->signaling == 0 ||
                     (queue->works > 0 && queue->signaling > passed(queue) &&
                      queue->signaling <= queue->newest)); /* I9 */
    }
    for (work = engine->arriving.first; work; work = work->next) {
        VIDMM_VERIFY(work->paging_queue < engine->paging_queue_capacity && !work->queue);
        VIDMM_VERIFY(work->value > passed(&engine->paging_queues[work->paging_queue])); /* I8 */
    }
}
