/* check_virtual.c: the rules of paging and submission by addresses, of residency notices, and of
 * what drivers at 2.0 answer. */
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/ntstatus.h>

#include "contract/checker.h"

#define PAGE_BYTES UINT64_C(4096)
#define LARGEST_FILL (UINT64_C(256) << 20)

static bool begins(const struct vidmm_audit_event *event,
                   DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    return !event->record->returned && event->build.asked->Operation == operation;
}

/* ---- Addresses of the paging process ---- */

/* The paging process, if all of its tables are read here; else NULL. */
static const struct vidmm_shadow_process *paging_of(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_process *process = vidmm_shadow_paging_process(event->shadow);

    return process == NULL || process->unread ? NULL : process;
}

static bool is_mapped(const struct vidmm_shadow_process *process, uint64_t address, uint64_t size)
{
    return size > 0 && address + size > address &&
           vidmm_ranges_cover(&process->pages, address & ~(PAGE_BYTES - 1), address + size);
}

/* The segment of an address: 0 system memory; -1: it is mapped to several kinds, or not at all. */
static int segment_of(const struct vidmm_shadow_process *process, uint64_t address, uint64_t size)
{
    int found = -1;

    for (uint64_t at = address; at < address + size;) {
        const struct vidmm_owned_range *range = vidmm_ranges_meet(&process->pages, at, at + 1);
        int segment = range == NULL ? -1 : (int)(uintptr_t)range->owner - 1;

        if (segment < 0 || (found >= 0 && (segment == 0) != (found == 0)))
            return -1;
        found = segment;
        at = range->end;
    }
    return found;
}

CHECKER(D_106)
{
    const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer = &event->build.asked->TransferVirtual;
    const struct vidmm_shadow_process *process = paging_of(event);
    uint64_t size = transfer->TransferSizeInBytes;

    if (!begins(event, DXGK_OPERATION_VIRTUAL_TRANSFER) || process == NULL)
        return;
    if (!is_mapped(process, transfer->SourceVirtualAddress, size))
        BREACH(event, D_106, "the paging process has nothing at the source, 0x%llx to 0x%llx",
               (unsigned long long)transfer->SourceVirtualAddress,
               (unsigned long long)(transfer->SourceVirtualAddress + size));
    if (!is_mapped(process, transfer->DestinationVirtualAddress, size))
        BREACH(event, D_106, "the paging process has nothing at the destination, 0x%llx to 0x%llx",
               (unsigned long long)transfer->DestinationVirtualAddress,
               (unsigned long long)(transfer->DestinationVirtualAddress + size));
}

CHECKER(D_107)
{
    const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer = &event->build.asked->TransferVirtual;
    const struct vidmm_shadow_process *process = paging_of(event);
    int from, to, real;

    if (!begins(event, DXGK_OPERATION_VIRTUAL_TRANSFER))
        return;
    if ((unsigned)transfer->TransferDirection > DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL) {
        BREACH(event, D_107, "TransferDirection is %d; legal are 0 to 2",
               (int)transfer->TransferDirection);
        return;
    }
    if (process == NULL)
        return;
    from = segment_of(process, transfer->SourceVirtualAddress, transfer->TransferSizeInBytes);
    to = segment_of(process, transfer->DestinationVirtualAddress, transfer->TransferSizeInBytes);
    if (from < 0 || to < 0 || (from == 0 && to == 0))
        return;
    real = from == 0 ? DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL
           : to == 0 ? DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM
                     : DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL;
    if (real != (int)transfer->TransferDirection)
        BREACH(event, D_107, "TransferDirection is %d, from segment %d to segment %d",
               (int)transfer->TransferDirection, from, to);
}

CHECKER(D_110)
{
    const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill = &event->build.asked->FillVirtual;
    const struct vidmm_shadow_process *process = paging_of(event);

    if (!begins(event, DXGK_OPERATION_VIRTUAL_FILL))
        return;
    if (fill->FillSizeInBytes == 0)
        BREACH(event, D_110, "FillSizeInBytes is 0");
    else if (process != NULL &&
             !is_mapped(process, fill->DestinationVirtualAddress, fill->FillSizeInBytes))
        BREACH(event, D_110, "the paging process has nothing at 0x%llx to 0x%llx",
               (unsigned long long)fill->DestinationVirtualAddress,
               (unsigned long long)(fill->DestinationVirtualAddress + fill->FillSizeInBytes));
}

/* A submission that holds one of the operations belongs to a context of the paging process. */
static bool is_elsewhere(const struct vidmm_audit_event *event,
                         DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    const DXGKARG_SUBMITCOMMANDVIRTUAL *command =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMANDVIRTUAL);
    const struct vidmm_shadow_process *process =
        vidmm_shadow_process_of_context(event->shadow, command->hContext);
    const struct vidmm_shadow_buffer *buffer = event->submit.buffer;
    bool holds = false;

    for (size_t i = 0; buffer != NULL && i < buffer->waiting.count; i++)
        holds |= buffer->waiting.items[i].operation == operation;
    return holds && (process == NULL || !process->system);
}

CHECKER(D_388)
{
    const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer;
    const struct vidmm_shadow_process *process = paging_of(event);

    if (event->record->ddi == VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL) {
        if (!event->record->returned && is_elsewhere(event, DXGK_OPERATION_VIRTUAL_TRANSFER))
            BREACH(event, D_388, "the context is not one of the paging process");
        return;
    }
    if (!begins(event, DXGK_OPERATION_VIRTUAL_TRANSFER) || process == NULL)
        return;
    transfer = &event->build.asked->TransferVirtual;
    if (vidmm_shadow_is_stale(event->shadow, process, transfer->SourceVirtualAddress,
                              transfer->TransferSizeInBytes) ||
        vidmm_shadow_is_stale(event->shadow, process, transfer->DestinationVirtualAddress,
                              transfer->TransferSizeInBytes))
        BREACH(event, D_388, "no FlushTlb has followed the update of its scratch range");
}

CHECKER(D_389)
{
    const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill = &event->build.asked->FillVirtual;
    const struct vidmm_shadow_process *process = paging_of(event);

    if (!begins(event, DXGK_OPERATION_VIRTUAL_FILL) || process == NULL)
        return;
    if (vidmm_shadow_is_stale(event->shadow, process, fill->DestinationVirtualAddress,
                              fill->FillSizeInBytes))
        BREACH(event, D_389, "no FlushTlb has followed the update of its scratch range");
}

CHECKER(W_020)
{
    const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill = &event->build.asked->FillVirtual;
    const struct vidmm_shadow_process *process = vidmm_shadow_paging_process(event->shadow);
    bool fills = begins(event, DXGK_OPERATION_VIRTUAL_FILL);

    if (fills && fill->FillSizeInBytes > LARGEST_FILL)
        BREACH(event, W_020, "FillSizeInBytes is %llu", (unsigned long long)fill->FillSizeInBytes);
    if ((fills || begins(event, DXGK_OPERATION_VIRTUAL_TRANSFER)) && !event->build.repeats &&
        process != NULL && process->filled)
        BREACH(event, W_020, "no FlushTlb has followed the fill before");
}

/* ---- Submission ---- */

/* Whether the adapter's paging context runs by addresses. */
static bool pages_by_address(const struct vidmm_shadow *shadow)
{
    for (size_t i = 0; i < shadow->contexts.capacity; i++) {
        const struct vidmm_shadow_context *context = shadow->contexts.entries[i].value;
        DXGK_CREATECONTEXTFLAGS flags = {.Value = context == NULL ? 0 : context->flags};

        if (flags.SystemContext && flags.VirtualAddressing)
            return true;
    }
    return false;
}

CHECKER(W_016)
{
    const DXGKARG_SUBMITCOMMAND *command = VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMAND);

    if (!event->record->returned && command->Flags.Paging && pages_by_address(event->shadow))
        BREACH(event, W_016,
               "fence 0x%x is of a paging buffer, and the system context has "
               "VirtualAddressing",
               command->SubmissionFenceId);
}

CHECKER(W_017)
{
    const DXGKARG_SUBMITCOMMANDVIRTUAL *command =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMANDVIRTUAL);
    const struct vidmm_shadow *shadow = event->shadow;

    if (event->record->returned || !shadow->segments_known || shadow->mmu.paging_segment != 0)
        return;
    if (event->record->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER) {
        if (event->build.asked->DmaBufferGpuVirtualAddress != 0)
            BREACH(event, W_017, "DmaBufferGpuVirtualAddress is 0x%llx",
                   (unsigned long long)event->build.asked->DmaBufferGpuVirtualAddress);
        return;
    }
    if (command->Flags.Paging && event->submit.buffer != NULL && !event->submit.again &&
        command->DmaBufferVirtualAddress != event->submit.buffer->submitted)
        BREACH(event, W_017, "DmaBufferVirtualAddress is 0x%llx, %llu bytes are submitted",
               (unsigned long long)command->DmaBufferVirtualAddress,
               (unsigned long long)event->submit.buffer->submitted);
}

CHECKER(D_259)
{
    const DXGKARG_BUILDPAGINGBUFFER *asked = event->build.asked;
    const struct vidmm_shadow_context *context;
    DXGK_CREATECONTEXTFLAGS flags = {.Value = 0};

    if (event->record->returned)
        return;
    if (event->build.where != VIDMM_BUFFER_MISPLACED &&
        asked->DmaBufferWriteOffset != event->build.in_buffer)
        BREACH(event, D_259, "DmaBufferWriteOffset is %u, the buffer has %llu bytes before it",
               asked->DmaBufferWriteOffset, (unsigned long long)event->build.in_buffer);
    context = vidmm_map_find(&event->shadow->contexts, NULL, asked->hSystemContext);
    if (context != NULL)
        flags.Value = context->flags;
    if (pages_by_address(event->shadow) && !flags.SystemContext &&
        !vidmm_shadow_is_companion(event->shadow, asked->hSystemContext))
        BREACH(event, D_259, "hSystemContext 0x%llx is no context of the system, and no companion",
               HEX(asked->hSystemContext));
}

CHECKER(D_090)
{
    if (event->record->returned && event->record->status != STATUS_SUCCESS &&
        event->record->status != STATUS_INVALID_PARAMETER)
        BREACH(event, D_090, "it answered 0x%08x", (unsigned)event->record->status);
}

/* ---- Notices of residency ---- */

static bool is_resident(const struct vidmm_audit_event *event, HANDLE allocation)
{
    return vidmm_map_find(&event->shadow->mmu.residents, NULL, allocation) != NULL;
}

CHECKER(D_142)
{
    const DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY *notified = &event->build.asked->NotifyResidency;

    if (!begins(event, DXGK_OPERATION_NOTIFY_RESIDENCY) || event->build.repeats)
        return;
    if ((notified->Resident != 0) == is_resident(event, notified->hAllocation))
        BREACH(event, D_142, "the driver was told already that the allocation %s",
               notified->Resident ? "is resident" : "is not resident");
    else if (!notified->Resident && (notified->PhysicalAddress.SegmentId != 0 ||
                                     notified->PhysicalAddress.SegmentOffset != 0))
        BREACH(event, D_142, "PhysicalAddress is segment %u, 0x%llx at an eviction",
               notified->PhysicalAddress.SegmentId,
               (unsigned long long)notified->PhysicalAddress.SegmentOffset);
}

/* ---- Answers of drivers ---- */

CHECKER(W_001)
{
    const DXGKARG_CREATECONTEXT *create = VIDMM_EVENT_ARGUMENT(event, DXGKARG_CREATECONTEXT);
    UINT set = create->ContextInfo.DmaBufferSegmentSet;
    bool aperture = false;

    if (!event->record->returned || event->record->status != STATUS_SUCCESS ||
        !create->Flags.VirtualAddressing || !event->shadow->segments_known)
        return;
    for (unsigned id = 1; id < VIDMM_SHADOW_SEGMENTS; id++)
        aperture |= (set >> (id - 1) & 1) != 0 && vidmm_shadow_is_aperture(event->shadow, id);
    if (!aperture)
        BREACH(event, W_001, "DmaBufferSegmentSet is 0x%x, which names no aperture", set);
}

CHECKER(S3_033)
{
    const DXGKARG_CREATEALLOCATION *create = VIDMM_EVENT_ARGUMENT(event, DXGKARG_CREATEALLOCATION);

    if (!event->record->returned || event->record->status != STATUS_SUCCESS)
        return;
    for (UINT i = 0; i < create->NumAllocations; i++) {
        DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = create->pAllocationInfo[i].FlagsWddm2;

        if (flags.ExplicitResidencyNotification && !flags.AccessedPhysically)
            BREACH(event, S3_033, "element %u has ExplicitResidencyNotification alone", i);
    }
}
