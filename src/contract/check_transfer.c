/* check_transfer.c: the rules of transfer.def. */
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "contract/checker.h"
#include "wddm/mask.h"

/* An ordinary transfer that is about to be asked for. */
static bool is_transfer(const struct vidmm_audit_event *event)
{
    return !event->record->returned && event->build.asked->Operation == DXGK_OPERATION_TRANSFER;
}

/* The pass is the first of its sub-transfer: flags and places are judged once. */
static bool is_new_transfer(const struct vidmm_audit_event *event)
{
    return is_transfer(event) && !event->build.repeats;
}

/* The open transfer that this sub-transfer belongs to; NULL: it begins one. */
static const struct vidmm_shadow_transfer *open_transfer(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_transfer *open = &event->shadow->transfer;

    return vidmm_shadow_transfer_is_of(open, &event->build) &&
                   !event->build.asked->Transfer.Flags.TransferStart
               ? open
               : NULL;
}

/* A part of an allocation with permanent backing may be brought up to date (contract.md 31); after
 * a reset a size of 0 says that the content is lost. */
static bool may_be_part(const struct vidmm_shadow_build *build)
{
    DXGK_ALLOCATIONINFOFLAGS flags;

    flags.Value = build->allocation->flags;
    return build->asked->Transfer.TransferSize == 0 || flags.PermanentSysMem ||
           flags.ExistingSysMem || flags.ExistingKernelSysMem;
}

/* The most that either side of it can hold. */
static uint64_t most_bytes(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_build *build = &event->build;
    uint64_t source = vidmm_shadow_span(event->shadow, build->allocation, build->source.segment);
    uint64_t destination =
        vidmm_shadow_span(event->shadow, build->allocation, build->destination.segment);

    return source > destination ? source : destination;
}

CHECKER(S4_017)
{
    const struct vidmm_shadow_build *build = &event->build;
    const struct vidmm_shadow_transfer *open;
    uint64_t offset, end, due, span;

    if (!is_new_transfer(event) || build->allocation == NULL || may_be_part(build))
        return;
    open = open_transfer(event);
    offset = build->asked->Transfer.TransferOffset;
    end = offset + build->asked->Transfer.TransferSize;
    due = open == NULL ? 0 : open->next;
    span = most_bytes(event);
    if (offset != due)
        BREACH(event, S4_017, "it begins at %llu, where %llu is due", (unsigned long long)offset,
               (unsigned long long)due);
    else if (end > span)
        BREACH(event, S4_017, "it ends at %llu, the allocation has %llu bytes",
               (unsigned long long)end, (unsigned long long)span);
    else if (build->asked->Transfer.Flags.TransferEnd && end < build->allocation->size)
        BREACH(event, S4_017, "TransferEnd at %llu of %llu bytes", (unsigned long long)end,
               (unsigned long long)build->allocation->size);
}

static bool covers_all(const struct vidmm_shadow_build *build)
{
    return build->asked->Transfer.TransferOffset == 0 && build->allocation != NULL &&
           build->asked->Transfer.TransferSize >= build->allocation->size;
}

CHECKER(S4_018)
{
    const struct vidmm_shadow_build *build = &event->build;
    const struct vidmm_shadow_transfer *open = &event->shadow->transfer;
    DXGK_TRANSFERFLAGS flags;
    uint64_t end;

    if (!is_new_transfer(event) || covers_all(build)) /* a single piece: S4-019 */
        return;
    flags = build->asked->Transfer.Flags;
    end = (uint64_t)build->asked->Transfer.TransferOffset + build->asked->Transfer.TransferSize;
    if (!flags.TransferStart && !vidmm_shadow_transfer_is_of(open, build))
        BREACH(event, S4_018, "the first sub-transfer has no TransferStart");
    if (!flags.TransferEnd && build->allocation != NULL && build->allocation->size > 0 &&
        end >= build->allocation->size)
        BREACH(event, S4_018, "the last sub-transfer has no TransferEnd");
}

CHECKER(S4_019)
{
    DXGK_TRANSFERFLAGS flags;

    if (!is_new_transfer(event) || !covers_all(&event->build))
        return;
    flags = event->build.asked->Transfer.Flags;
    if (!flags.TransferStart || !flags.TransferEnd)
        BREACH(event, S4_019, "the whole allocation, without %s",
               flags.TransferStart ? "TransferEnd"
               : flags.TransferEnd ? "TransferStart"
                                   : "both");
}

CHECKER(S4_020)
{
    const struct vidmm_shadow_transfer *open = &event->shadow->transfer;

    if (!is_new_transfer(event) || !open->open)
        return;
    if (event->build.asked->Transfer.Flags.TransferStart ||
        !vidmm_shadow_transfer_is_of(open, &event->build))
        BREACH(event, S4_020, "the transfer of allocation 0x%llx has not ended, at byte %llu",
               HEX(open->handle), (unsigned long long)open->next);
}

CHECKER(S4_023)
{
    if (event->record->returned && event->build.moves && event->build.idle &&
        event->record->status == STATUS_GRAPHICS_ALLOCATION_BUSY)
        BREACH(event, S4_023, "it answered busy, with AllocationIsIdle set");
}

CHECKER(S4_024)
{
    const struct vidmm_shadow_build *build = &event->build;
    char who[160];

    if (event->record->returned || !build->moves || !build->repeats ||
        build->before.answer != STATUS_GRAPHICS_ALLOCATION_BUSY)
        return;
    if (!build->idle)
        BREACH(event, S4_024, "asked for again without AllocationIsIdle");
    else if (vidmm_shadow_referenced(event->shadow, build, who, sizeof who))
        BREACH(event, S4_024, "asked for again while it is referenced by %s", who);
}

CHECKER(S4_026)
{
    const struct vidmm_shadow_build *build = &event->build;
    const struct vidmm_shadow_packet *packet = event->submit.packet;
    char who[160];

    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER) {
        if (build->moves && build->idle &&
            vidmm_shadow_referenced(event->shadow, build, who, sizeof who))
            BREACH(event, S4_026, "AllocationIsIdle is set, but it is referenced by %s", who);
        return;
    }
    for (size_t i = 0; event->shadow->idle != NULL && packet != NULL && i < packet->count; i++)
        if (packet->references[i].allocation == event->shadow->idle)
            BREACH(event, S4_026, "submitted while a call says that allocation 0x%llx is idle",
                   HEX(event->shadow->idle->handle));
}

/* The segment side of a sub-transfer, against the first one of its transfer. */
static void check_segment_side(const struct vidmm_audit_event *event,
                               const struct vidmm_shadow_side *side, unsigned segment,
                               uint64_t address)
{
    if (side->segment != 0 && side->segment == segment && side->address != address)
        BREACH(event, D_070, "the segment address is 0x%llx, and 0x%llx in the first sub-transfer",
               (unsigned long long)side->address, (unsigned long long)address);
}

/* With one MDL for the whole transfer, MdlOffset advances with TransferOffset. */
static void check_mdl_side(const struct vidmm_audit_event *event,
                           const struct vidmm_shadow_side *side,
                           const struct vidmm_shadow_transfer *open, int which)
{
    uint64_t due;

    if (side->segment != 0 || open->segments[which] != 0 ||
        (uintptr_t)side->mdl != open->addresses[which])
        return;
    due =
        open->mdl_offset + (event->build.asked->Transfer.TransferOffset - open->first) / PAGE_SIZE;
    if (side->mdl_offset < due)
        BREACH(event, D_070, "MdlOffset is %llu pages at TransferOffset %u, where it is %llu",
               (unsigned long long)side->mdl_offset, event->build.asked->Transfer.TransferOffset,
               (unsigned long long)due);
}

CHECKER(D_070)
{
    const struct vidmm_shadow_build *build = &event->build;
    const struct vidmm_shadow_transfer *open;

    if (!is_transfer(event))
        return;
    if (build->repeats) {
        UINT before = build->before.asked.Transfer.TransferOffset;
        if (build->asked->Transfer.TransferOffset != before)
            BREACH(event, D_070, "TransferOffset is %u, and was %u on the pass before",
                   build->asked->Transfer.TransferOffset, before);
        return;
    }
    open = open_transfer(event);
    if (open == NULL)
        return;
    check_segment_side(event, &build->source, open->segments[0], open->addresses[0]);
    check_segment_side(event, &build->destination, open->segments[1], open->addresses[1]);
    check_mdl_side(event, &build->source, open, 0);
    check_mdl_side(event, &build->destination, open, 1);
}

static void check_mdl(const struct vidmm_audit_event *event, const struct vidmm_shadow_side *side)
{
    uint64_t pages, wanted;

    if (!side->used || side->segment != 0)
        return;
    if (side->mdl == NULL) {
        if (side->size > 0)
            BREACH(event, D_071, "segment 0 without an MDL");
        return;
    }
    pages = ((uint64_t)side->mdl->ByteOffset + side->mdl->ByteCount + PAGE_SIZE - 1) / PAGE_SIZE;
    wanted = (side->size + PAGE_SIZE - 1) / PAGE_SIZE;
    if (side->mdl_offset > pages || wanted > pages - side->mdl_offset)
        BREACH(event, D_071, "MdlOffset %llu and %llu pages, of an MDL of %llu pages",
               (unsigned long long)side->mdl_offset, (unsigned long long)wanted,
               (unsigned long long)pages);
}

CHECKER(D_071)
{
    if (!is_new_transfer(event))
        return;
    check_mdl(event, &event->build.source);
    check_mdl(event, &event->build.destination);
}

CHECKER(D_072)
{
    DXGK_TRANSFERFLAGS flags;
    uint32_t reserved;

    if (event->record->returned || !event->build.moves)
        return;
    flags = event->build.asked->Transfer.Flags;
    reserved =
        vidmm_mask_reserved(&vidmm_mask_DXGK_TRANSFERFLAGS, event->shadow->level, flags.Value);
    if (reserved != 0)
        BREACH(event, D_072, "reserved flags 0x%x are set", reserved);
    if (flags.Swizzle && flags.Unswizzle)
        BREACH(event, D_072, "Swizzle and Unswizzle are both set");
}
