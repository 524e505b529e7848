/* address_change.c: addresses are reserved, mapped, changed and freed.
 *
 *     MAP_ADDRESSES --> its meaning is known at once, and the process is due
 *                   '-> a work of the paging queue, which names no allocation: it has arrived when
 *                       the process's page tables are written and executed (table_write.c)
 *
 * The meaning comes last, for it may be refused, and cannot be taken back. A submission does not
 * need the value: no packet of a process goes before its page tables (A21).
 */
#include "vidmm/engine/work/address_change.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/paging_queue.h"
#include "vidmm/engine/work/work.h"

/* Whether the event may name the queue. */
static NTSTATUS judge(const struct vidmm_engine *engine, const struct vidmm_event *event,
                      uint32_t *device)
{
    const struct vidmm_paging_queue *queue =
        vidmm_paging_queue_find(engine, event->addresses.queue);

    VIDMM_ASSERT(event->addresses.queue != 0);
    if (!queue || event->kind == VIDMM_EVENT_FREE_ADDRESSES ||
        (engine->devices[queue->device].address_process != event->addresses.process &&
         queue->companion.process != event->addresses.process))
        return STATUS_INVALID_PARAMETER;
    *device = queue->device;
    return vidmm_device_record_status(engine, queue->device);
}

NTSTATUS vidmm_address_change(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_work *work;
    uint32_t device;
    NTSTATUS status;

    engine->answer = (struct vidmm_residency_answer){0, 0};
    if (event->addresses.queue == 0)
        return vidmm_process_change(engine, event);
    status = judge(engine, event, &device);
    if (status == STATUS_SUCCESS)
        status = vidmm_work_check_paging(engine, event->addresses.queue, 0, &work);
    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_process_change(engine, event);
    if (status != STATUS_SUCCESS) {
        vidmm_work_forget(engine, work);
        return status;
    }
    VIDMM_ASSERT(work->count == 0); /* it names no allocation */
    work->addresses_of = event->addresses.process;
    work->value = vidmm_paging_queue_add(engine, event->addresses.queue);
    engine->answer.value = work->value;
    vidmm_work_create_paging(engine, event->addresses.queue, device, work);
    return STATUS_PENDING;
}
