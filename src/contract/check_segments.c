/* check_segments.c: the rules of segments.def. */
#include "contract/checker.h"

static void check_id(const struct vidmm_audit_event *event, const char *member, unsigned id)
{
    if (id > event->shadow->segment_count)
        BREACH(event, D_004, "%s is segment %u, the driver has %u", member, id,
               event->shadow->segment_count);
}

static void check_ids_of_patch(const struct vidmm_audit_event *event)
{
    check_id(event, "DmaBufferSegmentId",
             VIDMM_EVENT_ARGUMENT(event, DXGKARG_PATCH)->DmaBufferSegmentId);
    for (size_t i = 0; event->packet != NULL && i < event->packet->count; i++)
        check_id(event, "an element of the allocation list", event->packet->references[i].segment);
}

CHECKER(D_004)
{
    if (event->record->returned || !event->shadow->segments_known)
        return;
    switch (event->record->ddi) {
    case VIDMM_DDI_PATCH:
        check_ids_of_patch(event);
        break;
    case VIDMM_DDI_SUBMIT_COMMAND:
        check_id(event, "DmaBufferSegmentId",
                 VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMAND)->DmaBufferSegmentId);
        break;
    default:
        if (event->build.source.used)
            check_id(event, "the source", event->build.source.segment);
        if (event->build.destination.used)
            check_id(event, "the destination", event->build.destination.segment);
        break;
    }
}

/* Whether [start, start + size) lies in the segment. */
static void check_range(const struct vidmm_audit_event *event, const char *member, unsigned id,
                        uint64_t start, uint64_t size)
{
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(event->shadow, id);

    if (segment == NULL || (start >= segment->base && start - segment->base < segment->size &&
                            size <= segment->size - (start - segment->base)))
        return;
    BREACH(event, D_007,
           "%s is 0x%llx and %llu bytes; segment %u has BaseAddress 0x%llx and %llu bytes", member,
           (unsigned long long)start, (unsigned long long)size, id,
           (unsigned long long)segment->base, (unsigned long long)segment->size);
}

static void check_side(const struct vidmm_audit_event *event, const char *member,
                       const struct vidmm_shadow_side *side)
{
    bool mapping = vidmm_shadow_is_map(event->build.asked) ||
                   event->build.asked->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;

    if (side->used && side->segment != 0 && !mapping) /* those count in pages: D-097 */
        check_range(event, member, side->segment, side->start, side->size);
}

/* obeys contract.tsv D-007: an unsized location, of a discard without allocation, has a first
 * byte */
CHECKER(D_007)
{
    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER) {
        check_side(event, "the source", &event->build.source);
        check_side(event, "the destination", &event->build.destination);
        return;
    }
    for (size_t i = 0; event->packet != NULL && i < event->packet->count; i++) {
        const struct vidmm_shadow_reference *reference = &event->packet->references[i];
        check_range(event, "an address in the allocation list", reference->segment,
                    reference->address,
                    reference->allocation == NULL ? 1 : reference->allocation->size);
    }
}

static bool in_set(uint32_t set, unsigned id)
{
    return id > 0 && (set >> (id - 1) & 1) != 0; /* bit n is segment n + 1 */
}

static void check_placed(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_allocation *allocation = event->build.allocation;
    const struct vidmm_shadow_side *to = &event->build.destination;
    uint32_t sets;

    if (allocation == NULL || !to->used || to->segment == 0 ||
        event->build.asked->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT)
        return;
    sets = allocation->read_set | allocation->write_set;
    if (vidmm_shadow_is_aperture(event->shadow, to->segment))
        sets |= allocation->eviction_set; /* S1-014: on its way out */
    if (!in_set(sets, to->segment))
        BREACH(event, S1_009,
               "put into segment %u; its sets are read 0x%x, write 0x%x, eviction 0x%x",
               to->segment, allocation->read_set, allocation->write_set, allocation->eviction_set);
}

CHECKER(S1_009)
{
    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER) {
        check_placed(event);
        return;
    }
    for (size_t i = 0; event->packet != NULL && i < event->packet->count; i++) {
        const struct vidmm_shadow_reference *reference = &event->packet->references[i];
        if (reference->allocation != NULL && reference->segment != 0 && !reference->write &&
            !in_set(reference->allocation->read_set, reference->segment))
            BREACH(event, S1_009, "element %u is read in segment %u, its read set is 0x%x",
                   reference->index, reference->segment, reference->allocation->read_set);
    }
}

CHECKER(S1_011)
{
    for (size_t i = 0;
         !event->record->returned && event->packet != NULL && i < event->packet->count; i++) {
        const struct vidmm_shadow_reference *reference = &event->packet->references[i];
        if (reference->allocation != NULL && reference->segment != 0 && reference->write &&
            !in_set(reference->allocation->write_set, reference->segment))
            BREACH(event, S1_011, "element %u is written in segment %u, its write set is 0x%x",
                   reference->index, reference->segment, reference->allocation->write_set);
    }
}
