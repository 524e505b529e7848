/* paging_queue.c: the paging queues of devices, as programs have them.
 *
 *     create --> alive --- destroy waits until nothing is pending --> gone
 *                  '------ ... and nothing in the machine can end it --> destroyed --> gone
 *
 * The engine knows a queue until nothing is pending on it, so that its id is not given to another
 * one before. A queue that is destroyed with something pending, on a simulated machine in which
 * nothing goes on, is taken out when its device makes or destroys another one, or goes itself.
 *
 * Invariants (Q), the adapter's mutex held:
 *   Q1  `passed` <= `newest`, and something is pending exactly if they differ.
 *   Q2  A queue is in the list of its device, and in the adapter's table, as long as the engine
 *       knows it.
 *
 * Source: D3DKMT_CREATEPAGINGQUEUE, D3DDDI_DESTROYPAGINGQUEUE; rules D-249, D-250, W-021.
 */
#include "vidmm/client/paging_queue.h"

#include <vidmm/engine.h>
#include <vidmm/fence.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/fence.h"
#include "vidmm/client/pending_map.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/fence.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/report.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/level.h"

bool vidmm_residency_is_explicit(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    if (adapter->level >= VIDMM_LEVEL(2, 0))
        return true;
    vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DriverVersion", adapter->interface_version,
                         "programs say what is resident from WDDM 2.0 on");
    return false;
}

static bool is_pending(const struct vidmm_paging_queue *queue)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(queue->device->adapter));
    VIDMM_ASSERT(atomic_load(&queue->passed) <= queue->newest); /* Q1 */
    return atomic_load(&queue->passed) < queue->newest;
}

/* Take a number for it, and tell the engine. The mutex is held. */
static NTSTATUS enter(struct vidmm_paging_queue *queue, uint32_t priority)
{
    struct vidmm_adapter *adapter = queue->device->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE,
                                .device = queue->device->id};
    NTSTATUS status = STATUS_DEVICE_REMOVED;
    uint32_t index;

    if (!vidmm_slot_take(&adapter->paging_queues, &adapter->host->memory, queue,
                         VIDMM_HANDLE_PAGING_QUEUE, &index))
        return STATUS_NO_MEMORY;
    queue->id = event.paging_queue.queue = index + 1;
    queue->fence->id = VIDMM_PAGING_QUEUE_FENCE | queue->id;
    event.paging_queue.priority = priority;
    if (vidmm_ddi_writes_fences(adapter)) {
        event.paging_queue.fences = queue->fence->page->id;
        event.paging_queue.offset = queue->fence->index * (uint32_t)sizeof(uint64_t);
    }
    if (queue->id >= VIDMM_PAGING_QUEUES)
        status = STATUS_NO_MEMORY;
    else if (!adapter->stopped)
        status = vidmm_pump_step(adapter, &event);
    if (status != STATUS_SUCCESS) {
        vidmm_slot_release(&adapter->paging_queues, index);
        return status;
    }
    queue->next = queue->device->paging_queues; /* Q2 */
    queue->link = &queue->device->paging_queues;
    if (queue->next)
        queue->next->link = &queue->next;
    queue->device->paging_queues = queue;
    return status;
}

/* Take out those that were destroyed and on which nothing is pending; or all of them, for the
 * device goes. The mutex is held. */
static void bury(struct vidmm_device *device, bool all)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_paging_queue *queue = device->paging_queues;

    while (queue) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_PAGING_QUEUE, .device = device->id};
        struct vidmm_paging_queue *next = queue->next;

        if (all || (queue->destroyed && !is_pending(queue))) {
            event.paging_queue.queue = queue->id;
            if (!adapter->stopped)
                vidmm_pump_step(adapter, &event);
            vidmm_pending_map_end(device->owner, queue->id);
            *queue->link = next; /* Q2 */
            if (next)
                next->link = queue->link;
            vidmm_slot_release(&adapter->paging_queues, queue->id - 1);
            vidmm_fence_unmake(queue->fence);
            vidmm_free(adapter->host, queue);
        }
        queue = next;
    }
}

NTSTATUS vidmm_paging_queue_create(struct vidmm_device *device, uint32_t priority,
                                   struct vidmm_paging_queue **result, struct vidmm_report *report)
{
    return vidmm_paging_queue_create_for(device, priority, 0, result, report);
}

NTSTATUS vidmm_paging_queue_create_for(struct vidmm_device *device, uint32_t priority,
                                       uint32_t physical_adapter,
                                       struct vidmm_paging_queue **result,
                                       struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_paging_queue *queue;
    NTSTATUS status;

    if (vidmm_report_null(result, "queue", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_residency_is_explicit(adapter, report))
        return STATUS_NOT_SUPPORTED;
    if (priority > VIDMM_PAGING_QUEUE_ABOVE_NORMAL) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "priority", priority,
                                    "below normal, normal or above normal, 0 to 2");
    }
    if (physical_adapter >= adapter->link_count) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "physical_adapter",
                                    physical_adapter,
                                    "below the number of physical adapters of the link (D-229)");
    }
    queue = vidmm_allocate(adapter->host, sizeof(*queue));
    status = queue ? STATUS_SUCCESS : STATUS_NO_MEMORY;
    if (queue) {
        queue->device = device;
        queue->physical_adapter = physical_adapter;
        queue->newest = VIDMM_FIRST_PAGING_FENCE; /* obeys W-021 */
        atomic_init(&queue->passed, VIDMM_FIRST_PAGING_FENCE);
        status = vidmm_fence_make(device, VIDMM_FIRST_PAGING_FENCE, VIDMM_FENCE_NO_SIGNAL,
                                  &queue->fence); /* obeys D-247 */
    }
    if (status == STATUS_SUCCESS) {
        vidmm_adapter_lock(adapter);
        bury(device, false);
        status = enter(queue, priority);
        if (status != STATUS_SUCCESS)
            vidmm_fence_unmake(queue->fence);
        vidmm_adapter_unlock(adapter);
    }
    if (status == STATUS_SUCCESS) {
        *result = queue;
        return status;
    }
    vidmm_free(adapter->host, queue);
    if (status == STATUS_NO_MEMORY) {
        return vidmm_report_refusal(report, status, "priority", priority,
                                    "no memory for a paging queue, or the adapter has 65535");
    }
    vidmm_device_condition(device, report);
    return status;
}

static bool is_idle(void *argument)
{
    const struct vidmm_paging_queue *queue = argument;
    struct vidmm_adapter *adapter = queue->device->adapter;
    bool idle;

    vidmm_adapter_lock(adapter);
    idle = !is_pending(queue) || adapter->stopped;
    vidmm_adapter_unlock(adapter);
    return idle;
}

void vidmm_paging_queue_destroy(struct vidmm_paging_queue *queue)
{
    struct vidmm_adapter *adapter;

    if (!queue)
        return;
    adapter = queue->device->adapter;
    vidmm_pump(adapter);
    adapter->host->wait(adapter->host->context, is_idle, queue, UINT64_MAX); /* obeys D-249 */
    vidmm_adapter_lock(adapter);
    VIDMM_ASSERT(!queue->destroyed);
    queue->destroyed = true;
    bury(queue->device, false);
    vidmm_adapter_unlock(adapter);
}

static bool nothing_is_pending(void *argument)
{
    const struct vidmm_device *device = argument;
    const struct vidmm_paging_queue *queue;
    bool pending = false;

    vidmm_adapter_lock(device->adapter);
    for (queue = device->paging_queues; queue && !pending; queue = queue->next)
        pending = is_pending(queue);
    pending = pending && !device->adapter->stopped;
    vidmm_adapter_unlock(device->adapter);
    return !pending;
}

void vidmm_paging_queues_finish(struct vidmm_device *device)
{
    const struct vidmm_host *host = device->adapter->host;

    if (!device->paging_queues)
        return;
    vidmm_pump(device->adapter);
    host->wait(host->context, nothing_is_pending, device, UINT64_MAX);
    vidmm_adapter_lock(device->adapter);
    bury(device, true);
    vidmm_adapter_unlock(device->adapter);
}

/* ---- the fence ------------------------------------------------------------------------------- */

uint64_t vidmm_paging_queue_passed(const struct vidmm_paging_queue *queue)
{
    return atomic_load_explicit(&queue->passed, memory_order_acquire);
}

const volatile uint64_t *vidmm_paging_queue_fence(const struct vidmm_paging_queue *queue)
{
    return vidmm_fence_address(queue->fence);
}

struct vidmm_fence *vidmm_paging_queue_monitored_fence(const struct vidmm_paging_queue *queue)
{
    return queue->fence;
}

struct waiting {
    const struct vidmm_paging_queue *queue;
    uint64_t value;
};

static bool value_is_passed(void *argument)
{
    const struct waiting *waiting = argument;
    struct vidmm_adapter *adapter = waiting->queue->device->adapter;
    bool over;

    vidmm_adapter_lock(adapter);
    over = adapter->stopped || vidmm_paging_queue_passed(waiting->queue) >= waiting->value;
    vidmm_adapter_unlock(adapter);
    return over;
}

NTSTATUS vidmm_paging_queue_wait(struct vidmm_paging_queue *queue, uint64_t value,
                                 struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = queue->device->adapter;
    struct waiting waiting = {queue, value};
    uint64_t newest;

    vidmm_adapter_lock(adapter);
    newest = queue->newest;
    vidmm_adapter_unlock(adapter);
    if (value > newest) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "value", value,
                                    "at most the newest that the queue has answered");
    }
    adapter->host->wait(adapter->host->context, value_is_passed, &waiting, UINT64_MAX);
    if (vidmm_paging_queue_passed(queue) >= value)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_TIMEOUT, "value", value,
                                "the queue does not come to it, or the adapter has stopped");
}

NTSTATUS vidmm_paging_queue_failure(struct vidmm_paging_queue *queue)
{
    NTSTATUS status;

    vidmm_adapter_lock(queue->device->adapter);
    status = queue->status;
    queue->status = STATUS_SUCCESS;
    vidmm_adapter_unlock(queue->device->adapter);
    return status;
}

/* ---- requests -------------------------------------------------------------------------------- */

NTSTATUS vidmm_residency_ask(struct vidmm_device *device, struct vidmm_paging_queue *queue,
                             struct vidmm_event *event, struct vidmm_residency_result *result)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_residency_answer answer;
    NTSTATUS status;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (adapter->stopped)
        return STATUS_DEVICE_REMOVED;
    status = vidmm_pump_step(adapter, event);
    answer = vidmm_engine_residency_answer(adapter->engine);
    if (status == STATUS_PENDING) {
        VIDMM_ASSERT(queue && answer.value > queue->newest); /* Q1 */
        queue->newest = answer.value;
        result->value = answer.value; /* obeys D-250 */
    }
    if (status == STATUS_SUCCESS || status == STATUS_PENDING || status == STATUS_NO_MEMORY)
        result->bytes_to_trim = answer.bytes_to_trim;
    return status;
}

NTSTATUS vidmm_residency_refuse(const struct vidmm_device *device, NTSTATUS status,
                                const struct vidmm_residency_result *result, uint32_t count,
                                struct vidmm_report *report)
{
    if (status == STATUS_SUCCESS || status == STATUS_PENDING)
        return status;
    if (status == STATUS_NO_MEMORY && result->bytes_to_trim > 0) {
        return vidmm_report_refusal(report, status, "NumBytesToTrim", result->bytes_to_trim,
                                    "so many bytes are to be evicted first (D-196)");
    }
    if (status == STATUS_NO_MEMORY) {
        return vidmm_report_refusal(report, status, "count", count,
                                    "no memory for the records of a residency list");
    }
    if (vidmm_device_condition(device, report) != STATUS_SUCCESS)
        return status;
    return vidmm_report_refusal(report, status, "count", count,
                                "one of the allocations is destroyed");
}
