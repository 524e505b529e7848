/* condition.c: whether a device is in error, and whether it still has something to do. */
#include "vidmm/client/condition.h"

#include <vidmm/adapter.h>
#include <vidmm/fence.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/suspend.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"

#include "base/assert.h"

NTSTATUS vidmm_device_condition(const struct vidmm_device *device, struct vidmm_report *report)
{
    NTSTATUS status;

    vidmm_adapter_lock(device->adapter);
    status = device->status;
    if (report && status != STATUS_SUCCESS)
        *report = device->report;
    if (status == STATUS_SUCCESS && device->adapter->stopped)
        status = vidmm_report_stopped(device->adapter, report);
    vidmm_adapter_unlock(device->adapter);
    return status;
}

NTSTATUS vidmm_device_fail(struct vidmm_device *device, struct vidmm_report *report)
{
    struct vidmm_text text;
    NTSTATUS status = STATUS_SUCCESS;

    if (vidmm_report_null(device, "device", report))
        return STATUS_INVALID_PARAMETER;
    vidmm_adapter_lock(device->adapter);
    if (device->adapter->stopped) {
        status = vidmm_report_stopped(device->adapter, report);
    } else if (device->status == STATUS_SUCCESS) {
        device->status = STATUS_INTERNAL_ERROR;
        text = vidmm_report_begin(&device->report);
        vidmm_text_string(&text, "the program has marked the device as in error");
    }
    vidmm_adapter_unlock(device->adapter);
    return status;
}

bool vidmm_device_page_fault(const struct vidmm_device *device, struct vidmm_page_fault *fault)
{
    bool faulted;

    vidmm_adapter_lock(device->adapter);
    faulted = device->page_faulted;
    if (faulted && fault)
        *fault = device->fault;
    vidmm_adapter_unlock(device->adapter);
    return faulted;
}

static bool is_idle(void *argument)
{
    const struct vidmm_device *device = argument;
    const struct vidmm_context *context;
    bool idle = true;

    vidmm_adapter_lock(device->adapter);
    for (context = device->contexts; context && idle; context = context->next)
        idle = !context->rendering && atomic_load(&context->completed) + 1 == context->next_value;
    idle = idle || device->adapter->stopped;
    vidmm_adapter_unlock(device->adapter);
    return idle;
}

void vidmm_device_wait(struct vidmm_device *device)
{
    VIDMM_ASSERT(!device->system);
    vidmm_wait_for_work(device, is_idle, device);
}
