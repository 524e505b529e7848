/* fence.c: monitored fences, as programs have them.
 *
 *     create --> a place in memory --> a number --> the engine knows it --> destroy
 *
 * Flags and devices are judged here, where a refusal can say what is wrong; the engine judges them
 * again, and what only it knows: how far a value is from the newest.
 *
 * Source: D3DKMT_CREATESYNCHRONIZATIONOBJECT2, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU; rules
 * D-185 to D-192.
 */
#include "vidmm/client/fence.h"

#include <stdatomic.h>

#include <vidmm/engine.h>
#include <vidmm/fence.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/fence_page.h"
#include "vidmm/client/paging_queue.h"
#include "vidmm/client/update_batch.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/fence.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/fence_value.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/rule.h"

_Static_assert(sizeof(_Atomic uint64_t) == sizeof(uint64_t), "the CPU reads it as it lies there");

#define PROGRAM_FLAGS                                                                              \
    (VIDMM_FENCE_SHARED | VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_WAIT | VIDMM_FENCE_NO_MAX_VALUE | \
     VIDMM_FENCE_NO_GPU_ACCESS | VIDMM_FENCE_NT_SECURITY_SHARING)
#define REACH UINT64_C(0x7fffffff) /* of a fence of 32 bits: D-185 */

static bool is_of_queue(const struct vidmm_fence *fence)
{
    return (fence->id & VIDMM_PAGING_QUEUE_FENCE) != 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

NTSTATUS vidmm_fence_make(struct vidmm_device *device, uint64_t value, uint32_t flags,
                          struct vidmm_fence **result)
{
    const struct vidmm_host *host = device->adapter->host;
    struct vidmm_fence *fence = vidmm_allocate(host, sizeof(*fence));
    NTSTATUS status;

    if (!fence)
        return STATUS_NO_MEMORY;
    fence->device = device;
    fence->flags = flags;
    status = vidmm_fence_page_take(fence);
    if (status != STATUS_SUCCESS) {
        vidmm_free(host, fence);
        return status;
    }
    atomic_store(vidmm_fence_at(fence), value);
    *result = fence;
    return status;
}

void vidmm_fence_unmake(struct vidmm_fence *fence)
{
    if (!fence)
        return;
    VIDMM_ASSERT(!fence->read_due);
    vidmm_fence_page_release(fence);
    vidmm_free(fence->device->adapter->host, fence);
}

/* Take a number for it, and tell the engine. The mutex is held. */
static NTSTATUS enter(struct vidmm_fence *fence, uint64_t value)
{
    struct vidmm_device *device = fence->device;
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_FENCE, .device = device->id};
    NTSTATUS status = STATUS_DEVICE_REMOVED;
    uint32_t index;

    if (!vidmm_slot_take(&adapter->fences, &adapter->host->memory, fence, VIDMM_HANDLE_FENCE,
                         &index))
        return STATUS_NO_MEMORY;
    fence->id = event.fence_object.fence = index + 1;
    event.fence_object.flags = fence->flags;
    event.fence_object.value = value;
    if (fence->id >= VIDMM_FENCES)
        status = STATUS_NO_MEMORY;
    else if (!adapter->stopped)
        status = vidmm_pump_step(adapter, &event);
    if (status != STATUS_SUCCESS) {
        vidmm_slot_release(&adapter->fences, index);
        return status;
    }
    fence->next = device->fences;
    fence->link = &device->fences;
    if (fence->next)
        fence->next->link = &fence->next;
    device->fences = fence;
    return status;
}

VIDMM_SEES(D_191);
static NTSTATUS check_new(const struct vidmm_adapter *adapter, uint64_t value, uint32_t flags,
                          struct vidmm_report *report)
{
    const uint32_t one_way = VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_WAIT;

    if ((flags & ~PROGRAM_FLAGS) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                    "Shared (1), NoSignal (2), NoWait (4), "
                                    "NoSignalMaxValueOnTdr (8), NoGPUAccess (16), "
                                    "NtSecuritySharing (64)");
    }
    if ((flags & one_way) == one_way) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                    "NoSignal (2) or NoWait (4), not both (D-191)");
    }
    if ((flags & VIDMM_FENCE_NT_SECURITY_SHARING) != 0 && (flags & VIDMM_FENCE_SHARED) == 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                    "NtSecuritySharing (64) with Shared (1) alone (D-191)");
    }
    if (value > UINT32_MAX && (flags & VIDMM_FENCE_NO_GPU_ACCESS) == 0 &&
        vidmm_ddi_fences_are_narrow(adapter)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "value", value,
                                    "at most 0xffffffff: the GPU writes 32 bits (D-185)");
    }
    return STATUS_SUCCESS;
}

/* The flags as the engine is told them. */
static uint32_t engine_flags(const struct vidmm_adapter *adapter, uint32_t flags)
{
    flags &= ~VIDMM_FENCE_NT_SECURITY_SHARING;
    if ((flags & VIDMM_FENCE_NO_GPU_ACCESS) != 0 || !vidmm_fences_are_reached(adapter))
        return flags | VIDMM_FENCE_NO_GPU_ACCESS;
    return vidmm_ddi_fences_are_narrow(adapter) ? flags | VIDMM_FENCE_NARROW : flags;
}

NTSTATUS vidmm_fence_create(struct vidmm_device *device, uint64_t value, uint32_t flags,
                            struct vidmm_fence **result, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_fence *fence = NULL;
    NTSTATUS status;

    if (vidmm_report_null(result, "fence", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_residency_is_explicit(adapter, report))
        return STATUS_NOT_SUPPORTED;
    status = check_new(adapter, value, flags, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_device_condition(device, report);
    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_fence_make(device, value, engine_flags(adapter, flags), &fence);
    if (status == STATUS_SUCCESS) {
        vidmm_adapter_lock(adapter);
        status = enter(fence, value);
        if (status != STATUS_SUCCESS)
            vidmm_fence_unmake(fence);
        vidmm_adapter_unlock(adapter);
    }
    if (status == STATUS_SUCCESS) {
        *result = fence;
        return status;
    }
    if (status == STATUS_NO_MEMORY)
        return vidmm_report_refusal(report, status, "value", value, "no memory for a fence");
    vidmm_device_condition(device, report);
    return status;
}

/* ---- its end --------------------------------------------------------------------------------- */

/* The mutex is held. */
static void destroy(struct vidmm_fence *fence)
{
    struct vidmm_adapter *adapter = fence->device->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_FENCE, .device = fence->device->id};

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter) && !is_of_queue(fence));
    event.fence_object.fence = fence->id;
    vidmm_update_queues_forget_fence(adapter, fence);
    if (!adapter->stopped)
        vidmm_pump_step(adapter, &event);
    *fence->link = fence->next;
    if (fence->next)
        fence->next->link = fence->link;
    vidmm_slot_release(&adapter->fences, fence->id - 1);
    vidmm_fence_unmake(fence);
}

void vidmm_fence_destroy(struct vidmm_fence *fence)
{
    struct vidmm_adapter *adapter;

    if (!fence || is_of_queue(fence) || fence->of_hw_queue)
        return;
    adapter = fence->device->adapter;
    vidmm_adapter_lock(adapter);
    destroy(fence);
    vidmm_pump_and_unlock(adapter);
}

void vidmm_fences_finish(struct vidmm_device *device)
{
    if (!device->fences)
        return;
    vidmm_adapter_lock(device->adapter);
    while (device->fences)
        destroy(device->fences);
    vidmm_pump_and_unlock(device->adapter);
}

/* ---- its value ------------------------------------------------------------------------------- */

uint64_t vidmm_fence_value(struct vidmm_fence *fence)
{
    struct vidmm_adapter *adapter = fence->device->adapter;
    struct vidmm_event event;
    uint64_t value;

    if ((fence->flags & VIDMM_FENCE_NARROW) == 0)
        return atomic_load(vidmm_fence_at(fence));
    vidmm_adapter_lock(adapter);
    vidmm_fence_value_tell(fence, &event);
    if (!adapter->stopped)
        vidmm_pump_step(adapter, &event);
    value = adapter->stopped ? (uint32_t)atomic_load(vidmm_fence_at(fence))
                             : vidmm_engine_fence_value(adapter->engine, fence->id);
    vidmm_pump_and_unlock(adapter);
    return value;
}

const volatile uint64_t *vidmm_fence_address(const struct vidmm_fence *fence)
{
    return (const volatile uint64_t *)fence->page->shown + fence->index;
}

static NTSTATUS check_reach(const struct vidmm_fence *fence, const struct vidmm_device *device,
                            struct vidmm_report *report)
{
    if (!vidmm_fences_are_reached(device->adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "VirtualAddressingSupported",
                                    device->adapter->model,
                                    "the GPU has no addresses at which it finds a fence");
    }
    if (!is_of_queue(fence) && (fence->flags & VIDMM_FENCE_NO_GPU_ACCESS) != 0) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "flags of the fence",
                                    fence->flags, "without NoGPUAccess (16)");
    }
    if (fence->device->adapter != device->adapter ||
        (fence->device->owner != device->owner && (fence->flags & VIDMM_FENCE_SHARED) == 0)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "process of the device",
                                    device->process, "that of the fence, which is not Shared");
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_fence_gpu_address(struct vidmm_fence *fence, struct vidmm_device *device,
                                 uint64_t *address, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    uint64_t found;
    NTSTATUS status;

    if (vidmm_report_null(fence, "fence", report) || vidmm_report_null(address, "address", report))
        return STATUS_INVALID_PARAMETER;
    status = check_reach(fence, device, report);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_adapter_lock(adapter);
    found = vidmm_fence_page_address(fence, device->owner, &status);
    vidmm_pump_and_unlock(adapter);
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "process of the device", device->process,
                                    "there is no memory for its page tables, or the adapter has "
                                    "stopped");
    }
    *address = found;
    return status;
}

/* ---- signals --------------------------------------------------------------------------------- */

static NTSTATUS check_point(const struct vidmm_device *device, const struct vidmm_fence *fence,
                            uint32_t index, bool signals, struct vidmm_report *report)
{
    if (!fence) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a fence", index,
                                    "one that is not NULL");
    }
    if (fence->device->adapter != device->adapter) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a fence", index,
                                    "a fence of the same adapter");
    }
    if (fence->device != device && (fence->flags & VIDMM_FENCE_SHARED) == 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a fence", index,
                                    "a fence of the device, or one that is Shared");
    }
    if ((fence->flags & (signals ? VIDMM_FENCE_NO_SIGNAL : VIDMM_FENCE_NO_WAIT)) != 0) {
        return vidmm_report_refusal(report, STATUS_ACCESS_DENIED, "index of a fence", index,
                                    signals ? "a fence without NoSignal (D-191)"
                                            : "a fence without NoWait (D-191)");
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_fence_points(struct vidmm_device *device, const struct vidmm_fence_point *points,
                            uint32_t count, bool signals, struct vidmm_fence_list_of *list,
                            struct vidmm_event *event, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    if (vidmm_report_null(points, "points", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_residency_is_explicit(device->adapter, report))
        return STATUS_NOT_SUPPORTED;
    if (count == 0 || count > VIDMM_FENCES_AT_ONCE) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "count", count,
                                    "1 to 32 fences at once");
    }
    for (index = 0; index < count && status == STATUS_SUCCESS; index++) {
        const struct vidmm_fence *fence = points[index].fence;

        status = check_point(device, fence, index, signals, report);
        if (status == STATUS_SUCCESS)
            list->values[index] =
                (struct vidmm_fence_value){.fence = fence->id, .value = points[index].value};
    }
    event->device = device->id;
    event->fences.count = count;
    event->fences.values = list->values;
    return status;
}

/* The index of the first fence that does not reach its value; their number: all do. */
static uint32_t find_far(const struct vidmm_adapter *adapter,
                         const struct vidmm_fence_point *points, uint32_t count)
{
    uint32_t index;

    vidmm_adapter_lock(adapter);
    for (index = 0; index < count; index++) {
        uint64_t newest = vidmm_engine_fence_value(adapter->engine, points[index].fence->id);
        uint64_t value = points[index].value;
        uint64_t away = value > newest ? value - newest : newest - value;

        if ((points[index].fence->flags & VIDMM_FENCE_NARROW) != 0 && away > REACH)
            break;
    }
    vidmm_adapter_unlock(adapter);
    return index;
}

NTSTATUS vidmm_fence_refuse(struct vidmm_device *device, const struct vidmm_fence_point *points,
                            uint32_t count, NTSTATUS status, struct vidmm_report *report)
{
    uint32_t far;

    if (status == STATUS_NO_MEMORY)
        return vidmm_report_refusal(report, status, "count", count, "no memory for a record");
    if (vidmm_device_condition(device, report) != STATUS_SUCCESS)
        return status;
    far = find_far(device->adapter, points, count);
    return vidmm_report_refusal(report, status, "value", far < count ? points[far].value : 0,
                                "within 0x7fffffff of the newest: the GPU writes 32 bits (D-185)");
}

NTSTATUS vidmm_fence_signal(struct vidmm_device *device, const struct vidmm_fence_point *points,
                            uint32_t count, struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SIGNAL_FENCES};
    struct vidmm_fence_list_of list;
    NTSTATUS status = vidmm_fence_points(device, points, count, true, &list, &event, report);

    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_pump_event(device->adapter, &event);
    return status == STATUS_SUCCESS ? status
                                    : vidmm_fence_refuse(device, points, count, status, report);
}
