/* check_submission.c: the rules of submission.def. */
#include <wddm/ntstatus.h>

#include "contract/checker.h"
#include "wddm/level.h"

static bool is_entry(const struct vidmm_audit_event *event, enum vidmm_ddi ddi)
{
    return event->record->ddi == ddi && !event->record->returned;
}

static const DXGKARG_SUBMITCOMMAND *submission(const struct vidmm_audit_event *event)
{
    return VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMAND);
}

/* ---- Answers of BuildPagingBuffer ---- */

CHECKER(S4_001)
{
    HANDLE given = event->record->handle, known = event->shadow->adapter;

    if (!event->record->returned && given != known)
        BREACH(event, S4_001, "hAdapter is 0x%llx, AddDevice answered 0x%llx", HEX(given),
               HEX(known));
}

CHECKER(S4_002)
{
    NTSTATUS status = event->record->status;

    if (!event->record->returned || status == STATUS_SUCCESS ||
        status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
        return;
    if (status != STATUS_GRAPHICS_ALLOCATION_BUSY)
        BREACH(event, S4_002, "it answered 0x%x", (unsigned)status);
    else if (!event->build.can_be_busy)
        BREACH(event, S4_002, "it answered busy, to an operation without AllocationIsIdle");
}

CHECKER(S4_009)
{
    const DXGKARG_BUILDPAGINGBUFFER *after = VIDMM_EVENT_ARGUMENT(event, DXGKARG_BUILDPAGINGBUFFER);
    const char *before = event->build.asked->pDmaBuffer;

    if (event->record->returned && (const char *)after->pDmaBuffer < before)
        BREACH(event, S4_009, "pDmaBuffer went back from 0x%llx to 0x%llx", HEX(before),
               HEX(after->pDmaBuffer));
}

CHECKER(S4_010)
{
    const DXGKARG_BUILDPAGINGBUFFER *after = VIDMM_EVENT_ARGUMENT(event, DXGKARG_BUILDPAGINGBUFFER);
    const char *end = (const char *)event->build.asked->pDmaBuffer + event->build.asked->DmaSize;

    if (event->record->returned && (const char *)after->pDmaBuffer > end)
        BREACH(event, S4_010, "pDmaBuffer is 0x%llx, %llu bytes behind the end of the buffer",
               HEX(after->pDmaBuffer), (unsigned long long)((const char *)after->pDmaBuffer - end));
}

/* ---- Arguments of BuildPagingBuffer ---- */

CHECKER(D_013)
{
    const DXGKARG_BUILDPAGINGBUFFER *asked = event->build.asked;
    const unsigned char *data = asked->pDmaBufferPrivateData;

    if (event->record->returned)
        return;
    if (event->shadow->segments_known && event->shadow->paging_private_size == 0 &&
        (data != NULL || asked->DmaBufferPrivateDataSize != 0)) {
        BREACH(event, D_013, "the driver wants no private data; it is given %u bytes at 0x%llx",
               asked->DmaBufferPrivateDataSize, HEX(data));
        return;
    }
    if (event->build.where != VIDMM_BUFFER_FRESH || event->build.buffer != NULL || data == NULL)
        return; /* after its first use it is the driver's own */
    for (UINT i = 0; i < asked->DmaBufferPrivateDataSize; i++) {
        if (data[i] == 0)
            continue;
        BREACH(event, D_013, "byte %u of %u bytes of private data is 0x%x", i,
               asked->DmaBufferPrivateDataSize, data[i]);
        return;
    }
}

CHECKER(D_076)
{
    const struct vidmm_shadow_build *build = &event->build;

    if (event->record->returned)
        return;
    if (build->where == VIDMM_BUFFER_MISPLACED)
        BREACH(event, D_076,
               "it begins at byte %llu of the buffer, the last operation ended at %llu",
               (unsigned long long)build->in_buffer, (unsigned long long)build->buffer->written);
    else if (build->where == VIDMM_BUFFER_FRESH &&
             (uintptr_t)build->asked->pDmaBuffer % PAGE_SIZE != 0)
        BREACH(event, D_076, "a new buffer begins at 0x%llx", HEX(build->asked->pDmaBuffer));
}

/* From which level to which an operation is asked for (contract.md 3). From 2.0 on a driver without
 * page tables is asked for Transfer, Fill and DiscardContent as before. */
static void levels_of(DXGK_BUILDPAGINGBUFFER_OPERATION operation, bool pages_by_address,
                      uint16_t *first, uint16_t *last)
{
    *first = VIDMM_LEVEL(2, 0);
    *last = UINT16_MAX;
    if (operation <= DXGK_OPERATION_DISCARD_CONTENT && !pages_by_address) {
        *first = VIDMM_LEVEL(1, 0);
    } else if (operation <= DXGK_OPERATION_WRITE_PHYSICAL ||
               operation == DXGK_OPERATION_SPECIAL_LOCK_TRANSFER) {
        *first = VIDMM_LEVEL(1, 0);
        *last = VIDMM_LEVEL(1, 255);
    } else if (operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT ||
               operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT) {
        *first = VIDMM_LEVEL(1, 0);
    } else if (operation == DXGK_OPERATION_INIT_CONTEXT_RESOURCE) {
        *first = VIDMM_LEVEL(1, 2);
    } else if (operation == DXGK_OPERATION_SIGNAL_MONITORED_FENCE) {
        *first = VIDMM_LEVEL(2, 2);
    } else if (operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT2 ||
               operation == DXGK_OPERATION_NOTIFY_FENCE_RESIDENCY) {
        *first = VIDMM_LEVEL(2, 9);
    } else if (operation > DXGK_OPERATION_NOTIFY_FENCE_RESIDENCY) {
        *first = VIDMM_LEVEL(3, 2);
    }
}

CHECKER(D_077)
{
    uint16_t level = event->shadow->level, first, last;

    if (event->record->returned)
        return;
    levels_of(event->build.asked->Operation, event->shadow->pages_by_address, &first, &last);
    if (level < first || level > last)
        BREACH(event, D_077, "operation %d of a driver of WDDM %u.%u",
               (int)event->build.asked->Operation, level >> 8, level & 255u);
}

/* ---- Patch and SubmitCommand ---- */

static void check_fresh_bytes(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_build *build = &event->build;

    if (build->where == VIDMM_BUFFER_FRESH && build->buffer != NULL &&
        build->buffer->written > build->buffer->submitted)
        BREACH(event, S4_006, "bytes %llu to %llu of this buffer are built and were not submitted",
               (unsigned long long)build->buffer->submitted,
               (unsigned long long)build->buffer->written);
}

CHECKER(S4_006)
{
    const struct vidmm_shadow_buffer *buffer = event->submit.buffer;
    const DXGKARG_SUBMITCOMMAND *command;

    if (is_entry(event, VIDMM_DDI_BUILD_PAGING_BUFFER))
        check_fresh_bytes(event);
    if (!is_entry(event, VIDMM_DDI_SUBMIT_COMMAND) || buffer == NULL || event->submit.again)
        return;
    command = submission(event);
    if (command->DmaBufferSubmissionStartOffset != buffer->submitted)
        BREACH(event, S4_006, "it begins at %u, bytes up to %llu were submitted before",
               command->DmaBufferSubmissionStartOffset, (unsigned long long)buffer->submitted);
    else if (command->DmaBufferSubmissionEndOffset > buffer->written)
        BREACH(event, S4_006, "it ends at %u, bytes up to %llu are built",
               command->DmaBufferSubmissionEndOffset, (unsigned long long)buffer->written);
}

static void check_paging_patch(const struct vidmm_audit_event *event)
{
    const DXGKARG_PATCH *patch = VIDMM_EVENT_ARGUMENT(event, DXGKARG_PATCH);

    if (!patch->Flags.Paging &&
        vidmm_map_find(&event->shadow->buffers, NULL, patch->pDmaBuffer) == NULL)
        return;
    if (patch->pAllocationList != NULL || patch->AllocationListSize != 0)
        BREACH(event, S4_007, "an allocation list of %u elements", patch->AllocationListSize);
    if (patch->pPatchLocationList != NULL || patch->PatchLocationListSize != 0 ||
        patch->PatchLocationListSubmissionStart != 0 ||
        patch->PatchLocationListSubmissionLength != 0)
        BREACH(event, S4_007, "a patch-location list of %u elements, %u from %u",
               patch->PatchLocationListSize, patch->PatchLocationListSubmissionLength,
               patch->PatchLocationListSubmissionStart);
    if (!patch->Flags.Paging)
        BREACH(event, S4_007, "without Flags.Paging");
}

CHECKER(S4_007)
{
    if (is_entry(event, VIDMM_DDI_PATCH))
        check_paging_patch(event);
    if (is_entry(event, VIDMM_DDI_SUBMIT_COMMAND) && submission(event)->Flags.Paging &&
        event->submit.packet == NULL && !event->submit.again && !event->submit.switches &&
        !event->paging_is_not_patched)
        BREACH(event, S4_007, "fence 0x%x was not patched", submission(event)->SubmissionFenceId);
}

CHECKER(D_079)
{
    if (event->record->returned && !NT_SUCCESS(event->record->status))
        BREACH(event, D_079, "it answered 0x%x", (unsigned)event->record->status);
}

CHECKER(D_080)
{
    if (!is_entry(event, VIDMM_DDI_SUBMIT_COMMAND) || submission(event)->Flags.Paging ||
        event->submit.switches)
        return;
    if (event->submit.buffer != NULL)
        BREACH(event, D_080, "a paging buffer without Flags.Paging");
    else if (submission(event)->hContext == NULL)
        BREACH(event, D_080, "no context, without Flags.Paging");
}

static void check_patched(const struct vidmm_audit_event *event, const DXGKARG_PATCH *patch)
{
    const DXGKARG_SUBMITCOMMAND *command = submission(event);

    if (command->DmaBufferSubmissionStartOffset != patch->DmaBufferSubmissionStartOffset ||
        command->DmaBufferSubmissionEndOffset != patch->DmaBufferSubmissionEndOffset)
        BREACH(event, D_081, "bytes %u to %u, patched were %u to %u",
               command->DmaBufferSubmissionStartOffset, command->DmaBufferSubmissionEndOffset,
               patch->DmaBufferSubmissionStartOffset, patch->DmaBufferSubmissionEndOffset);
    if (command->DmaBufferSegmentId != patch->DmaBufferSegmentId ||
        command->DmaBufferPhysicalAddress.QuadPart != patch->DmaBufferPhysicalAddress.QuadPart)
        BREACH(event, D_081, "at 0x%llx of segment %u, patched at 0x%llx of segment %u",
               (unsigned long long)command->DmaBufferPhysicalAddress.QuadPart,
               command->DmaBufferSegmentId,
               (unsigned long long)patch->DmaBufferPhysicalAddress.QuadPart,
               patch->DmaBufferSegmentId);
}

/* A paging buffer stays where it is: another address is not its beginning. */
static void check_beginning(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_buffer *buffer = event->submit.buffer;
    uint64_t address = (uint64_t)submission(event)->DmaBufferPhysicalAddress.QuadPart;

    if (buffer != NULL && buffer->address != 0 && buffer->address != address)
        BREACH(event, D_081, "the paging buffer is at 0x%llx, and was at 0x%llx",
               (unsigned long long)address, (unsigned long long)buffer->address);
    if (buffer == NULL && submission(event)->Flags.Paging && event->submit.packet != NULL)
        BREACH(event, D_081, "0x%llx, which was patched, is not where a paging buffer begins",
               HEX(event->submit.packet->patch.pDmaBuffer));
}

CHECKER(D_081)
{
    DXGK_VIDSCHCAPS caps;

    if (!is_entry(event, VIDMM_DDI_SUBMIT_COMMAND) || event->submit.again || event->submit.switches)
        return;
    caps.Value = event->shadow->scheduling_caps;
    if (event->submit.packet != NULL)
        check_patched(event, &event->submit.packet->patch);
    else if (!submission(event)->Flags.Paging && !caps.NoDmaPatching)
        BREACH(event, D_081, "fence 0x%x was not patched", submission(event)->SubmissionFenceId);
    check_beginning(event);
}

struct private_range {
    bool paging;
    UINT start, end, size;
};

static void check_private_range(const struct vidmm_audit_event *event,
                                const struct private_range *range)
{
    const struct vidmm_shadow_buffer *buffer = event->submit.buffer;

    if (!range->paging && range->start != 0) {
        BREACH(event, D_082, "the private data of a DMA buffer begin at %u", range->start);
    } else if (range->start > range->end || range->end > range->size) {
        BREACH(event, D_082, "private data %u to %u of %u bytes", range->start, range->end,
               range->size);
    } else if (is_entry(event, VIDMM_DDI_SUBMIT_COMMAND) && buffer != NULL &&
               !event->submit.again && buffer->private_written > 0 &&
               submission(event)->DmaBufferSubmissionEndOffset == buffer->written &&
               (range->start != buffer->private_submitted ||
                range->end != buffer->private_written)) {
        BREACH(event, D_082, "private data %u to %u, built were %llu to %llu", range->start,
               range->end, (unsigned long long)buffer->private_submitted,
               (unsigned long long)buffer->private_written);
    }
}

CHECKER(D_082)
{
    if (is_entry(event, VIDMM_DDI_PATCH)) {
        const DXGKARG_PATCH *patch = VIDMM_EVENT_ARGUMENT(event, DXGKARG_PATCH);
        check_private_range(
            event, &(struct private_range){patch->Flags.Paging,
                                           patch->DmaBufferPrivateDataSubmissionStartOffset,
                                           patch->DmaBufferPrivateDataSubmissionEndOffset,
                                           patch->DmaBufferPrivateDataSize});
    } else if (is_entry(event, VIDMM_DDI_SUBMIT_COMMAND)) {
        const DXGKARG_SUBMITCOMMAND *command = submission(event);
        check_private_range(
            event, &(struct private_range){command->Flags.Paging,
                                           command->DmaBufferPrivateDataSubmissionStartOffset,
                                           command->DmaBufferPrivateDataSubmissionEndOffset,
                                           command->DmaBufferPrivateDataSize});
    }
}

/* ---- References ---- */

/* The task that waits in the buffer and takes the allocation from where the list says that it is;
 * 0: there is none. */
static uint64_t task_that_takes_it(const struct vidmm_shadow_buffer *buffer,
                                   const struct vidmm_shadow_reference *reference, uint64_t base)
{
    for (size_t i = 0; i < buffer->waiting.count; i++) {
        const struct vidmm_shadow_operation *operation = &buffer->waiting.items[i];
        if (operation->allocation == reference->allocation && operation->leaves &&
            operation->uses[0].segment == reference->segment &&
            base + operation->uses[0].start - reference->address <
                reference->allocation->span) /* a part of it, maybe */
            return operation->task;
    }
    return 0;
}

static bool has_submitted(const struct vidmm_shadow_submission *submission,
                          const struct vidmm_shadow_allocation *allocation, uint64_t task,
                          bool ordered)
{
    for (size_t i = 0; i < submission->operations.count; i++) {
        const struct vidmm_shadow_operation *operation = &submission->operations.items[i];
        if (operation->allocation == allocation &&
            (operation->task == task || !ordered || submission->preempted))
            return true;
    }
    return false;
}

/* Whether a part of the task is submitted, or what comes before it goes on without order: on
 * another node than that of the DMA buffer (VIDMM_SHADOW_NODES: nobody knows yet which that is). */
static bool is_under_way(const struct vidmm_shadow *shadow,
                         const struct vidmm_shadow_allocation *allocation, uint64_t task,
                         unsigned node)
{
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++) {
        const struct vidmm_shadow_node *at = &shadow->nodes[i];
        bool ordered = node == VIDMM_SHADOW_NODES || node == i;
        for (size_t k = at->first; k < at->first + at->count; k++)
            if (has_submitted(&at->queue[k], allocation, task, ordered))
                return true;
    }
    return false;
}

/* It leaves by what is built and not submitted: until then it is there, for what was preempted
 * too. */
static bool is_yet_there(const struct vidmm_shadow *shadow,
                         const struct vidmm_shadow_reference *reference, unsigned node)
{
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(shadow, reference->segment);
    uint64_t task = 0;

    if (reference->allocation->operations == 0 || segment == NULL)
        return false;
    for (size_t i = 0; i < shadow->buffers.capacity && task == 0; i++)
        if (shadow->buffers.entries[i].value != NULL)
            task = task_that_takes_it(shadow->buffers.entries[i].value, reference, segment->base);
    return task != 0 && !is_under_way(shadow, reference->allocation, task, node);
}

/* Is the allocation where the list says? */
static void check_reference(const struct vidmm_audit_event *event,
                            const struct vidmm_shadow_reference *reference)
{
    const struct vidmm_shadow_allocation *allocation = reference->allocation;
    const struct vidmm_shadow_segment *segment;
    uint64_t address;

    if (allocation == NULL || !reference->named ||
        vidmm_shadow_is_agp(event->shadow, reference->segment) ||
        is_yet_there(event->shadow, reference, VIDMM_SHADOW_NODES))
        return;
    segment = vidmm_shadow_segment(event->shadow, allocation->segment);
    if (segment == NULL) {
        BREACH(event, D_085, "element %u, allocation 0x%llx, is in no segment%s", reference->index,
               HEX(allocation->handle),
               allocation->overwritten_by != NULL ? ": another was put in its place" : "");
        return;
    }
    address = segment->base + allocation->offset;
    if (reference->segment != allocation->segment || reference->address != address)
        BREACH(event, D_085,
               "element %u is said to be at 0x%llx of segment %u, it is at 0x%llx of %u",
               reference->index, (unsigned long long)reference->address, reference->segment,
               (unsigned long long)address, allocation->segment);
    else if (vidmm_shadow_is_aperture(event->shadow, allocation->segment) &&
             allocation->mapped < allocation->size)
        BREACH(event, D_085, "element %u: %llu of its %llu bytes are mapped", reference->index,
               (unsigned long long)allocation->mapped, (unsigned long long)allocation->size);
}

/* Has it stayed there since, and is it there when this is executed? */
static void check_still_there(const struct vidmm_audit_event *event,
                              const struct vidmm_shadow_reference *reference)
{
    const struct vidmm_shadow_allocation *allocation = reference->allocation;

    if (allocation == NULL || !reference->named ||
        vidmm_shadow_is_agp(event->shadow, reference->segment) ||
        is_yet_there(event->shadow, reference, event->submit.node))
        return;
    if (allocation->epoch != reference->epoch)
        BREACH(event, D_085, "element %u, allocation 0x%llx, has moved since it was patched",
               reference->index, HEX(allocation->handle));
    else if (!allocation->placed.submitted)
        BREACH(event, D_085, "element %u: what brings allocation 0x%llx there is not submitted",
               reference->index, HEX(allocation->handle));
    else if (allocation->placed.node != event->submit.node &&
             !vidmm_shadow_done(event->shadow, &allocation->placed))
        BREACH(event, D_085, "element %u: what brings allocation 0x%llx there, on node %u, goes on",
               reference->index, HEX(allocation->handle), allocation->placed.node);
}

/* A paging buffer: every allocation that leaves its place in it is idle, uses on the same node
 * apart: those come before by order. */
static void check_leaving(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_operations *operations = &event->submit.buffer->waiting;
    UINT end = submission(event)->DmaBufferSubmissionEndOffset;

    for (size_t i = 0; i < operations->count && operations->items[i].end <= end; i++) {
        const struct vidmm_shadow_operation *operation = &operations->items[i];
        unsigned node;
        if (operation->allocation == NULL || operation->uses[0].segment == 0)
            continue;
        node = vidmm_shadow_busy_node(event->shadow, operation->allocation, event->submit.node);
        if (node != VIDMM_SHADOW_NODES)
            BREACH(event, D_085, "allocation 0x%llx leaves while node %u uses it",
                   HEX(operation->allocation->handle), node);
    }
}

CHECKER(D_085)
{
    const struct vidmm_shadow_packet *packet = event->packet;

    for (size_t i = 0; is_entry(event, VIDMM_DDI_PATCH) && packet != NULL && i < packet->count; i++)
        check_reference(event, &packet->references[i]);
    if (!is_entry(event, VIDMM_DDI_SUBMIT_COMMAND) || event->submit.again)
        return;
    packet = event->submit.packet;
    for (size_t i = 0; packet != NULL && i < packet->count; i++)
        check_still_there(event, &packet->references[i]);
    if (event->submit.buffer != NULL)
        check_leaving(event);
}

CHECKER(D_334)
{
    LONGLONG address;

    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_RENDER)
        address = VIDMM_EVENT_ARGUMENT(event, DXGKARG_RENDER)->DmaBufferPhysicalAddress.QuadPart;
    else if (event->record->ddi == VIDMM_DDI_PATCH)
        address = VIDMM_EVENT_ARGUMENT(event, DXGKARG_PATCH)->DmaBufferPhysicalAddress.QuadPart;
    else
        address = submission(event)->DmaBufferPhysicalAddress.QuadPart;
    if (address == 0)
        BREACH(event, D_334, "DmaBufferPhysicalAddress is 0");
}
/* The GPU stands still: nothing can be copied, filled or mapped that a program would find again. */
CHECKER(D_239)
{
    const DXGKARG_BUILDPAGINGBUFFER *asked = event->build.asked;

    const struct vidmm_shadow_allocation *allocation = event->build.allocation;
    bool purges =
        asked->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT ||
        (asked->Operation == DXGK_OPERATION_TRANSFER && asked->Transfer.TransferSize == 0);

    if (event->record->returned || purges)
        return;
    if (event->shadow->reset)
        BREACH(event, D_239,
               "operation %d, of %llu bytes, between ResetFromTimeout and "
               "RestartFromTimeout",
               (int)asked->Operation,
               (unsigned long long)(event->build.moves ? asked->Transfer.TransferSize : 0));
    else if (allocation != NULL && allocation->purge_due &&
             asked->Operation != DXGK_OPERATION_INIT_CONTEXT_RESOURCE) /* it may be where it was */
        BREACH(event, D_239,
               "operation %d, and allocation 0x%llx was not purged since the adapter was reset",
               (int)asked->Operation, HEX(allocation->handle));
}

/* An allocation that a context has used stays in its place until the node has been told to leave
 * the context. */
CHECKER(D_256)
{
    const struct vidmm_shadow_buffer *buffer = event->submit.buffer;
    const struct vidmm_shadow_operation *operation;

    if (!is_entry(event, VIDMM_DDI_SUBMIT_COMMAND) || buffer == NULL || event->submit.again ||
        event->shadow->level < VIDMM_LEVEL(1, 2))
        return;
    for (size_t i = 0; i < buffer->waiting.count; i++) {
        unsigned node = VIDMM_SHADOW_NODES;

        operation = &buffer->waiting.items[i];
        if (operation->end > submission(event)->DmaBufferSubmissionEndOffset)
            return;
        if (operation->leaves && operation->allocation != NULL)
            node = vidmm_shadow_node_that_used(event->shadow, operation->allocation);
        if (node != VIDMM_SHADOW_NODES)
            BREACH(event, D_256,
                   "allocation 0x%llx leaves, and node %u still runs a context that used it",
                   HEX(operation->allocation->handle), node);
    }
}

CHECKER(D_084)
{
    UINT fence = submission(event)->SubmissionFenceId, awaited = event->submit.awaited;

    if (is_entry(event, VIDMM_DDI_SUBMIT_COMMAND) && awaited != 0 && fence != awaited)
        BREACH(event, D_084,
               "fence 0x%x is submitted, and the paging packet 0x%x that was preempted is not yet",
               fence, awaited);
}
