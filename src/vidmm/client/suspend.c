/* suspend.c: processes are suspended, and resumed, because a test says so.
 *
 * The engine suspends devices by a number, which is that of the suspension: all devices of the
 * process have it, and go on together.
 *
 * Source: D3DKMT_VIDMM_ESCAPE.
 */
#include "vidmm/client/suspend.h"

#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/plan.h>
#include <vidmm/suspend.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

/* ---- questions ------------------------------------------------------------------------------- */

bool vidmm_device_is_suspended(const struct vidmm_device *device)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(device->adapter));
    return vidmm_engine_suspension(device->adapter->engine, device->id, NULL) != 0;
}

bool vidmm_context_is_suspended(const struct vidmm_context *context)
{
    return vidmm_device_is_suspended(context->device) &&
           vidmm_engine_context_waits(context->device->adapter->engine, context->id);
}

/* The next device of the process, behind `device`; NULL: the first. */
static struct vidmm_device *next_of(const struct vidmm_adapter *adapter, uint64_t process,
                                    const struct vidmm_device *device)
{
    struct vidmm_device *next = device ? device->next : adapter->devices;

    while (next && (next->system || next->process != process))
        next = next->next;
    return next;
}

/* One that is suspended. NULL: the process is not. */
static struct vidmm_device *find_suspended(const struct vidmm_adapter *adapter, uint64_t process)
{
    struct vidmm_device *device = next_of(adapter, process, NULL);

    while (device && !vidmm_device_is_suspended(device))
        device = next_of(adapter, process, device);
    return device;
}

/* ---- suspensions ----------------------------------------------------------------------------- */

/* Take the mutex, if the adapter is at work. */
static NTSTATUS begin(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    vidmm_adapter_lock(adapter);
    if (!adapter->stopped)
        return STATUS_SUCCESS;
    vidmm_report_stopped(adapter, report);
    vidmm_adapter_unlock(adapter);
    return STATUS_DEVICE_REMOVED;
}

/* A device in error stays as it is. The mutex is held. */
static bool suspend(struct vidmm_device *device, uint32_t suspension, bool wakes)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUSPEND_DEVICE, .device = device->id};

    event.test.suspension = suspension;
    event.test.wakes = wakes;
    return vidmm_pump_step(device->adapter, &event) == STATUS_SUCCESS;
}

NTSTATUS vidmm_process_suspend(struct vidmm_adapter *adapter, uint64_t process, bool wakes,
                               struct vidmm_report *report)
{
    NTSTATUS status = begin(adapter, report);
    struct vidmm_device *device = NULL;
    bool any = false;

    if (status != STATUS_SUCCESS)
        return status;
    if (find_suspended(adapter, process)) {
        vidmm_adapter_unlock(adapter);
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "process", process,
                                    "it is suspended already");
    }
    adapter->suspensions += adapter->suspensions == UINT32_MAX ? 2 : 1; /* 0 is none */
    while ((device = next_of(adapter, process, device)) != NULL)
        any |= suspend(device, adapter->suspensions, wakes);
    vidmm_pump_and_unlock(adapter);
    return any ? STATUS_SUCCESS
               : vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "process", process,
                                      "it has no device on this adapter that is not in error");
}

/* The mutex is held. */
static void resume(struct vidmm_device *device)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RESUME_DEVICES};

    event.test.suspension = vidmm_engine_suspension(device->adapter->engine, device->id, NULL);
    vidmm_pump_step(device->adapter, &event);
}

NTSTATUS vidmm_process_resume(struct vidmm_adapter *adapter, uint64_t process,
                              struct vidmm_report *report)
{
    NTSTATUS status = begin(adapter, report);
    struct vidmm_device *device;

    if (status != STATUS_SUCCESS)
        return status;
    device = find_suspended(adapter, process);
    if (device)
        resume(device);
    vidmm_pump_and_unlock(adapter);
    return device ? STATUS_SUCCESS
                  : vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "process", process,
                                         "it is not suspended");
}

void vidmm_suspend_like_others(struct vidmm_device *device)
{
    const struct vidmm_device *other =
        device->system ? NULL : find_suspended(device->adapter, device->process);
    bool wakes;
    uint32_t suspension;

    if (!other)
        return;
    suspension = vidmm_engine_suspension(device->adapter->engine, other->id, &wakes);
    suspend(device, suspension, wakes);
}

/* ---- waiting for what is queued -------------------------------------------------------------- */

struct waiting {
    const struct vidmm_device *device;
    bool (*done)(void *argument);
    void *argument;
};

static bool is_done_or_suspended(void *argument)
{
    const struct waiting *waiting = argument;
    bool suspended;

    if (waiting->done(waiting->argument))
        return true;
    vidmm_adapter_lock(waiting->device->adapter);
    suspended = vidmm_device_is_suspended(waiting->device);
    vidmm_adapter_unlock(waiting->device->adapter);
    return suspended;
}

void vidmm_wait_for_work(struct vidmm_device *device, bool (*done)(void *argument), void *argument)
{
    const struct vidmm_host *host = device->adapter->host;
    struct waiting waiting = {device, done, argument};

    while (!done(argument)) {
        vidmm_adapter_lock(device->adapter);
        if (vidmm_device_is_suspended(device))
            resume(device);
        vidmm_pump_and_unlock(device->adapter);
        host->wait(host->context, is_done_or_suspended, &waiting, UINT64_MAX);
    }
}
