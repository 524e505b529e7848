/* segment_read.c: the bytes of a memory segment, for a reader.
 *
 *     READ_SEGMENT --> a move among the moves: Transfer, hAllocation NULL --> fence --> GRANT
 *                      segment + offset  ------------------------------>  pages of its own
 *
 * A null hAllocation is no allocation's: the driver copies without swizzling or tiling (S4-027),
 * whatever stands there, and nothing is evicted or moved for it. The pages are a placement that has
 * no range ever; the transfer is its page-out, so that it is ordered like one, and goes in parts
 * like one.
 *
 * Invariant
 * J1. Nothing of such a transfer is built before all that was submitted has ended, on every node,
 *     and until it has been executed no DMA buffer is submitted and no node leaves its context (a
 *     GPU may write its state then): the bytes read are those of one moment.
 *
 * A reset takes the content of memory segments: then there is nothing to be read.
 *
 * Source: DXGKDDI_BUILDPAGINGBUFFER, Transfer.
 */
#include "vidmm/engine/carry/segment_read.h"

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/standstill.h"

static bool is_inside(const struct vidmm_engine *engine, uint32_t segment, uint64_t offset,
                      uint64_t size)
{
    uint64_t all;

    if (segment == 0 || segment > engine->config.segment_count ||
        vidmm_segment_is_aperture(engine, segment))
        return false;
    all = engine->config.segments[segment].size;
    return offset % VIDMM_PAGE_SIZE == 0 && offset <= all && size <= all - offset;
}

static bool has_no_power(const struct vidmm_engine *engine)
{
    return engine->rest->stage != REST_NONE && engine->rest->power != VIDMM_POWER_D0;
}

static void enqueue(struct vidmm_engine *engine, struct vidmm_placement *placement,
                    uint32_t segment, uint64_t offset)
{
    const struct place place = {
        .kind = PLACE_SEGMENT, .segment = (uint8_t)segment, .offset = offset};

    VIDMM_ASSERT(placement->reads && segment >= 1);
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_OUT));
    vidmm_move_init(&placement->moves->out, LIST_READ_SEGMENT, &place);
    vidmm_move_enqueue(engine, &placement->moves->out);
}

NTSTATUS vidmm_segment_read_event(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement =
        vidmm_placement_find(engine, event->read_segment.allocation);

    if (!placement || !placement->reads || placement->dying || placement->read_request != 0 ||
        placement->moves->out.state != MOVE_IDLE || event->read_segment.request == 0 ||
        !is_inside(engine, event->read_segment.segment, event->read_segment.offset,
                   placement->wish.size))
        return STATUS_INVALID_PARAMETER;
    if (has_no_power(engine) || vidmm_reset_rests(engine))
        return STATUS_DEVICE_BUSY; /* U1 */
    placement->read_request = event->read_segment.request;
    enqueue(engine, placement, event->read_segment.segment, event->read_segment.offset);
    return STATUS_SUCCESS;
}

void vidmm_segment_read_end(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            NTSTATUS status)
{
    struct vidmm_operation *grant;

    if (!placement->reads || placement->read_request == 0)
        return;
    if (engine->reading == placement) /* not one that waits, which a reset ends before its turn */
        engine->reading = NULL;
    grant = vidmm_emit(engine, VIDMM_DO_GRANT);
    grant->allocation = placement->id;
    grant->grant.request = placement->read_request;
    grant->grant.status = (uint32_t)status;
    placement->read_request = 0;
}
