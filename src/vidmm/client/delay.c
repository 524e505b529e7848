/* delay.c: what the manager does later, or by the clock, because a test says so.
 *
 * Source: D3DKMT_VIDMM_ESCAPE.
 */
#include <vidmm/delay.h>

#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/paging_queue.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/pump.h"

/* least: of the legal times. */
static NTSTATUS check_time(const char *name, uint64_t ns, uint64_t least,
                           struct vidmm_report *report)
{
    if (ns >= least && ns <= VIDMM_LONGEST_DELAY_NS)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, name, ns,
                                least != 0 ? "1 to 60000000000 nanoseconds, a minute"
                                           : "0 to 60000000000 nanoseconds, a minute");
}

NTSTATUS vidmm_paging_queue_delay(struct vidmm_paging_queue *queue, uint64_t ns,
                                  struct vidmm_residency_result *result,
                                  struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DELAY};
    struct vidmm_residency_result ours;
    NTSTATUS status;

    result = result ? result : &ours;
    *result = (struct vidmm_residency_result){0, 0};
    if (vidmm_report_null(queue, "queue", report))
        return STATUS_INVALID_PARAMETER;
    status = check_time("ns", ns, 1, report);
    if (status != STATUS_SUCCESS)
        return status;
    event.test.queue = queue->id;
    event.test.time_ns[0] = ns;
    vidmm_adapter_lock(queue->device->adapter);
    status = vidmm_residency_ask(queue->device, queue, &event, result);
    vidmm_pump_and_unlock(queue->device->adapter);
    return vidmm_residency_refuse(queue->device, status, result, 0, report);
}

/* Tell the engine of what counts from here on. Its times are legal. */
static NTSTATUS tell(struct vidmm_adapter *adapter, struct vidmm_event *event, const char *name,
                     uint64_t ns, struct vidmm_report *report)
{
    NTSTATUS status = vidmm_pump_event(adapter, event);

    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, name, ns, "the adapter has stopped");
}

NTSTATUS vidmm_delay_evictions(struct vidmm_adapter *adapter, uint64_t ns,
                               struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICTION_DELAY};
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_residency_is_explicit(adapter, report))
        return STATUS_NOT_SUPPORTED;
    status = check_time("ns", ns, 0, report);
    event.test.time_ns[0] = ns;
    return status == STATUS_SUCCESS ? tell(adapter, &event, "ns", ns, report) : status;
}

NTSTATUS vidmm_trim_intervals(struct vidmm_adapter *adapter, uint64_t minimum_ns,
                              uint64_t maximum_ns, uint64_t idle_ns, struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_TRIM_INTERVALS};
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_residency_is_explicit(adapter, report))
        return STATUS_NOT_SUPPORTED;
    status = check_time("maximum_ns", maximum_ns, 0, report);
    if (status == STATUS_SUCCESS)
        status = check_time("idle_ns", idle_ns, 0, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (minimum_ns > maximum_ns || (minimum_ns == 0 && maximum_ns != 0))
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "minimum_ns", minimum_ns,
                                    "1 to maximum_ns, or both 0");
    event.test.time_ns[0] = minimum_ns;
    event.test.time_ns[1] = maximum_ns;
    event.test.time_ns[2] = idle_ns;
    return tell(adapter, &event, "minimum_ns", minimum_ns, report);
}
