/* check_adapter.c: the rules of adapter.def. */
#include <wddm/d3dkmddi_segment.h>
#include <wddm/dispmprt_types.h>
#include <wddm/ntstatus.h>

#include "contract/checker.h"
#include "wddm/level.h"

static bool is_segment_query(DXGK_QUERYADAPTERINFOTYPE type)
{
    return type == DXGKQAITYPE_QUERYSEGMENT || type == DXGKQAITYPE_QUERYSEGMENT2 ||
           type == DXGKQAITYPE_QUERYSEGMENT3 || type == DXGKQAITYPE_QUERYSEGMENT4;
}

/* The structs of all segment queries begin with the number and the array. */
CHECKER(D_001)
{
    const DXGKARG_QUERYADAPTERINFO *query = VIDMM_EVENT_ARGUMENT(event, DXGKARG_QUERYADAPTERINFO);
    const DXGK_QUERYSEGMENTOUT *out = query->pOutputData;

    if (event->record->returned || !is_segment_query(query->Type) || out == NULL ||
        query->OutputDataSize < sizeof *out || out->pSegmentDescriptor == NULL)
        return;
    if (event->shadow->announced_segments == 0)
        BREACH(event, D_001, "the array is there at the first pass");
    else if (out->NbSegment != event->shadow->announced_segments)
        BREACH(event, D_001, "the array has %u descriptors, the driver has %u segments",
               out->NbSegment, event->shadow->announced_segments);
}

CHECKER(D_282)
{
    const DXGKARG_QUERYADAPTERINFO *query = VIDMM_EVENT_ARGUMENT(event, DXGKARG_QUERYADAPTERINFO);
    uint16_t level = event->shadow->level;
    DXGK_QUERYADAPTERINFOTYPE right = level < VIDMM_LEVEL(1, 2)   ? DXGKQAITYPE_QUERYSEGMENT
                                      : level < VIDMM_LEVEL(2, 0) ? DXGKQAITYPE_QUERYSEGMENT3
                                                                  : DXGKQAITYPE_QUERYSEGMENT4;

    if (!event->record->returned && is_segment_query(query->Type) && query->Type != right)
        BREACH(event, D_282, "query type %d at WDDM %u.%u, where it is %d", (int)query->Type,
               level >> 8, level & 255u, (int)right);
}

CHECKER(D_313)
{
    const struct vidmm_ddi_call *call = vidmm_ddi_call(event->record->ddi);
    int irql = event->record->irql;

    if (!event->record->returned && !call->callback && irql != VIDMM_IRQL_ANY &&
        call->irql != VIDMM_IRQL_ANY && irql != call->irql)
        BREACH(event, D_313, "%s called at level %d, its page says %d", call->name, irql,
               call->irql);
}

CHECKER(D_316)
{
    const struct vidmm_ddi_set_power_state *set =
        VIDMM_EVENT_ARGUMENT(event, struct vidmm_ddi_set_power_state);

    if (event->record->returned && !NT_SUCCESS(event->record->status) &&
        set->DeviceUid != DISPLAY_ADAPTER_HW_ID)
        BREACH(event, D_316, "it answered 0x%x for child %u", (unsigned)event->record->status,
               set->DeviceUid);
}

CHECKER(S4_055)
{
    if (event->record->returned && event->entry_irql != VIDMM_IRQL_ANY &&
        event->record->irql != event->entry_irql)
        BREACH(event, S4_055, "it was entered at level %d and came back at %d", event->entry_irql,
               event->record->irql);
}

CHECKER(D_078)
{
    if (!event->record->returned && event->shadow->inside_count > 0)
        BREACH(event, D_078, "%s called while %s has not returned",
               vidmm_ddi_call(event->record->ddi)->name,
               vidmm_ddi_call(event->shadow->inside)->name);
}

/* A driver that has neither says so with 0 and 0. */
CHECKER(D_276)
{
    const struct vidmm_ddi_start_device *start =
        VIDMM_EVENT_ARGUMENT(event, struct vidmm_ddi_start_device);

    if (!event->record->returned || !NT_SUCCESS(event->record->status))
        return;
    if (start->NumberOfVideoPresentSources == VIDMM_NOT_SET)
        BREACH(event, D_276, "NumberOfVideoPresentSources is not set");
    if (start->NumberOfChildren == VIDMM_NOT_SET)
        BREACH(event, D_276, "NumberOfChildren is not set");
}

/* So many allocations of several kinds that have one priority say that there is no opinion. */
enum { OPINIONS = 16, NORMAL = 0x78000000 };

CHECKER(S1_022)
{
    const struct vidmm_shadow_priorities *given = &event->shadow->priorities;

    if (!event->record->returned && given->count >= OPINIONS && given->of_kinds && !given->differ &&
        given->first != NORMAL)
        BREACH(event, S1_022,
               "all %llu allocations, of several kinds, have priority 0x%x, not 0x%x",
               (unsigned long long)given->count, given->first, NORMAL);
}
