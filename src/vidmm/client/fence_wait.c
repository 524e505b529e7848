/* fence_wait.c: the CPU waits for monitored fences: a thread that blocks, or a notice.
 *
 *     ask --> waiting --- the engine says WAITED, or the adapter stops --> over
 *                |                                                          |  the thread takes it
 *                '-- the host says that nothing can come: given up          '- or it is told
 *
 * The record outlives a thread that gives up, for the engine still knows the request.
 *
 * Source: D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU; rules D-187, D-188.
 */
#include "vidmm/client/fence_wait.h"

#include <vidmm/fence.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/fence.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/fence.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

/* Its number is free again, and nothing leads to it. The mutex is held. */
static void let_go(struct vidmm_adapter *adapter, struct vidmm_fence_waiting *waiting)
{
    vidmm_slot_release(&adapter->fence_waits, waiting->id - 1);
    vidmm_free(adapter->host, waiting);
}

static void end(struct vidmm_adapter *adapter, struct vidmm_fence_waiting *waiting, NTSTATUS status)
{
    struct vidmm_fence_waiting **last = &adapter->fence_news;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter) && !waiting->over);
    waiting->over = true;
    waiting->status = status;
    adapter->changed = true;
    if (waiting->given_up) {
        let_go(adapter, waiting);
    } else if (waiting->notice) {
        while (*last)
            last = &(*last)->next;
        *last = waiting;
    }
}

void vidmm_fence_waited(struct vidmm_adapter *adapter, uint32_t request, NTSTATUS status)
{
    struct vidmm_fence_waiting *waiting =
        vidmm_slot_find(&adapter->fence_waits, request - 1, VIDMM_HANDLE_FENCE_WAIT);

    VIDMM_ASSERT(waiting);
    end(adapter, waiting, status);
}

bool vidmm_fence_tell(struct vidmm_adapter *adapter)
{
    struct vidmm_fence_waiting *waiting = adapter->fence_news, told;

    if (!waiting)
        return false;
    told = *waiting;
    adapter->fence_news = waiting->next;
    let_go(adapter, waiting);
    vidmm_adapter_unlock(adapter);
    told.notice(told.argument, told.status);
    vidmm_adapter_lock(adapter);
    return true;
}

void vidmm_fence_waits_end(struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->fence_waits.fresh; index++) {
        struct vidmm_fence_waiting *waiting =
            vidmm_slot_find(&adapter->fence_waits, index, VIDMM_HANDLE_FENCE_WAIT);

        if (waiting && !waiting->over)
            end(adapter, waiting, STATUS_DEVICE_REMOVED);
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Have the engine wait. STATUS_PENDING: the record, in *result, is its; otherwise there is none.
 * The mutex is held. */
static NTSTATUS ask_inside(struct vidmm_adapter *adapter, struct vidmm_event *event,
                           const struct vidmm_fence_notice *notice,
                           struct vidmm_fence_waiting **result)
{
    struct vidmm_fence_waiting *waiting = vidmm_allocate(adapter->host, sizeof(*waiting));
    NTSTATUS status = STATUS_NO_MEMORY;
    uint32_t index;

    if (!waiting)
        return status;
    waiting->adapter = adapter;
    if (notice) {
        waiting->notice = notice->over;
        waiting->argument = notice->argument;
    }
    if (vidmm_slot_take(&adapter->fence_waits, &adapter->host->memory, waiting,
                        VIDMM_HANDLE_FENCE_WAIT, &index)) {
        waiting->id = event->fences.request = index + 1;
        status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, event);
        if (status != STATUS_PENDING)
            vidmm_slot_release(&adapter->fence_waits, index);
    }
    if (status != STATUS_PENDING)
        vidmm_free(adapter->host, waiting);
    *result = waiting;
    return status;
}

/* As ask_inside(), with the mutex taken. */
static NTSTATUS ask(struct vidmm_adapter *adapter, struct vidmm_event *event,
                    const struct vidmm_fence_notice *notice, struct vidmm_fence_waiting **result)
{
    NTSTATUS status;

    vidmm_adapter_lock(adapter);
    status = ask_inside(adapter, event, notice, result);
    vidmm_pump_and_unlock(adapter);
    return status;
}

NTSTATUS vidmm_fence_await(struct vidmm_device *device, const struct vidmm_fence *fence,
                           uint64_t value, const struct vidmm_fence_notice *notice)
{
    struct vidmm_fence_value point = {.fence = fence->id, .value = value};
    struct vidmm_event event = {.kind = VIDMM_EVENT_WAIT_FENCES, .device = device->id};
    struct vidmm_fence_waiting *waiting;

    event.fences.count = 1;
    event.fences.values = &point;
    return ask_inside(device->adapter, &event, notice, &waiting);
}

static bool is_over(void *argument)
{
    const struct vidmm_fence_waiting *waiting = argument;
    bool over;

    vidmm_adapter_lock(waiting->adapter);
    over = waiting->over;
    vidmm_adapter_unlock(waiting->adapter);
    return over;
}

/* Wait for its end, or until the host knows that it does not come. */
static NTSTATUS block(struct vidmm_fence_waiting *waiting)
{
    struct vidmm_adapter *adapter = waiting->adapter;
    NTSTATUS status = STATUS_TIMEOUT;

    adapter->host->wait(adapter->host->context, is_over, waiting, UINT64_MAX);
    vidmm_adapter_lock(adapter);
    if (waiting->over) {
        status = waiting->status;
        let_go(adapter, waiting);
    } else {
        waiting->given_up = true;
    }
    vidmm_adapter_unlock(adapter);
    return status;
}

NTSTATUS vidmm_fence_wait_begin(struct vidmm_device *device, const struct vidmm_fence_point *points,
                                uint32_t count, bool any, struct vidmm_fence_waiting **waiting,
                                struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_WAIT_FENCES};
    struct vidmm_fence_list_of list;
    NTSTATUS status;

    if (vidmm_report_null((void *)waiting, "waiting", report))
        return STATUS_INVALID_PARAMETER;
    status = vidmm_fence_points(device, points, count, false, &list, &event, report);
    if (status != STATUS_SUCCESS)
        return status;
    event.fences.any = any ? 1 : 0;
    status = ask(device->adapter, &event, NULL, waiting);
    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        return vidmm_fence_refuse(device, points, count, status, report);
    return status;
}

NTSTATUS vidmm_fence_wait_end(struct vidmm_fence_waiting *waiting, struct vidmm_report *report)
{
    NTSTATUS status;

    if (vidmm_report_null(waiting, "waiting", report))
        return STATUS_INVALID_PARAMETER;
    status = block(waiting);
    if (status == STATUS_SUCCESS)
        return status;
    return vidmm_report_refusal(report, status, "the wait's end", (uint32_t)status,
                                status == STATUS_TIMEOUT
                                    ? "fences whose values can still come"
                                    : "fences that live, of a device and an adapter that work");
}

NTSTATUS vidmm_fence_wait(struct vidmm_device *device, const struct vidmm_fence_point *points,
                          uint32_t count, bool any, struct vidmm_report *report)
{
    struct vidmm_fence_waiting *waiting;
    NTSTATUS status = vidmm_fence_wait_begin(device, points, count, any, &waiting, report);

    return status == STATUS_PENDING ? vidmm_fence_wait_end(waiting, report) : status;
}

NTSTATUS vidmm_fence_notify(struct vidmm_device *device, const struct vidmm_fence_point *points,
                            uint32_t count, bool any, const struct vidmm_fence_notice *notice,
                            struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_WAIT_FENCES};
    struct vidmm_fence_waiting *waiting;
    struct vidmm_fence_list_of list;
    NTSTATUS status;

    if (vidmm_report_null(notice, "notice", report) ||
        vidmm_report_null((const void *)(uintptr_t)notice->over, "over", report))
        return STATUS_INVALID_PARAMETER;
    status = vidmm_fence_points(device, points, count, false, &list, &event, report);
    if (status != STATUS_SUCCESS)
        return status;
    event.fences.any = any ? 1 : 0;
    status = ask(device->adapter, &event, notice, &waiting);
    if (status == STATUS_PENDING)
        return STATUS_SUCCESS;
    if (status != STATUS_SUCCESS)
        return vidmm_fence_refuse(device, points, count, status, report);
    notice->over(notice->argument, STATUS_SUCCESS);
    return status;
}
