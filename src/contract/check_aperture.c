/* check_aperture.c: the rules of aperture.def. */
#include "contract/checker.h"

#include "wddm/mask.h"

static bool is_map(const struct vidmm_audit_event *event)
{
    return !event->record->returned && vidmm_shadow_is_map(event->build.asked);
}

static bool is_unmap(const struct vidmm_audit_event *event)
{
    return !event->record->returned &&
           event->build.asked->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
}

/* The range, as offsets in the segment. False: the segment is no aperture, which D-097 reports. */
static bool range_of(const struct vidmm_audit_event *event, uint64_t *start, uint64_t *end)
{
    const struct vidmm_shadow_side *to = &event->build.destination;

    if (!vidmm_shadow_is_aperture(event->shadow, to->segment))
        return false;
    *start = (uint64_t)event->build.asked->MapApertureSegment.OffsetInPages * PAGE_SIZE;
    *end = *start + to->size;
    return true;
}

CHECKER(S4_043)
{
    uint64_t start, end;
    char who[160];

    if ((is_map(event) || is_unmap(event)) && range_of(event, &start, &end) &&
        vidmm_shadow_in_use(event->shadow, event->build.destination.segment, start, end, who,
                            sizeof who))
        BREACH(event, S4_043, "pages %llu to %llu of segment %u are used by %s",
               (unsigned long long)(start / PAGE_SIZE), (unsigned long long)(end / PAGE_SIZE),
               event->build.destination.segment, who);
}

CHECKER(S4_044)
{
    unsigned segment = event->build.destination.segment;
    uint64_t start, end;

    if (is_unmap(event) && range_of(event, &start, &end) &&
        !vidmm_ranges_cover(&event->shadow->segments[segment].ranges, start, end))
        BREACH(event, S4_044, "not all of pages %llu to %llu of segment %u are mapped",
               (unsigned long long)(start / PAGE_SIZE), (unsigned long long)(end / PAGE_SIZE),
               segment);
}

static void check_range(const struct vidmm_audit_event *event)
{
    unsigned id = event->build.destination.segment;
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(event->shadow, id);
    uint64_t offset = event->build.asked->MapApertureSegment.OffsetInPages;
    uint64_t pages = event->build.asked->MapApertureSegment.NumberOfPages;

    if (!vidmm_shadow_is_aperture(event->shadow, id))
        BREACH(event, D_097, "segment %u is no aperture", id);
    else if (pages == 0)
        BREACH(event, D_097, "NumberOfPages is 0");
    else if (offset > segment->size / PAGE_SIZE || pages > segment->size / PAGE_SIZE - offset)
        BREACH(event, D_097, "%llu pages at page %llu; segment %u has %llu pages",
               (unsigned long long)pages, (unsigned long long)offset, id,
               (unsigned long long)(segment->size / PAGE_SIZE));
}

static void check_mdl(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_side *to = &event->build.destination;
    uint64_t wanted = to->size / PAGE_SIZE, pages;

    if (to->mdl == NULL) {
        BREACH(event, D_097, "there is no MDL");
        return;
    }
    pages = ((uint64_t)to->mdl->ByteOffset + to->mdl->ByteCount + PAGE_SIZE - 1) / PAGE_SIZE;
    if (to->mdl_offset > pages || wanted > pages - to->mdl_offset)
        BREACH(event, D_097, "MdlOffset %llu and %llu pages, of an MDL of %llu pages",
               (unsigned long long)to->mdl_offset, (unsigned long long)wanted,
               (unsigned long long)pages);
}

static void check_list(const struct vidmm_audit_event *event)
{
    const DXGK_ADL *list = event->build.destination.list;

    if (list->PageCount == 0 || (!list->Flags.Contiguous && list->Pages == NULL))
        BREACH(event, D_097, "there is no list of pages");
}

/* obeys contract.tsv D-102: both count in pages, from the start of the list */
CHECKER(D_102)
{
    const struct vidmm_shadow_side *to = &event->build.destination;
    uint64_t wanted = to->size / PAGE_SIZE;

    if (event->record->returned || to->list == NULL)
        return;
    if (to->mdl_offset > to->list->PageCount || wanted > to->list->PageCount - to->mdl_offset)
        BREACH(event, D_102, "AdlOffset %llu and %llu pages, of an ADL of %u pages",
               (unsigned long long)to->mdl_offset, (unsigned long long)wanted, to->list->PageCount);
}

static void check_handles(const struct vidmm_audit_event *event)
{
    HANDLE device = event->build.asked->MapApertureSegment.hDevice;

    if (event->build.handle != NULL && event->build.allocation == NULL)
        BREACH(event, D_097, "hAllocation 0x%llx is no allocation", HEX(event->build.handle));
    if (device != NULL && vidmm_map_find(&event->shadow->devices, NULL, device) == NULL)
        BREACH(event, D_097, "hDevice 0x%llx is no device", HEX(device));
}

/* Both maps and Unmap have these members at the same places. */
CHECKER(D_097)
{
    if (!is_map(event) && !is_unmap(event))
        return;
    check_range(event);
    check_handles(event);
    if (event->build.destination.list != NULL)
        check_list(event);
    else if (is_map(event))
        check_mdl(event);
}

CHECKER(D_098)
{
    uint32_t flags, reserved;

    if (!is_map(event))
        return;
    flags = event->build.destination.list != NULL
                ? event->build.asked->MapApertureSegment2.Flags.Value
                : event->build.asked->MapApertureSegment.Flags.Value;
    reserved = vidmm_mask_reserved(&vidmm_mask_DXGK_MAPAPERTUREFLAGS, event->shadow->level, flags);
    if (reserved != 0)
        BREACH(event, D_098, "reserved flags 0x%x are set", reserved);
}
