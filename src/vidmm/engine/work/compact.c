/* compact.c: what a segment has moves towards one end of it, because a test says so.
 *
 *     COMPACT --> a work of its own --> its turn: nothing of the segment is on its way
 *                 --> who moves is claimed --> they leave, and settle --> all is there: GRANT
 *
 * All that was queued before has been submitted by then, and packets in flight keep their places
 * until they have ended, as for every page-out. A list that names what moves is in place as far as
 * building goes: its device goes on behind the moves.
 */
#include "vidmm/engine/work/compact.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/decide/compaction.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/work.h"

NTSTATUS vidmm_compact_request(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_work *work;
    NTSTATUS status;

    if (event->device >= engine->device_capacity || !engine->devices[event->device].exists ||
        event->test.request == 0 || event->test.segment == 0 ||
        event->test.segment > engine->config.segment_count ||
        engine->config.segments[event->test.segment].size == 0 ||
        event->test.way < VIDMM_COMPACT_DOWN || event->test.way > VIDMM_COMPACT_CHEAPER)
        return STATUS_INVALID_PARAMETER;
    status = vidmm_work_check_page_out(engine, 0, &work);
    if (status == STATUS_SUCCESS)
        vidmm_work_create_compact(engine, event, work);
    return status;
}

/* Decide who moves, by the way that is asked for. False: no memory. */
static bool decide(struct vidmm_engine *engine, const struct vidmm_work *work,
                   struct vidmm_settlement *settlement)
{
    uint64_t down = 0, up = 0;

    if (work->compacts == VIDMM_COMPACT_CHEAPER &&
        (!vidmm_compaction_decide(engine, work, work->segment, true, &up, settlement) ||
         !vidmm_compaction_decide(engine, work, work->segment, false, &down, settlement)))
        return false;
    return vidmm_compaction_decide(engine, work, work->segment,
                                   work->compacts == VIDMM_COMPACT_UP || up < down, &up,
                                   settlement);
}

/* Those that have moved out come in again, at their new places. */
static void bring_in(struct vidmm_engine *engine, const struct vidmm_settlement *settlement)
{
    uint32_t index, id;

    vidmm_leaving_queue(engine);
    for (index = 0; index < settlement->packed; index++) {
        struct vidmm_placement *placement = engine->missing[index].placement;

        VIDMM_ASSERT(vidmm_placement_has_range(placement));
        if (!vidmm_placement_is_settled(placement))
            vidmm_move_queue_in(engine, placement);
    }
    for (id = 1; id < engine->device_capacity && engine->config.explicit_residency; id++)
        if (engine->devices[id].exists && engine->devices[id].suspension == 0 &&
            vidmm_residency_is_whole(engine, id))
            vidmm_residency_resume(engine, id); /* its places are others, and it has them */
}

enum vidmm_found vidmm_compact_serve(struct vidmm_engine *engine, struct vidmm_work *work)
{
    struct vidmm_settlement settlement;

    VIDMM_ASSERT(work == engine->turn && work->compacts != 0 && !work->begun);
    if (vidmm_compaction_must_wait(engine, work->segment))
        return FOUND_LATER;
    if (work->compacted) {
        vidmm_work_drop(engine, STATUS_SUCCESS);
        return FOUND_NONE;
    }
    if (!decide(engine, work, &settlement)) {
        vidmm_work_drop(engine, STATUS_NO_MEMORY);
        return FOUND_NONE;
    }
    vidmm_settlement_apply(engine, &settlement);
    if (settlement.found != FOUND)
        return settlement.found;
    bring_in(engine, &settlement);
    work->compacted = true;
    return vidmm_compact_serve(engine, work); /* nobody may have moved */
}
