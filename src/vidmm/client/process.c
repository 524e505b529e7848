/* process.c: the processes that have devices on an adapter, as the miniport is told of them.
 *
 * Source: DXGKARG_CREATEPROCESS; rules D-225, D-264, W-008.
 */
#include "vidmm/client/process.h"

#include <vidmm/engine.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/fence_page.h"
#include "vidmm/client/space.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/process.h"
#include "vidmm/ddi/turn.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"
#include "vidmm/object/report.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/pump.h"

#include "wddm/level.h"
#include "wddm/rule.h"

/* The process with its number of devices counted; NULL: there is none. */
static struct vidmm_process *find(struct vidmm_adapter *adapter, uint64_t number, bool system)
{
    struct vidmm_process *process;

    vidmm_adapter_lock(adapter);
    for (process = adapter->processes; process; process = process->next)
        if (process->process == number && process->system == system)
            break;
    if (process)
        process->devices++;
    vidmm_adapter_unlock(adapter);
    return process;
}

#define IDS_IN_TURN 1024u /* a number is not given again before so many others were */

static bool is_taken(const struct vidmm_process *process, uint32_t id)
{
    while (process && !vidmm_process_has(process, id))
        process = process->next;
    return process != NULL;
}

uint32_t vidmm_process_free_id(struct vidmm_adapter *adapter)
{
    uint32_t id = adapter->last_process % IDS_IN_TURN + 1;

    while (is_taken(adapter->processes, id) || is_taken(adapter->gone_processes, id))
        id++;
    adapter->last_process = id;
    return id;
}

/* Forget those that are gone and of which nothing is to be written any more. The mutex is held. */
static void forget_gone(struct vidmm_adapter *adapter, bool all)
{
    struct vidmm_process **link = &adapter->gone_processes, *process;

    while ((process = *link) != NULL) {
        if (!all && adapter->engine &&
            (vidmm_engine_has_process(adapter->engine, process->id) ||
             vidmm_engine_has_process(adapter->engine, process->space) ||
             vidmm_engine_has_process(adapter->engine, process->lost_space))) {
            link = &process->next;
            continue;
        }
        *link = process->next;
        vidmm_free(adapter->host, process);
    }
}

void vidmm_processes_finish(struct vidmm_adapter *adapter)
{
    forget_gone(adapter, true);
}

/* Give it a number and a place in the list. False: no memory, or there are too many. */
static bool enter(struct vidmm_process *process)
{
    struct vidmm_adapter *adapter = process->adapter;
    uint32_t index;
    bool taken;

    vidmm_adapter_lock(adapter);
    forget_gone(adapter, false);
    process->id = process->system ? 0 : vidmm_process_free_id(adapter);
    taken =
        process->id < VIDMM_PROCESSES && vidmm_slot_take(&adapter->handles, &adapter->host->memory,
                                                         process, VIDMM_HANDLE_PROCESS, &index);
    if (taken) {
        process->handle = vidmm_handle_of(adapter->number, index + 1);
        process->next = adapter->processes;
        process->link = &adapter->processes;
        if (process->next)
            process->next->link = &process->next;
        adapter->processes = process;
    }
    vidmm_adapter_unlock(adapter);
    return taken;
}

/* Begin its address space for the GPU, if that uses the CPU's page tables (D-268): before it is in
 * the list, by which addresses are shown and hidden in all processes. False: there are too many. */
static bool open_space(struct vidmm_process *process)
{
    const struct vidmm_host *host = process->adapter->host;

    return process->adapter->model != VIDMM_MODEL_IO_MMU ||
           host->open_space(host->context, &process->pasid);
}

static void close_space(const struct vidmm_adapter *adapter, uint32_t pasid)
{
    if (pasid != 0)
        adapter->host->close_space(adapter->host->context, pasid);
}

static void leave(struct vidmm_process *process)
{
    struct vidmm_adapter *adapter = process->adapter;
    uint32_t pasid = process->pasid;

    vidmm_adapter_lock(adapter);
    *process->link = process->next;
    if (process->next)
        process->next->link = process->link;
    vidmm_slot_release(&adapter->handles, vidmm_handle_id(process->handle) - 1);
    process->next = adapter->gone_processes;
    adapter->gone_processes = process; /* its handle is told on: obeys D-264 */
    forget_gone(adapter, false);
    vidmm_adapter_unlock(adapter);
    close_space(adapter, pasid); /* nobody shows or hides anything in it any more */
}

/* Give a program's process addresses, if the GPU has page tables. */
static NTSTATUS give_addresses(const struct vidmm_process *process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};
    struct vidmm_adapter *adapter = process->adapter;
    NTSTATUS status = STATUS_DEVICE_REMOVED;

    if (process->system || !vidmm_ddi_has_addresses(adapter))
        return STATUS_SUCCESS;
    event.process.process = process->id;
    vidmm_adapter_lock(adapter);
    if (!adapter->stopped)
        status = vidmm_pump_step(adapter, &event);
    vidmm_adapter_unlock(adapter);
    return status;
}

/* Reserve what the miniport has (D-225): no program gets these addresses. */
static NTSTATUS reserve_for_driver(const struct vidmm_process *process)
{
    struct vidmm_adapter *adapter = process->adapter;
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    for (index = 0; !process->system && index < process->range_count && status == STATUS_SUCCESS;
         index++) {
        const struct vidmm_driver_range *range = &process->ranges[index];
        struct vidmm_event event = {.kind = VIDMM_EVENT_RESERVE_ADDRESSES};

        event.addresses.process = process->id;
        event.addresses.state = VIDMM_ADDRESSES_NO_ACCESS;
        event.addresses.base = range->start;
        event.addresses.size = range->end - range->start;
        vidmm_adapter_lock(adapter);
        status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, &event);
        vidmm_adapter_unlock(adapter);
    }
    return status;
}

/* The engine frees them, and its page tables follow. */
static void take_addresses(const struct vidmm_process *process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_PROCESS};
    struct vidmm_adapter *adapter = process->adapter;

    if (process->system || !vidmm_ddi_has_addresses(adapter))
        return;
    event.process.process = process->id;
    vidmm_adapter_lock(adapter);
    if (!adapter->stopped)
        vidmm_pump_step(adapter, &event);
    vidmm_space_end(process);
    vidmm_adapter_unlock(adapter);
}

static NTSTATUS create(struct vidmm_adapter *adapter, uint64_t number, bool system,
                       struct vidmm_process **result, struct vidmm_report *report)
{
    struct vidmm_process *process = vidmm_allocate(adapter->host, sizeof(*process));
    NTSTATUS status;

    if (!process) {
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "the process of the device", number,
                                    "no memory for it");
    }
    process->adapter = adapter;
    process->process = number;
    process->system = system;
    process->devices = 1;
    if (!open_space(process)) {
        vidmm_free(adapter->host, process);
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "the process of the device", number,
                                    "no PASID for its address space");
    }
    if (!enter(process)) {
        close_space(adapter, process->pasid);
        vidmm_free(adapter->host, process);
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "the process of the device", number,
                                    "no memory for it");
    }
    status = vidmm_ddi_create_process(process);
    if (status != STATUS_SUCCESS) {
        leave(process);
        vidmm_report_refusal(report, status, "status of DxgkDdiCreateProcess", (uint32_t)status,
                             system ? "it must take the system process, with NumPasid 1, or "
                                      "Windows does not start the adapter (W-008)"
                                    : "the driver refused the process");
        return vidmm_report_reason(adapter, report, status);
    }
    status = give_addresses(process);
    if (status == STATUS_SUCCESS) {
        status = reserve_for_driver(process);
        if (status != STATUS_SUCCESS)
            take_addresses(process);
    }
    if (status != STATUS_SUCCESS) {
        vidmm_ddi_destroy_process(process);
        leave(process);
        return vidmm_report_refusal(report, status, "the process of the device", number,
                                    "no memory for its addresses, or the adapter has stopped");
    }
    *result = process;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_process_renew(struct vidmm_process *process)
{
    struct vidmm_inside inside;
    NTSTATUS status;

    vidmm_turn_begin(process->adapter, process->process, &inside);
    vidmm_ddi_destroy_process(process);
    process->range_count = 0;
    status = vidmm_ddi_create_process(process);
    vidmm_turn_end(&inside);
    return status;
}

VIDMM_SEES(W_008);
NTSTATUS vidmm_process_take(struct vidmm_adapter *adapter, uint64_t number, bool system,
                            struct vidmm_process **process, struct vidmm_report *report)
{
    struct vidmm_inside inside;
    NTSTATUS status = STATUS_SUCCESS;

    *process = NULL;
    if (adapter->level < VIDMM_LEVEL(2, 0))
        return STATUS_SUCCESS;
    vidmm_turn_begin(adapter, number, &inside); /* one creates it, and the next one finds it */
    *process = find(adapter, number, system);
    if (!*process)
        status = create(adapter, number, system, process, report);
    vidmm_turn_end(&inside);
    return status;
}

void vidmm_process_release(struct vidmm_process *process)
{
    struct vidmm_adapter *adapter;
    struct vidmm_inside inside;
    bool last;

    if (!process)
        return;
    adapter = process->adapter;
    vidmm_turn_begin(adapter, process->process, &inside);
    vidmm_adapter_lock(adapter);
    last = --process->devices == 0;
    vidmm_adapter_unlock(adapter);
    if (last) {
        take_addresses(process);
        vidmm_fence_pages_leave(adapter, process);
        vidmm_ddi_destroy_process(process);
        leave(process);
    }
    vidmm_turn_end(&inside);
    if (last)
        vidmm_pump(adapter);
}
