/*
 * Theory. The driver counts packets into a ring, the GPU counts them out: run, or thrown away by a
 * preemption. The report names the newest fence, whenever the count of packets run has changed
 * (obeys D-357); the system takes it for all before it.
 *
 * Reports are made at device level only: by the interrupt service routine, or by a routine that
 * DxgkCbSynchronizeExecution runs in exclusion with it (obeys D-348, D-349).
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

static BOOLEAN broken(const struct softgpu_adapter *adapter, enum softgpu_broken which)
{
    return softgpu_adapter_is_broken(adapter, which);
}

static struct softgpu_engine_register *engine_of(const struct softgpu_adapter *adapter, UINT node)
{
    return &adapter->registers->engines[node];
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* A message may ask beside a submission: a reader of the retired count first never counts below
 * 0. */
static UINT queued(const struct softgpu_adapter *adapter)
{
    UINT count = 0;

    for (UINT i = 0; i < adapter->registers->engine_count; i++) {
        UINT retired = atomic_load(&engine_of(adapter, i)->retired);

        count += atomic_load(&adapter->nodes[i].given) - retired;
    }
    return count;
}

static void remember_most(struct softgpu_adapter *adapter)
{
    UINT now = queued(adapter);

    if (now > atomic_load(&adapter->registers->driver.most_queued))
        atomic_store(&adapter->registers->driver.most_queued, now);
}

BOOLEAN softgpu_put_packet(struct softgpu_adapter *adapter, UINT node,
                           const struct softgpu_packet *packet)
{
    const struct softgpu_engine_register *engine = engine_of(adapter, node);
    struct softgpu_node *at = &adapter->nodes[node];
    char *ring = (char *)adapter->registers + engine->ring;

    if (at->given - atomic_load(&engine->retired) >= adapter->registers->queue)
        return FALSE;
    memcpy(ring + (at->given & (engine->slots - 1)) * sizeof(*packet), packet, sizeof(*packet));
    at->given++;
    remember_most(adapter);
    return TRUE;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void notify_completed(struct softgpu_adapter *adapter, UINT node, UINT fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    memset(&data, 0, sizeof(data));
    data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    data.DmaCompleted.SubmissionFenceId = fence;
    data.DmaCompleted.NodeOrdinal = broken(adapter, SOFTGPU_BROKEN_FENCE_NODE) ? 63 : node;
    data.DmaCompleted.EngineOrdinal = adapter->place; /* obeys D-356 */
    adapter->dxgk.DxgkCbNotifyInterrupt(adapter->dxgk.DeviceHandle, &data);
}

static void notify_preempted(struct softgpu_adapter *adapter, UINT node, UINT fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    memset(&data, 0, sizeof(data));
    data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
    data.DmaPreempted.PreemptionFenceId = fence;
    data.DmaPreempted.LastCompletedFenceId = atomic_load(&adapter->nodes[node].last_fence);
    data.DmaPreempted.NodeOrdinal = node;
    data.DmaPreempted.EngineOrdinal = adapter->place;
    adapter->dxgk.DxgkCbNotifyInterrupt(adapter->dxgk.DeviceHandle, &data);
}

static BOOLEAN report_completion(struct softgpu_adapter *adapter, UINT node)
{
    UINT64 completed = atomic_load(&engine_of(adapter, node)->completed);
    struct softgpu_node *at = &adapter->nodes[node];
    UINT run = (UINT)(completed >> 32), fence = (UINT)completed, older;

    if (run == at->reported)
        return FALSE;
    at->reported = run;
    older = atomic_exchange(&at->last_fence, fence);
    if (broken(adapter, SOFTGPU_BROKEN_FENCE_NEVER_GIVEN))
        notify_completed(adapter, node, fence + 1000);
    notify_completed(adapter, node, fence);
    if (broken(adapter, SOFTGPU_BROKEN_FENCE_TWICE))
        notify_completed(adapter, node, fence);
    if (broken(adapter, SOFTGPU_BROKEN_FENCE_BACKWARD))
        notify_completed(adapter, node, older);
    return TRUE;
}

/* A packet that was begun goes on where it was cut, when it is submitted again. */
static void note_cut(struct softgpu_adapter *adapter, UINT node)
{
    const struct softgpu_engine_register *engine = engine_of(adapter, node);
    struct softgpu_context *context =
        (struct softgpu_context *)(uintptr_t)atomic_load(&engine->cut_owner);

    if (context != NULL)
        atomic_store(&context->cut_at, atomic_load(&engine->cut_at));
}

static BOOLEAN report_preemption(struct softgpu_adapter *adapter, UINT node)
{
    UINT64 preempted = atomic_load(&engine_of(adapter, node)->preempted);
    struct softgpu_node *at = &adapter->nodes[node];

    if ((UINT)(preempted >> 32) == at->preemptions)
        return FALSE;
    at->preemptions = (UINT)(preempted >> 32);
    note_cut(adapter, node);
    notify_preempted(adapter, node, (UINT)preempted);
    return TRUE;
}

static UINT flags_of(const struct softgpu_fault_record *record)
{
    return (record->write ? DXGK_PAGE_FAULT_WRITE : 0) |
           (record->stands ? DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED : 0);
}

static void notify_queue_fault(struct softgpu_adapter *adapter,
                               const struct softgpu_hw_queue *queue,
                               const struct softgpu_fault_record *record)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    memset(&data, 0, sizeof(data));
    data.InterruptType = DXGK_INTERRUPT_HWQUEUE_PAGE_FAULTED;
    data.HwQueuePageFaulted.FaultedFenceId = softgpu_hw_queue_id(adapter, queue, record->fence);
    data.HwQueuePageFaulted.FaultedVirtualAddress = record->address;
    data.HwQueuePageFaulted.FaultedHwQueue = queue->dxgk_handle;
    data.HwQueuePageFaulted.NodeOrdinal = queue->context->node;
    data.HwQueuePageFaulted.EngineOrdinal = adapter->place;
    data.HwQueuePageFaulted.PageFaultFlags = (DXGK_PAGE_FAULT_FLAGS)flags_of(record);
    data.HwQueuePageFaulted.PageTableLevel = record->level;
    adapter->dxgk.DxgkCbNotifyInterrupt(adapter->dxgk.DeviceHandle, &data);
}

static void notify_fault(struct softgpu_adapter *adapter, UINT node,
                         const struct softgpu_fault_record *record)
{
    const struct softgpu_hw_queue *queue = softgpu_hw_queue_of(adapter, node);
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    if (queue != NULL) {
        notify_queue_fault(adapter, queue, record);
        return;
    }
    memset(&data, 0, sizeof(data));
    data.InterruptType = DXGK_INTERRUPT_DMA_PAGE_FAULTED;
    data.DmaPageFaulted.FaultedFenceId = record->fence;
    data.DmaPageFaulted.PageFaultFlags = (DXGK_PAGE_FAULT_FLAGS)flags_of(record);
    data.DmaPageFaulted.FaultedVirtualAddress = record->address;
    data.DmaPageFaulted.NodeOrdinal = node;
    data.DmaPageFaulted.EngineOrdinal = adapter->place;
    data.DmaPageFaulted.PageTableLevel = record->level;
    data.DmaPageFaulted.FaultedProcessHandle = (HANDLE)(uintptr_t)record->process;
    adapter->dxgk.DxgkCbNotifyInterrupt(adapter->dxgk.DeviceHandle, &data);
}

/* obeys D-269: what was run before a fault counts as completed by it, and is not told of later */
static BOOLEAN report_faults(struct softgpu_adapter *adapter, UINT node)
{
    struct softgpu_engine_register *engine = engine_of(adapter, node);
    struct softgpu_node *at = &adapter->nodes[node];
    BOOLEAN any = FALSE;

    for (; at->faults != atomic_load(&engine->faults); at->faults++, any = TRUE) {
        struct softgpu_fault_record record = engine->fault[at->faults % SOFTGPU_FAULTS];

        at->reported = record.run;
        if (!record.stands)
            atomic_store(&at->last_fence, record.fence);
        notify_fault(adapter, node, &record);
        atomic_store(&engine->faults_read, at->faults + 1);
    }
    return any;
}

static void notify_signaled(struct softgpu_adapter *adapter, UINT node)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    memset(&data, 0, sizeof(data));
    data.InterruptType = DXGK_INTERRUPT_MONITORED_FENCE_SIGNALED;
    data.MonitoredFenceSignaled.NodeOrdinal = node;
    data.MonitoredFenceSignaled.EngineOrdinal = adapter->place;
    adapter->dxgk.DxgkCbNotifyInterrupt(adapter->dxgk.DeviceHandle, &data);
}

/* Whether the ring's commands have signaled fences. */
static BOOLEAN has_signaled(struct softgpu_adapter *adapter, UINT ring)
{
    UINT signals = atomic_load(&engine_of(adapter, ring)->signals);

    if (signals == adapter->nodes[ring].signals)
        return FALSE;
    adapter->nodes[ring].signals = signals;
    return TRUE;
}

/* There are words for it from 2.2 on; before, completion has to do. */
static BOOLEAN report_signals(struct softgpu_adapter *adapter, UINT node)
{
    if (!has_signaled(adapter, node) || adapter->level < 22)
        return FALSE;
    notify_signaled(adapter, node);
    return TRUE;
}

/* A hardware queue: faults first, for they end what the ring counts as run. */
static BOOLEAN report_queue(struct softgpu_adapter *adapter, UINT ring)
{
    const struct softgpu_hw_queue *queue = softgpu_hw_queue_of(adapter, ring);
    BOOLEAN any, signaled;

    if (queue == NULL)
        return FALSE;
    signaled = has_signaled(adapter, ring);
    any = report_faults(adapter, ring);
    if (softgpu_report_progress(adapter, ring) || signaled) {
        notify_signaled(adapter, queue->context->node);
        any = TRUE;
    }
    return any;
}

/* Tell the system all that has happened since the last time. At device level. */
static void report(struct softgpu_adapter *adapter)
{
    BOOLEAN any = FALSE;

    for (UINT i = 0; i < adapter->registers->engine_count; i++) {
        any |= report_signals(adapter, i);
        any |= report_faults(adapter, i);
        any |= report_completion(adapter, i);
        any |= report_preemption(adapter, i);
    }
    for (UINT i = adapter->registers->engine_count; i < softgpu_ring_count(adapter); i++)
        any |= report_queue(adapter, i);
    if (any && !broken(adapter, SOFTGPU_BROKEN_NO_DPC)) /* obeys D-350 */
        adapter->dxgk.DxgkCbQueueDpc(adapter->dxgk.DeviceHandle);
}

static BOOLEAN report_synchronized(PVOID SynchronizeContext)
{
    report(SynchronizeContext);
    return TRUE;
}

/* Report what the hardware did, called at any level. */
static void synchronize_report(struct softgpu_adapter *adapter)
{
    BOOLEAN result = FALSE;

    adapter->dxgk.DxgkCbSynchronizeExecution(adapter->dxgk.DeviceHandle, report_synchronized,
                                             adapter, 0, &result);
}

/* obeys D-352, D-353 */
BOOLEAN SoftgpuInterruptRoutine(PVOID MiniportDeviceContext, ULONG MessageNumber)
{
    struct softgpu_adapter *adapter = MiniportDeviceContext;

    (void)MessageNumber;
    if (adapter->registers == NULL || atomic_exchange(&adapter->registers->interrupt, 0) == 0)
        return FALSE;
    report(adapter);
    return TRUE;
}

VOID SoftgpuDpcRoutine(PVOID MiniportDeviceContext)
{
    struct softgpu_adapter *adapter = MiniportDeviceContext;

    if (!broken(adapter, SOFTGPU_BROKEN_NO_NOTIFY_DPC))
        adapter->dxgk.DxgkCbNotifyDpc(adapter->dxgk.DeviceHandle);
}

/* ---- SubmitCommand --------------------------------------------------------------------------- */

/* The node of a submission; as many as there are nodes: it names none. */
static UINT node_of(const struct softgpu_adapter *adapter, const DXGKARG_SUBMITCOMMAND *args)
{
    const struct softgpu_context *context = args->hContext;
    const struct softgpu_registers *registers = adapter->registers;

    if (!registers->multi_engine)
        return 0;
    if (adapter->level >= 12) /* obeys D-320 */
        return args->NodeOrdinal < registers->engine_count ? args->NodeOrdinal
                                                           : registers->engine_count;
    if (context != NULL && context->kind == SOFTGPU_CONTEXT)
        return context->node;
    for (UINT i = 0; i < registers->engine_count; i++)
        if (args->Flags.Paging && registers->engines[i].kind == SOFTGPU_ENGINE_COPY)
            return i;
    return 0;
}

/* Whether the ranges of a submission lie one in the other. */
static BOOLEAN ranges_are_right(const DXGKARG_SUBMITCOMMAND *args)
{
    return args->DmaBufferSubmissionStartOffset <= args->DmaBufferSubmissionEndOffset &&
           args->DmaBufferSubmissionEndOffset <= args->DmaBufferSize &&
           args->DmaBufferPrivateDataSubmissionStartOffset <=
               args->DmaBufferPrivateDataSubmissionEndOffset &&
           args->DmaBufferPrivateDataSubmissionEndOffset <= args->DmaBufferPrivateDataSize;
}

NTSTATUS softgpu_check_room(struct softgpu_adapter *adapter, const char *call)
{
    if (queued(adapter) >= adapter->announced) /* D-278 */
        return softgpu_refuse(adapter, STATUS_INSUFFICIENT_RESOURCES,
                              "%s: %u are queued, RequiredDmaQueueEntry is %u", call,
                              queued(adapter), adapter->announced);
    return STATUS_SUCCESS;
}

NTSTATUS softgpu_give_packet(struct softgpu_adapter *adapter, UINT node,
                             const struct softgpu_packet *packet)
{
    NTSTATUS status;

    adapter->nodes[node].fence = packet->fence;
    if (!softgpu_put_packet(adapter, node, packet))
        return softgpu_refuse(adapter, STATUS_INSUFFICIENT_RESOURCES,
                              "SubmitCommand: the ring of node %u is full", node);
    if (adapter->registers->habit != SOFTGPU_IMMEDIATE)
        return softgpu_ring(adapter, SOFTGPU_DOORBELL_SUBMIT(node), adapter->nodes[node].given);
    status = softgpu_ring(adapter, SOFTGPU_DOORBELL_EXECUTE(node), adapter->nodes[node].given);
    synchronize_report(adapter);
    return status;
}

static NTSTATUS check_submission(struct softgpu_adapter *adapter, const DXGKARG_SUBMITCOMMAND *args,
                                 UINT node)
{
    if (broken(adapter, SOFTGPU_BROKEN_SUBMIT_FAILS))
        return STATUS_UNSUCCESSFUL;
    if (node >= adapter->registers->engine_count)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER, "SubmitCommand: node %u of %u",
                              args->NodeOrdinal, adapter->registers->engine_count);
    if (!ranges_are_right(args))
        return softgpu_refuse(
            adapter, STATUS_INVALID_PARAMETER,
            "SubmitCommand: bytes %u .. %u of %u, private data %u .. %u of %u",
            args->DmaBufferSubmissionStartOffset, args->DmaBufferSubmissionEndOffset,
            args->DmaBufferSize, args->DmaBufferPrivateDataSubmissionStartOffset,
            args->DmaBufferPrivateDataSubmissionEndOffset, args->DmaBufferPrivateDataSize);
    return softgpu_check_room(adapter, "SubmitCommand");
}

/* The records in the private data of a submission, and how many. */
static const struct softgpu_private_record *records_of(const DXGKARG_SUBMITCOMMAND *args,
                                                       UINT *count)
{
    UINT start = args->DmaBufferPrivateDataSubmissionStartOffset;

    *count = (args->DmaBufferPrivateDataSubmissionEndOffset - start) /
             (UINT)sizeof(struct softgpu_private_record);
    if (args->pDmaBufferPrivateData == NULL)
        *count = 0;
    return *count != 0 ? (const void *)((const char *)args->pDmaBufferPrivateData + start) : NULL;
}

/* How many commands the calls of BuildPagingBuffer wrote, if they left word of it. */
static void count_commands(struct softgpu_adapter *adapter, const DXGKARG_SUBMITCOMMAND *args,
                           struct softgpu_packet *packet)
{
    const struct softgpu_private_record *records;
    UINT count;

    if (adapter->registers->private_data == 0 || !args->Flags.Paging)
        return;
    records = records_of(args, &count);
    for (UINT i = 0; i < count; i++) {
        struct softgpu_private_record record;

        memcpy(&record, &records[i], sizeof(record));
        if (record.mark != SOFTGPU_PRIVATE_MARK)
            softgpu_refuse(adapter, STATUS_SUCCESS, "SubmitCommand: private data of no call");
        packet->commands += record.commands;
    }
    packet->flags |= SOFTGPU_PACKET_COUNTED;
}

/* The record that Render left for a DMA buffer; NULL: there was no room for one. */
static struct softgpu_private_record *record_of(void *data, UINT size)
{
    return data != NULL && size >= sizeof(struct softgpu_private_record) ? data : NULL;
}

/* A submitted packet cannot be cancelled any more, nor a cancelled one submitted. */
static void mark_submitted(struct softgpu_adapter *adapter, const DXGKARG_SUBMITCOMMAND *args)
{
    struct softgpu_private_record *record =
        record_of(args->pDmaBufferPrivateData, args->DmaBufferPrivateDataSize);

    if (args->Flags.Paging || args->Flags.ContextSwitch || record == NULL)
        return;
    if (record->mark == SOFTGPU_PRIVATE_CANCELLED)
        softgpu_refuse(adapter, STATUS_SUCCESS, "SubmitCommand: a DMA buffer that was cancelled");
    record->mark = SOFTGPU_PRIVATE_SUBMITTED;
}

static void run_records(struct softgpu_adapter *adapter, const DXGKARG_SUBMITCOMMAND *args,
                        UINT node)
{
    const struct softgpu_private_record *records;
    UINT count;

    records = records_of(args, &count);
    softgpu_execute_records(adapter, node, records, count);
}

static struct softgpu_packet packet_of(struct softgpu_adapter *adapter,
                                       const DXGKARG_SUBMITCOMMAND *args)
{
    UINT start = args->DmaBufferSubmissionStartOffset;
    struct softgpu_packet packet = {
        .address = (UINT64)args->DmaBufferPhysicalAddress.QuadPart + start, /* D-081 */
        .segment = args->DmaBufferSegmentId,
        .size = args->DmaBufferSubmissionEndOffset - start,
        .fence = args->SubmissionFenceId,
        .instance = adapter->place,
        .flags = args->Flags.Paging ? SOFTGPU_PACKET_PAGING : 0,
    };

    if (!args->Flags.Paging && start == 0)
        packet.flags |= SOFTGPU_PACKET_FIRST;
    count_commands(adapter, args, &packet);
    if (args->Flags.ContextSwitch)
        packet.flags |= SOFTGPU_PACKET_SWITCH; /* obeys D-256 */
    else if (!args->Flags.Paging && adapter->registers->multi_engine)
        softgpu_name_context(adapter, args->hContext, &packet);
    if (args->Flags.NullRendering) /* obeys D-345 */
        packet.flags |= SOFTGPU_PACKET_NULL;
    return packet;
}

/* An engine that the link does not have. */
static NTSTATUS refuse_engine(struct softgpu_adapter *adapter, const char *call, UINT ordinal)
{
    return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER, "%s: EngineOrdinal %u", call, ordinal);
}

static NTSTATUS submit(struct softgpu_adapter *adapter, const DXGKARG_SUBMITCOMMAND *pSubmitCommand)
{
    UINT node = node_of(adapter, pSubmitCommand);
    BOOLEAN immediate =
        adapter->registers->habit == SOFTGPU_IMMEDIATE && !softgpu_has_addresses(adapter);
    NTSTATUS status = check_submission(adapter, pSubmitCommand, node);
    struct softgpu_packet packet;

    if (!NT_SUCCESS(status))
        return status;
    packet = packet_of(adapter, pSubmitCommand);
    mark_submitted(adapter, pSubmitCommand);
    if (immediate && pSubmitCommand->Flags.Paging) {
        if (!pSubmitCommand->Flags.NullRendering)
            run_records(adapter, pSubmitCommand, node);
        packet.flags |= SOFTGPU_PACKET_NULL; /* the records are no commands of the GPU's */
    }
    return softgpu_give_packet(adapter, node, &packet);
}

NTSTATUS SoftgpuSubmitCommand(HANDLE hAdapter, const DXGKARG_SUBMITCOMMAND *pSubmitCommand)
{
    struct softgpu_adapter *adapter = softgpu_engine(hAdapter, pSubmitCommand->EngineOrdinal);

    return adapter != NULL
               ? submit(adapter, pSubmitCommand)
               : refuse_engine(hAdapter, "SubmitCommand", pSubmitCommand->EngineOrdinal);
}

/* ---- cancellation ---------------------------------------------------------------------------- */

/* There is nothing to give back but the record of Render; that it was not submitted can be seen. */
NTSTATUS SoftgpuCancelCommand(HANDLE hAdapter, const DXGKARG_CANCELCOMMAND *pCancelCommand)
{
    struct softgpu_private_record *record =
        record_of(pCancelCommand->pDmaBufferPrivateData, pCancelCommand->DmaBufferPrivateDataSize);

    if (record == NULL)
        return STATUS_SUCCESS;
    if (pCancelCommand->DmaBufferSubmissionStartOffset == 0 && record->mark != SOFTGPU_PRIVATE_MARK)
        softgpu_refuse(hAdapter, STATUS_SUCCESS,
                       "CancelCommand: a DMA buffer that was submitted or cancelled");
    record->mark = SOFTGPU_PRIVATE_CANCELLED;
    return STATUS_SUCCESS;
}

/* ---- preemption, current fence --------------------------------------------------------------- */

struct preemption {
    struct softgpu_adapter *adapter;
    const DXGKARG_PREEMPTCOMMAND *args;
    BOOLEAN idle; /* answered: nothing is queued, all is reported */
};

/* obeys D-365: if nothing is left to preempt, the driver says so itself */
static BOOLEAN preempt_if_idle(PVOID SynchronizeContext)
{
    struct preemption *preemption = SynchronizeContext;
    struct softgpu_adapter *adapter = preemption->adapter;
    UINT node = preemption->args->NodeOrdinal;
    const struct softgpu_engine_register *engine = engine_of(adapter, node);

    preemption->idle =
        adapter->nodes[node].given == atomic_load(&engine->retired) &&
        adapter->nodes[node].reported == (UINT)(atomic_load(&engine->completed) >> 32);
    if (preemption->idle) {
        notify_preempted(adapter, node, preemption->args->PreemptionFenceId);
        adapter->dxgk.DxgkCbQueueDpc(adapter->dxgk.DeviceHandle);
    }
    return TRUE;
}

NTSTATUS SoftgpuPreemptCommand(HANDLE hAdapter, const DXGKARG_PREEMPTCOMMAND *pPreemptCommand)
{
    struct softgpu_adapter *adapter = softgpu_engine(hAdapter, pPreemptCommand->EngineOrdinal);
    UINT node = pPreemptCommand->NodeOrdinal;
    struct preemption preemption = {.adapter = adapter, .args = pPreemptCommand};
    BOOLEAN result = FALSE;

    if (adapter == NULL)
        return refuse_engine(hAdapter, "PreemptCommand", pPreemptCommand->EngineOrdinal);
    if (node >= adapter->registers->engine_count)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER, "PreemptCommand: node %u of %u",
                              node, adapter->registers->engine_count);
    if (broken(adapter, SOFTGPU_BROKEN_PREEMPT_IGNORED))
        return STATUS_SUCCESS;
    if (adapter->registers->recovery == SOFTGPU_PREEMPT_FAILS)
        return STATUS_UNSUCCESSFUL;
    adapter->dxgk.DxgkCbSynchronizeExecution(adapter->dxgk.DeviceHandle, preempt_if_idle,
                                             &preemption, 0, &result);
    if (preemption.idle)
        return STATUS_SUCCESS;
    atomic_store(&engine_of(adapter, node)->preempt_fence, pPreemptCommand->PreemptionFenceId);
    return softgpu_ring(adapter, SOFTGPU_DOORBELL_PREEMPT(node), adapter->nodes[node].given);
}

/* obeys D-362 */
NTSTATUS SoftgpuQueryCurrentFence(HANDLE hAdapter, DXGKARG_QUERYCURRENTFENCE *pCurrentFence)
{
    struct softgpu_adapter *adapter = softgpu_engine(hAdapter, pCurrentFence->EngineOrdinal);

    if (adapter == NULL)
        return refuse_engine(hAdapter, "QueryCurrentFence", pCurrentFence->EngineOrdinal);
    if (pCurrentFence->NodeOrdinal >= adapter->registers->engine_count)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER, "QueryCurrentFence: node %u of %u",
                              pCurrentFence->NodeOrdinal, adapter->registers->engine_count);
    synchronize_report(adapter);
    pCurrentFence->CurrentFence =
        atomic_load(&adapter->nodes[pCurrentFence->NodeOrdinal].last_fence);
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuEscape(HANDLE hAdapter, const DXGKARG_ESCAPE *pEscape)
{
    const struct softgpu_adapter *adapter = hAdapter;
    struct softgpu_escape *message = pEscape->pPrivateDriverData;

    if (message == NULL || pEscape->PrivateDriverDataSize != sizeof(*message) ||
        (message->magic != SOFTGPU_ESCAPE_MAGIC && message->magic != SOFTGPU_ESCAPE_LOOK))
        return STATUS_INVALID_PARAMETER;
    if (message->magic == SOFTGPU_ESCAPE_LOOK)
        softgpu_ring(hAdapter, SOFTGPU_DOORBELL_LOOK, 0);
    message->queued = queued(adapter);
    message->prepatched = atomic_load(&adapter->registers->driver.prepatched);
    message->repatched = atomic_load(&adapter->registers->driver.repatched);
    return STATUS_SUCCESS;
}

/* ---- a report that nobody waits for ---------------------------------------------------------- */

struct again {
    struct softgpu_adapter *adapter;
    UINT node;
};

static BOOLEAN report_last(PVOID SynchronizeContext)
{
    const struct again *again = SynchronizeContext;

    notify_completed(again->adapter, again->node,
                     atomic_load(&again->adapter->nodes[again->node].last_fence));
    again->adapter->dxgk.DxgkCbQueueDpc(again->adapter->dxgk.DeviceHandle);
    return TRUE;
}

void softgpu_report_again(struct softgpu_adapter *adapter, UINT node)
{
    struct again again = {.adapter = adapter, .node = node};
    BOOLEAN result = FALSE;

    adapter->dxgk.DxgkCbSynchronizeExecution(adapter->dxgk.DeviceHandle, report_last, &again, 0,
                                             &result);
}
