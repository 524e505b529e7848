/* fence_signal.c: a paging buffer writes the value of a paging queue's fence (WDDM 2.2).
 *
 *     [ page-ins | page tables | UpdatePageTable, FlushTlb, SignalMonitoredFence ] --> fence
 *                                                                |
 *                       page of fences <-- scratch range <-------'
 *
 * The value lies in system memory, in a page with those of other queues of the process. The scratch
 * range of the paging process shows that page for the write. The page never leaves, so its page-out
 * is free to carry the move.
 *
 * Source: DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE; D-145.
 */
#include "vidmm/engine/carry/fence_signal.h"

#include <base/assert.h>
#include <vidmm/plan.h>

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"

bool vidmm_fence_signal_may_begin(const struct vidmm_placement *placement)
{
    return placement && placement->fences && !placement->dying &&
           placement->moves->out.state == MOVE_IDLE;
}

void vidmm_fence_signal_begin(struct vidmm_engine *engine, struct vidmm_placement *placement,
                              uint32_t queue)
{
    struct vidmm_paging_queue *of = &engine->paging_queues[queue];

    VIDMM_ASSERT(vidmm_fence_signal_may_begin(placement) && placement->signal_queue == 0);
    VIDMM_ASSERT(of->fences == placement->id && of->signaling == 0 && of->ready > of->signaled);
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_OUT));
    placement->signal_queue = queue;
    of->signaling = of->ready;
    vidmm_move_init(&placement->moves->out, LIST_SIGNAL_FENCE, &placement->at);
    vidmm_move_enqueue(engine, &placement->moves->out);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_OUT));
}

void vidmm_fence_signal_tell(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement,
                             struct vidmm_operation *operation)
{
    const struct vidmm_paging_queue *of = &engine->paging_queues[placement->signal_queue];

    VIDMM_ASSERT(placement->signal_queue != 0 && of->signaling != 0);
    operation->table.address += of->offset;
    operation->table.end = of->signaling;
}

void vidmm_fence_signal_end(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_paging_queue *of;

    if (!placement->fences || placement->signal_queue == 0)
        return;
    of = &engine->paging_queues[placement->signal_queue];
    of->signaled = of->signaling;
    of->signaling = 0;
    placement->signal_queue = 0;
    engine->arrivals_may_go = true;
}
