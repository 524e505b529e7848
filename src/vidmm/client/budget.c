/* budget.c: budgets of processes, and requests to trim, as programs ask for them.
 *
 * The engine counts and decides; the pump notes its requests at the device, where they stand until
 * the program takes them.
 *
 * Source: D3DKMT_QUERYVIDEOMEMORYINFO, D3DKMT_CHANGEVIDEOMEMORYRESERVATION,
 * D3DDDI_TRIMRESIDENCYSET_FLAGS; rules D-204 to D-207.
 */
#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/paging_queue.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

/* ---- budgets --------------------------------------------------------------------------------- */

/* The engine's number of a process. 0: it has no device here. The mutex is held. */
static uint32_t find_process(const struct vidmm_adapter *adapter, uint64_t number)
{
    const struct vidmm_process *process = adapter->processes;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    while (process && (process->system || process->process != number))
        process = process->next;
    return process ? process->id : 0;
}

/* Take the mutex, and find the process. Refused: the mutex is not held. */
static NTSTATUS begin(struct vidmm_adapter *adapter, uint64_t number,
                      enum vidmm_segment_group group, uint32_t *process,
                      struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (!vidmm_residency_is_explicit(adapter, report))
        return STATUS_NOT_SUPPORTED;
    if ((uint32_t)group >= VIDMM_SEGMENT_GROUPS) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "group", (uint32_t)group,
                                    "local or non-local, 0 or 1");
    }
    vidmm_adapter_lock(adapter);
    *process = find_process(adapter, number);
    if (adapter->stopped) {
        status = vidmm_report_stopped(adapter, report);
    } else if (*process == 0) {
        status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "process", number,
                                      "it has no device on this adapter");
    }
    if (status != STATUS_SUCCESS)
        vidmm_adapter_unlock(adapter);
    return status;
}

NTSTATUS vidmm_query_video_memory(struct vidmm_adapter *adapter, uint64_t process,
                                  enum vidmm_segment_group group, struct vidmm_budget_info *info,
                                  struct vidmm_report *report)
{
    uint32_t id;
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report) || vidmm_report_null(info, "info", report))
        return STATUS_INVALID_PARAMETER;
    status = begin(adapter, process, group, &id, report);
    if (status != STATUS_SUCCESS)
        return status;
    *info = vidmm_engine_budget(adapter->engine, id, group); /* obeys D-206 */
    vidmm_adapter_unlock(adapter);
    return status;
}

static NTSTATUS set(struct vidmm_adapter *adapter, uint64_t process, struct vidmm_event *event,
                    const char *legal, struct vidmm_report *report)
{
    NTSTATUS status = begin(adapter, process, (enum vidmm_segment_group)event->budget.group,
                            &event->budget.process, report);

    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_pump_step(adapter, event);
    vidmm_pump_and_unlock(adapter);
    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "size", event->budget.size, legal);
}

NTSTATUS vidmm_reserve_video_memory(struct vidmm_adapter *adapter, uint64_t process,
                                    enum vidmm_segment_group group, uint64_t size,
                                    struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RESERVE};

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    event.budget.group = (uint32_t)group;
    event.budget.size = size;
    return set(adapter, process, &event,
               "0 to AvailableForReservation, what the others have not reserved (D-206)", report);
}

NTSTATUS vidmm_set_budget(struct vidmm_adapter *adapter, uint64_t process,
                          enum vidmm_segment_group group, uint64_t size,
                          struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_BUDGET};

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    event.budget.group = (uint32_t)group;
    event.budget.size = size;
    return set(adapter, process, &event, "0 to the bytes of the group, or 2^64 - 1", report);
}

/* ---- trims ----------------------------------------------------------------------------------- */

NTSTATUS vidmm_trim_periodic(struct vidmm_adapter *adapter, bool restart,
                             struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_TRIM};
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_residency_is_explicit(adapter, report))
        return STATUS_NOT_SUPPORTED;
    event.trim.restart = restart;
    status = vidmm_pump_event(adapter, &event);
    return status == STATUS_SUCCESS ? status
                                    : vidmm_report_refusal(report, status, "restart", restart,
                                                           "the adapter has stopped");
}

bool vidmm_trim_take(struct vidmm_device *device, struct vidmm_trim_request *request)
{
    vidmm_adapter_lock(device->adapter);
    *request = (struct vidmm_trim_request){.flags = device->trim};
    if ((device->trim & VIDMM_TRIM_TO_BUDGET) != 0)
        request->bytes_to_trim = device->bytes_to_trim;
    device->trim = 0;
    device->bytes_to_trim = 0;
    vidmm_adapter_unlock(device->adapter);
    return request->flags != 0;
}

static bool is_asked(void *argument)
{
    const struct vidmm_device *device = argument;
    bool asked;

    vidmm_adapter_lock(device->adapter);
    asked = device->trim != 0 || device->adapter->stopped;
    vidmm_adapter_unlock(device->adapter);
    return asked;
}

NTSTATUS vidmm_trim_wait(struct vidmm_device *device, struct vidmm_trim_request *request)
{
    const struct vidmm_host *host = device->adapter->host;

    *request = (struct vidmm_trim_request){0, 0};
    if (!vidmm_residency_is_explicit(device->adapter, NULL))
        return STATUS_NOT_SUPPORTED;
    if (!host->wait(host->context, is_asked, device, UINT64_MAX))
        return STATUS_TIMEOUT;
    return vidmm_trim_take(device, request) ? STATUS_SUCCESS : STATUS_DEVICE_REMOVED;
}

NTSTATUS vidmm_trim_notify(struct vidmm_device *device, const struct vidmm_trim_notice *notice,
                           struct vidmm_report *report)
{
    static const struct vidmm_trim_notice none = {0};

    if (vidmm_report_null(device, "device", report))
        return STATUS_INVALID_PARAMETER;
    if (notice && vidmm_report_null((const void *)(uintptr_t)notice->asked, "asked", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_residency_is_explicit(device->adapter, report))
        return STATUS_NOT_SUPPORTED;
    vidmm_adapter_lock(device->adapter);
    device->trim_notice = notice ? *notice : none;
    if (notice && device->trim != 0)
        notice->asked(notice->argument);
    vidmm_adapter_unlock(device->adapter);
    return STATUS_SUCCESS;
}
