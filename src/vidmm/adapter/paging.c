/* paging.c: what pages: the system's process, devices and context, and the paging buffers.
 *
 *     below 2.0, and physical         bootstrap buffer: contiguous system memory, id 1
 *                                     (2.x: CreateProcess,) system device (two), system context
 *                                     paging buffers in their aperture, mapped by operations in
 *                                     the bootstrap buffer
 *     with GPU virtual addresses      paging buffers: system memory, which the engine knows nothing
 *                                     of; CreateProcess, two system devices, system context
 *                                     page tables of the paging process, SetRootPageTable
 *                                     the same from CreateProcess on, whenever power is back: what
 *                                     was there is destroyed first, paging buffers stay
 *
 * The bootstrap buffer exists because the first MapApertureSegment must be written into some
 * buffer, and the others cannot be fetched from an aperture that does not show them yet.
 *
 * Source: "System paging process", measured starts; rules D-012, D-286, D-290, W-002, W-006, W-017.
 */
#include "vidmm/adapter/paging.h"

#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/plan.h>
#include <vidmm/test_fault.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/device.h"
#include "vidmm/client/lock_word.h"
#include "vidmm/client/space.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/alone.h"
#include "vidmm/pump/command_place.h"
#include "vidmm/pump/pump.h"
#include "vidmm/pump/state.h"

#include "wddm/rule.h"

#define BOOTSTRAP 1u
#define PAGING_PROCESS 1u /* its id in events: it is the first process that there is */

static NTSTATUS use_paging_buffers(struct vidmm_adapter *adapter, uint32_t first, uint32_t count)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGING_BUFFERS};

    event.paging_buffers.first = first;
    event.paging_buffers.count = count;
    return vidmm_pump_event(adapter, &event);
}

/* A step that only memory, or the pump, can refuse. */
static NTSTATUS tell(const struct vidmm_adapter *adapter, NTSTATUS status,
                     struct vidmm_report *report)
{
    const char *why = adapter->stopped ? adapter->stop_report.text
                                       : "paging buffers: no room, or the driver refused";

    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "status of setting up paging",
                                      (uint32_t)status, why);
}

/* From 2.0 on Windows lets the driver come this far. */
VIDMM_SEES(W_002);
static NTSTATUS check_paging_segment(const struct vidmm_adapter *adapter,
                                     struct vidmm_report *report)
{
    uint32_t segment = adapter->miniport->paging_segment;
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[segment & 31].info.flags};

    if (segment == 0 || flags.Aperture)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, "PagingBufferSegmentId",
                                segment,
                                "it is 0 or names an aperture segment; with a memory segment "
                                "Windows takes the adapter down here, behind DxgkDdiCreateContext "
                                "(W-002)");
}

/* The system's process, devices and contexts. Why the adapter has stopped meanwhile goes before why
 * the call was refused. */
static NTSTATUS create_system(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = vidmm_system_device_create(adapter, report);

    if (status != STATUS_SUCCESS && adapter->stopped)
        return tell(adapter, status, report);
    return status == STATUS_SUCCESS ? check_paging_segment(adapter, report) : status;
}

/* obeys D-286 */
static NTSTATUS start_physical(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    uint32_t set =
        adapter->miniport->paging_segment == 0 ? 0 : 1u << (adapter->miniport->paging_segment - 1);
    uint32_t index;
    NTSTATUS status = vidmm_paging_memory_init(adapter, BOOTSTRAP, 0);

    if (status == STATUS_SUCCESS)
        status = use_paging_buffers(adapter, BOOTSTRAP, 1);
    if (status != STATUS_SUCCESS)
        return tell(adapter, status, report);
    status = create_system(adapter, report);
    if (status != STATUS_SUCCESS)
        return status;
    for (index = 1; index <= adapter->options.paging_buffers && status == STATUS_SUCCESS; index++)
        status = vidmm_paging_memory_init(adapter, BOOTSTRAP + index, set);
    if (status == STATUS_SUCCESS)
        status = use_paging_buffers(adapter, BOOTSTRAP + 1, adapter->options.paging_buffers);
    if (status == STATUS_SUCCESS)
        status = vidmm_own_page_init(adapter);
    return tell(adapter, status, report);
}

/* The paging process is the engine's from here on; its tables stay as they were written. Nothing,
 * where the engine writes no page tables. */
static NTSTATUS begin_paging_process(struct vidmm_adapter *adapter)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    if (!vidmm_ddi_has_addresses(adapter))
        return STATUS_SUCCESS;
    vidmm_adapter_lock(adapter);
    adapter->system_process->id = PAGING_PROCESS;
    vidmm_adapter_unlock(adapter);
    event.process.process = PAGING_PROCESS;
    event.process.paging = VIDMM_PROCESS_PAGING;
    return vidmm_pump_event(adapter, &event);
}

/* With the CPU's page tables the GPU fetches paging buffers by the PASID of the paging process, at
 * the addresses of the CPU. */
static NTSTATUS share_buffers(struct vidmm_adapter *adapter, uint32_t count)
{
    const struct vidmm_host *host = adapter->host;
    uint32_t pasid = adapter->system_process->pasid, id;

    for (id = BOOTSTRAP; id < BOOTSTRAP + count && pasid != 0; id++) {
        const struct vidmm_backing *backing = &adapter->paging[0][id].memory.backing;
        uint64_t address = (uint64_t)(uintptr_t)backing->address;

        if (!host->reserve_space(host->context, pasid, address, backing->pages))
            return STATUS_NO_MEMORY;
        host->map_space(host->context, pasid, address,
                        (const uint64_t *)(const void *)MmGetMdlPfnArray(backing->mdl), false);
    }
    return STATUS_SUCCESS;
}

/* Before their memory goes. */
static void unshare_buffer(struct vidmm_adapter *adapter, uint32_t id)
{
    const struct vidmm_host *host = adapter->host;

    if (adapter->system_process && adapter->system_process->pasid != 0)
        host->release_space(host->context, adapter->system_process->pasid,
                            (uint64_t)(uintptr_t)adapter->paging[0][id].memory.backing.address);
}

/* obeys D-290, W-006: nothing is submitted, and the GPU finds the buffers by their addresses */
static NTSTATUS start_virtual(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    bool tables = adapter->model == VIDMM_MODEL_GPU_MMU;
    uint32_t count = adapter->options.paging_buffers + 1, id;
    NTSTATUS status = STATUS_SUCCESS;

    for (id = BOOTSTRAP; id < BOOTSTRAP + count && status == STATUS_SUCCESS; id++)
        status = vidmm_paging_memory_init(adapter, id, 0);
    if (status == STATUS_SUCCESS)
        status = use_paging_buffers(adapter, BOOTSTRAP, count);
    if (status != STATUS_SUCCESS)
        return tell(adapter, status, report);
    status = create_system(adapter, report);
    if (status == STATUS_SUCCESS)
        status = tell(adapter, share_buffers(adapter, count), report);
    if (status == STATUS_SUCCESS && tables)
        status = vidmm_paging_tables_take(adapter, report);
    if (status == STATUS_SUCCESS && tables)
        status = vidmm_paging_tables_write(adapter, report);
    if (status != STATUS_SUCCESS || !tables)
        return status;
    vidmm_paging_tables_show(adapter);
    return tell(adapter, begin_paging_process(adapter), report);
}

NTSTATUS vidmm_paging_start(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    return adapter->model == VIDMM_MODEL_PHYSICAL ? start_physical(adapter, report)
                                                  : start_virtual(adapter, report);
}

/* The driver is called alone, as for all that it writes while the engine rests. */
static NTSTATUS write_tables(struct vidmm_adapter *adapter)
{
    NTSTATUS status = vidmm_driver_take(adapter);

    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_paging_tables_write(adapter, NULL); /* obeys D-263 */
    if (status == STATUS_SUCCESS)
        vidmm_paging_tables_show(adapter);
    vidmm_driver_give(adapter);
    return status;
}

/* obeys D-290 */
NTSTATUS vidmm_paging_renew(struct vidmm_adapter *adapter)
{
    NTSTATUS status;

    if (adapter->model != VIDMM_MODEL_GPU_MMU)
        return STATUS_SUCCESS;
    status = vidmm_system_device_renew(adapter);
    vidmm_paging_tables_finish(adapter);
    if (status == STATUS_SUCCESS)
        status = vidmm_paging_tables_take(adapter, NULL);
    return status == STATUS_SUCCESS ? write_tables(adapter) : status;
}

static bool is_still(void *argument)
{
    struct vidmm_adapter *adapter = argument;
    bool still;

    vidmm_adapter_lock(adapter);
    still = vidmm_adapter_is_still(adapter);
    vidmm_adapter_unlock(adapter);
    return still;
}

static bool is_quiet(void *argument)
{
    struct vidmm_adapter *adapter = argument;
    bool quiet;

    vidmm_adapter_lock(adapter);
    quiet = vidmm_adapter_is_still(adapter) || vidmm_engine_is_quiet(adapter->engine);
    vidmm_adapter_unlock(adapter);
    return quiet;
}

/* Nobody keeps other programs from queueing more meanwhile, so the wait is bounded. */
bool vidmm_adapter_wake(struct vidmm_adapter *adapter, bool finish)
{
    vidmm_pump(adapter);
    return !finish || adapter->host->wait(adapter->host->context, is_quiet, adapter,
                                          adapter->options.timeout_ms * UINT64_C(1000000));
}

void vidmm_adapter_check(const struct vidmm_adapter *adapter)
{
    vidmm_adapter_lock(adapter);
    vidmm_engine_check(adapter->engine);
    vidmm_adapter_unlock(adapter);
}

/* From here on each lock asks the engine. */
static void close_all_locks(struct vidmm_adapter *adapter)
{
    struct vidmm_device *device;

    vidmm_adapter_lock(adapter);
    for (device = adapter->devices; device; device = device->next)
        vidmm_lock_close(device);
    vidmm_adapter_unlock(adapter);
}

NTSTATUS vidmm_adapter_set_faults(struct vidmm_adapter *adapter, uint32_t faults,
                                  struct vidmm_report *report)
{
    const uint32_t either = VIDMM_TEST_NEVER_DISCARD | VIDMM_TEST_ALWAYS_DISCARD;
    struct vidmm_event event = {.kind = VIDMM_EVENT_SET_FAULTS};
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    if ((faults & ~(VIDMM_TEST_CLIENT | VIDMM_TEST_ENGINE)) != 0 || (faults & either) == either) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "faults", faults,
                                    "bits of VIDMM_TEST_..., and not both NEVER_DISCARD and "
                                    "ALWAYS_DISCARD");
    }
    event.test.faults = faults & VIDMM_TEST_ENGINE;
    status = vidmm_pump_event(adapter, &event);
    if (status != STATUS_SUCCESS)
        return vidmm_report_refusal(report, status, "faults", faults, "the adapter has stopped");
    atomic_store(&adapter->faults, faults & VIDMM_TEST_CLIENT);
    if ((faults & VIDMM_TEST_COMPLEX_LOCK) != 0)
        close_all_locks(adapter);
    return STATUS_SUCCESS;
}

/* Paging buffers leave when the GPU has done with all of them: obeys S4-043. */
void vidmm_paging_stop(struct vidmm_adapter *adapter)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_STOP};
    uint32_t id;

    adapter->host->wait(adapter->host->context, is_quiet, adapter, UINT64_MAX);
    use_paging_buffers(adapter, BOOTSTRAP, 1);
    vidmm_spaces_finish(adapter);
    if (adapter->pump->own_page.size != 0)
        vidmm_command_memory_finish(adapter, &adapter->pump->own_page);
    for (id = BOOTSTRAP + 1; id < VIDMM_PAGING_BUFFERS; id++)
        if (adapter->paging[0][id].memory.size != 0) {
            unshare_buffer(adapter, id);
            vidmm_paging_memory_finish(adapter, id);
        }
    vidmm_pump_event(adapter, &event);
    adapter->host->wait(adapter->host->context, is_still, adapter, UINT64_MAX);
    vidmm_paging_tables_clear(adapter); /* the driver is given a paging buffer for it, too */
    unshare_buffer(adapter, BOOTSTRAP);
    vidmm_paging_memory_finish(adapter, BOOTSTRAP);
}
