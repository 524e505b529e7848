/* interrupt.c: interrupts, deferred procedure calls, and what the driver reports by them.
 *
 *     device --> InterruptRoutine --> DxgkCbNotifyInterrupt --> the ring of reports
 *                       '-----------> DxgkCbQueueDpc
 *                                          '--> DpcRoutine --> DxgkCbNotifyDpc --> the pump looks
 *                                          at the ring
 *
 * All of this runs at raised levels, beside everything else: nothing here takes the mutex or waits.
 *
 * Invariants
 * I1. One thread at a time writes the ring of a physical adapter (D-349): a second one is told, and
 *     its report is lost.
 * I2. `unqueued` is set only while a routine runs at device level; a report outside of one is told
 *     by D-348.
 * I3. As long as the driver is being started nothing is known of its nodes, messages and displays:
 *     no report is judged by them. It stays in the ring until there is an engine.
 * I4. A report of a node in `silent` is marked: it stops the adapter (D-371). So is a display's
 *     where there is none, and one of a link that names no physical adapter (D-359).
 *
 * Source: DXGKCB_NOTIFY_INTERRUPT, DXGKCB_NOTIFY_DPC, DXGKCB_QUEUE_DPC,
 * DXGKCB_SYNCHRONIZE_EXECUTION, DXGKARGCB_NOTIFY_INTERRUPT_DATA; rules D-348 to D-359, D-371.
 */
#include "vidmm/ddi/interrupt.h"

#include <vidmm/host.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/registry.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

/* ---- routines of the driver at device level -------------------------------------------------- */

/* Before the interrupt routine, or what runs in exclusion with it. */
static void begin_routine(struct vidmm_link *link, uint32_t message)
{
    atomic_store(&link->interrupts.message, message + 1);
}

/* After it. True: it has reported, and has queued no DPC since. */
static bool end_routine(struct vidmm_link *link)
{
    atomic_store(&link->interrupts.message, 0);
    return atomic_exchange(&link->interrupts.unqueued, false);
}

VIDMM_SEES(D_350);
bool vidmm_ddi_interrupt(void *argument, uint32_t message)
{
    struct vidmm_link *link = argument;
    bool ours;

    begin_routine(link, message);
    ours = link->adapter->miniport->driver.DxgkDdiInterruptRoutine(link->h_adapter, message) != 0;
    if (end_routine(link))
        vidmm_seen(link->adapter, VIDMM_RULE_D_350, "DPCs queued after a report", 0);
    return ours;
}

void vidmm_ddi_dpc(void *argument)
{
    struct vidmm_link *link = argument;
    bool owed = atomic_exchange(&link->interrupts.owed, false);

    atomic_store(&link->interrupts.notified, false);
    if (link->adapter->miniport->driver.DxgkDdiDpcRoutine)
        link->adapter->miniport->driver.DxgkDdiDpcRoutine(link->h_adapter);
    if (owed && !atomic_load(&link->interrupts.notified))
        vidmm_seen(link->adapter, VIDMM_RULE_D_350, "calls of NotifyDpc by a DPC", 0);
}

/* The flags of a page fault that the engine knows. */
#define FAULT_FLAGS                                                                                \
    (VIDMM_FAULT_WRITE | VIDMM_FAULT_FENCE_INVALID | VIDMM_FAULT_ADAPTER_RESET |                   \
     VIDMM_FAULT_ENGINE_RESET | VIDMM_FAULT_FATAL)

/* ---- what is reported ------------------------------------------------------------------------ */

/* Whether an engine reports by it; page faults and monitored fences there are from 2.0 on. */
static bool is_of_engine(const struct vidmm_adapter *adapter, uint32_t type)
{
    if (type == DXGK_INTERRUPT_HWQUEUE_PAGE_FAULTED)
        return adapter->miniport->hw_nodes != 0;
    if (type == DXGK_INTERRUPT_DMA_PAGE_FAULTED || type == DXGK_INTERRUPT_MONITORED_FENCE_SIGNALED)
        return adapter->level >= VIDMM_LEVEL(2, 0);
    return type == DXGK_INTERRUPT_DMA_COMPLETED || type == DXGK_INTERRUPT_DMA_PREEMPTED ||
           type == DXGK_INTERRUPT_DMA_FAULTED;
}

static bool is_of_display(uint32_t type)
{
    return type == DXGK_INTERRUPT_CRTC_VSYNC || type == DXGK_INTERRUPT_DISPLAYONLY_VSYNC ||
           type == DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY;
}

/* The mask of a display interrupt's type; 1 for a type that has none. */
static uint32_t display_mask(const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    if (data->InterruptType == DXGK_INTERRUPT_DISPLAYONLY_VSYNC)
        return 1;
    if (!data->Flags.ValidPhysicalAdapterMask)
        return 0;
    return data->InterruptType == DXGK_INTERRUPT_CRTC_VSYNC
               ? data->CrtcVsync.PhysicalAdapterMask
               : data->CrtcVsyncWithMultiPlaneOverlay.PhysicalAdapterMask;
}

/* Why the adapter stops: the report is a display's, and there is none, or it names none of a link's
 * physical adapters. VIDMM_REASON_NONE: neither. */
static uint8_t display_fails(const struct vidmm_adapter *adapter,
                             const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    if (!is_of_display(data->InterruptType) || !atomic_load(&adapter->miniport->known)) /* I3 */
        return VIDMM_REASON_NONE;
    if (adapter->miniport->sources == 0)
        return VIDMM_REASON_DISPLAY_REPORT;
    return vidmm_adapter_is_linked(adapter) && display_mask(data) == 0 ? VIDMM_REASON_DISPLAY_MASK
                                                                       : VIDMM_REASON_NONE;
}

/* Reports that a driver may not make, or not so. */
VIDMM_SEES(D_348);
VIDMM_SEES(D_349);
VIDMM_SEES(D_358);
VIDMM_SEES(D_359);
static void judge_interrupt(const struct vidmm_link *link,
                            const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    struct vidmm_adapter *adapter = link->adapter;
    uint8_t irql = link->host->current_irql(link->host->context);
    uint32_t message = atomic_load(&link->interrupts.message);

    if (irql < VIDMM_DEVICE_LEVEL)
        vidmm_seen(adapter, VIDMM_RULE_D_348, "level of NotifyInterrupt", irql);
    if (message != 0 && atomic_load(&adapter->miniport->known) && /* I3 */
        message - 1 != adapter->miniport->caps.InterruptMessageNumber)
        vidmm_seen(adapter, VIDMM_RULE_D_349, "number of the message that reports", message - 1);
    if (data->InterruptType == DXGK_INTERRUPT_DMA_FAULTED)
        vidmm_seen(adapter, VIDMM_RULE_D_358, "InterruptType", DXGK_INTERRUPT_DMA_FAULTED);
    if (display_fails(adapter, data) != VIDMM_REASON_NONE)
        vidmm_seen(adapter, VIDMM_RULE_D_359, "InterruptType", data->InterruptType);
}

VIDMM_SEES(D_356);
static void judge_engine(struct vidmm_adapter *adapter, uint32_t node, uint32_t engine)
{
    if (atomic_load(&adapter->miniport->known) && node >= adapter->node_count) /* I3 */
        vidmm_seen(adapter, VIDMM_RULE_D_356, "NodeOrdinal", node);
    if (engine >= adapter->link_count) /* one in each physical adapter */
        vidmm_seen(adapter, VIDMM_RULE_D_356, "EngineOrdinal", engine);
}

static bool is_silent(const struct vidmm_adapter *adapter, uint32_t node)
{
    return node < 64 && (atomic_load(&adapter->miniport->silent) >> node & 1) != 0;
}

/* The members of a report by its type. */
static void read_report(struct vidmm_notice *notice, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    *notice = (struct vidmm_notice){.fails = VIDMM_REASON_NONE};
    switch ((int)data->InterruptType) {
    case DXGK_INTERRUPT_DMA_FAULTED:
        notice->faulted = true;
        notice->node = data->DmaFaulted.NodeOrdinal;
        notice->engine = (uint16_t)data->DmaFaulted.EngineOrdinal;
        notice->fence = data->DmaFaulted.FaultedFenceId;
        return;
    case DXGK_INTERRUPT_DMA_PREEMPTED:
        notice->preempted = true;
        notice->node = data->DmaPreempted.NodeOrdinal;
        notice->engine = (uint16_t)data->DmaPreempted.EngineOrdinal;
        notice->fence = data->DmaPreempted.PreemptionFenceId;
        notice->last_completed = data->DmaPreempted.LastCompletedFenceId;
        return;
    case DXGK_INTERRUPT_DMA_PAGE_FAULTED:
        notice->page_faulted = true;
        notice->node = data->DmaPageFaulted.NodeOrdinal;
        notice->engine = (uint16_t)data->DmaPageFaulted.EngineOrdinal;
        notice->fence = data->DmaPageFaulted.FaultedFenceId;
        notice->flags = (uint8_t)((uint32_t)data->DmaPageFaulted.PageFaultFlags & FAULT_FLAGS);
        notice->address = data->DmaPageFaulted.FaultedVirtualAddress;
        return;
    case DXGK_INTERRUPT_HWQUEUE_PAGE_FAULTED:
        notice->page_faulted = notice->queue_faulted = true;
        notice->node = data->HwQueuePageFaulted.NodeOrdinal;
        notice->engine = (uint16_t)data->HwQueuePageFaulted.EngineOrdinal;
        notice->queue = data->HwQueuePageFaulted.FaultedHwQueue;
        notice->progress = data->HwQueuePageFaulted.FaultedFenceId;
        notice->flags = (uint8_t)((uint32_t)data->HwQueuePageFaulted.PageFaultFlags & FAULT_FLAGS);
        notice->address = data->HwQueuePageFaulted.FaultedVirtualAddress;
        return;
    case DXGK_INTERRUPT_MONITORED_FENCE_SIGNALED:
        notice->signaled = true;
        notice->node = data->MonitoredFenceSignaled.NodeOrdinal;
        notice->engine = (uint16_t)data->MonitoredFenceSignaled.EngineOrdinal;
        return;
    case DXGK_INTERRUPT_DMA_COMPLETED:
        notice->node = data->DmaCompleted.NodeOrdinal;
        notice->engine = (uint16_t)data->DmaCompleted.EngineOrdinal;
        notice->fence = data->DmaCompleted.SubmissionFenceId;
        return;
    default:
        VIDMM_ASSERT(false); /* is_of_engine() names no other */
    }
}

VIDMM_SEES(D_371);
static void write_report(const struct vidmm_link *link, struct vidmm_notice *notice,
                         const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    VIDMM_ASSERT(is_of_engine(link->adapter, data->InterruptType));
    read_report(notice, data);
    judge_engine(link->adapter, notice->node, notice->engine);
    if (is_silent(link->adapter, notice->node)) { /* I4 */
        notice->fails = VIDMM_REASON_EARLY_REPORT;
        vidmm_seen(link->adapter, VIDMM_RULE_D_371, "NodeOrdinal", notice->node);
    }
}

/* Only what belongs to the type is read. */
static void take(struct vidmm_link *link, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    struct vidmm_reports *reports = &link->reports;
    uint32_t written = atomic_load_explicit(&reports->written, memory_order_relaxed);
    uint8_t fails = display_fails(link->adapter, data);

    VIDMM_ASSERT(atomic_load(&link->interrupts.reporting) > 0);
    judge_interrupt(link, data);
    if (!is_of_engine(link->adapter, data->InterruptType) && fails == VIDMM_REASON_NONE)
        return;
    if (written - atomic_load_explicit(&reports->read, memory_order_acquire) == REPORTS) {
        atomic_fetch_add(&reports->lost, 1);
        return;
    }
    if (is_of_engine(link->adapter, data->InterruptType))
        write_report(link, &reports->entries[written % REPORTS], data);
    else
        reports->entries[written % REPORTS] = (struct vidmm_notice){.fails = fails};
    atomic_store_explicit(&reports->written, written + 1, memory_order_release);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

static VOID notify_interrupt(HANDLE handle, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    struct vidmm_link *link = vidmm_ddi_called_back(handle);

    if (!link)
        return;
    if (atomic_load(&link->interrupts.message) != 0) /* I2 */
        atomic_store(&link->interrupts.unqueued, true);
    if (atomic_fetch_add(&link->interrupts.reporting, 1) == 0) { /* I1 */
        take(link, data);
    } else {
        vidmm_seen(link->adapter, VIDMM_RULE_D_349, "threads in NotifyInterrupt", 2);
        atomic_fetch_add(&link->reports.lost, is_of_engine(link->adapter, data->InterruptType));
    }
    atomic_fetch_sub(&link->interrupts.reporting, 1);
}

static VOID notify_dpc(HANDLE handle)
{
    struct vidmm_link *link = vidmm_ddi_called_back(handle);

    if (link) {
        atomic_store(&link->interrupts.notified, true);
        link->adapter->host->wake(link->adapter->host->context);
    }
}

static BOOLEAN queue_dpc(HANDLE handle)
{
    struct vidmm_link *link = vidmm_ddi_called_back(handle);

    if (!link)
        return 0;
    if (atomic_exchange(&link->interrupts.unqueued, false))
        atomic_store(&link->interrupts.owed, true);
    return link->host->queue_dpc(link->host->context); /* obeys D-354 */
}

struct synchronized {
    struct vidmm_link *link;
    PKSYNCHRONIZE_ROUTINE routine;
    PVOID context;
    ULONG message;
};

static bool run_synchronized(void *argument)
{
    const struct synchronized *synchronized = argument;
    bool answer;

    begin_routine(synchronized->link, synchronized->message);
    answer = synchronized->routine(synchronized->context) != 0;
    if (end_routine(synchronized->link)) /* it may queue one when it is out of here */
        atomic_store(&synchronized->link->interrupts.owed, true);
    return answer;
}

static NTSTATUS synchronize_execution(HANDLE handle, PKSYNCHRONIZE_ROUTINE routine, PVOID context,
                                      ULONG message, PBOOLEAN result)
{
    struct vidmm_link *link = vidmm_ddi_called_back(handle);
    struct synchronized synchronized = {link, routine, context, message};
    bool answer = false;

    if (!link ||
        !link->host->synchronize(link->host->context, run_synchronized, &synchronized, &answer))
        return STATUS_UNSUCCESSFUL; /* obeys D-355 */
    *result = answer;
    return STATUS_SUCCESS;
}

void vidmm_ddi_fill_interrupts(DXGKRNL_INTERFACE *table)
{
    table->DxgkCbQueueDpc = queue_dpc;
    table->DxgkCbSynchronizeExecution = synchronize_execution;
    table->DxgkCbNotifyInterrupt = notify_interrupt;
    table->DxgkCbNotifyDpc = notify_dpc;
}

/* ---- resets ---------------------------------------------------------------------------------- */

void vidmm_ddi_silence(struct vidmm_adapter *adapter, uint64_t nodes)
{
    atomic_fetch_or(&adapter->miniport->silent, nodes);
}

void vidmm_ddi_resume(struct vidmm_adapter *adapter, uint64_t nodes)
{
    if ((atomic_load(&adapter->miniport->silent) & nodes) != 0)
        atomic_fetch_and(&adapter->miniport->silent, ~nodes);
}

void vidmm_flush_dpcs(const struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) {
        const struct vidmm_host *host = adapter->miniport->links[index]->host;

        if (host->flush_dpcs)
            host->flush_dpcs(host->context);
    }
}
