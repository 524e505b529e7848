/* check.c: the invariants of the engine, all of them, for builds that look (VIDMM_CHECK), for tests
 * and for fuzzing. Each line names the invariant it holds up. A letter, or two, belongs to one
 * subject:
 *
 *     B offer.c                     K device_record.c       S split.c
 *     C cancel.c                    L claim.c, lock.c       U purge.c
 *     E step.c                      N context.c             V recovery.c
 *     F timeline.c, fence.c         O posted.c              W work.c, prepare.c
 *     G segment.c, page_runs.c      P placement.c           X refreshes.c, refresh.c
 *     H swizzling_range.c           Q rest.c                Y swizzle.c
 *     J segment_read.c              R room.c, cheapest.c    Z reset.c
 *     M move.c, paging.c, paging_buffer.c, by_address.c, leaving.c
 *     T placement_table.c, move_table.c, operation_table.c, buffer_table.c, move_steps.c
 *     A address_space.c, address_find.c, page_table.c, process.c, table_write.c, table_apart.c
 *     D monitored_fence.c, fence_object.c, fence_list.c, fence_queue.c
 *     I residency_list.c, listed.c, budget.c, paging_queue.c
 *     SU suspension.c               EV eviction.c
 *     AR arbiter.c                  HP host_pages.c         RE reach.c
 *     PR place_runs.c               SE settlement.c         LS linked_space.c
 *     HA host_mapping.c, host_aperture.c
 *     IM isolation.c                AC companion.c, paging_buffer.c
 *     MP move_pair.c
 */
#include "vidmm/engine/state/engine_state.h"

#include <base/assert.h>

#include "vidmm/engine/carry/host_aperture.h"
#include "vidmm/engine/carry/isolation.h"
#include "vidmm/engine/carry/swizzling_range.h"
#include "vidmm/engine/decide/split.h"
#include "vidmm/engine/state/budget.h"
#include "vidmm/engine/state/buffer_table.h"
#include "vidmm/engine/state/companion.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/move_pair.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/operation_table.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/reach.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/standstill.h"
#include "vidmm/engine/work/arbiter.h"
#include "vidmm/engine/work/eviction.h"
#include "vidmm/engine/work/fence_queue.h"
#include "vidmm/engine/work/paging_queue.h"

static void check_placement(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement)
{
    VIDMM_VERIFY(!placement->marked && !placement->chosen);          /* R1 */
    VIDMM_VERIFY(placement->uses == 0 || placement->references > 0); /* W2 */
    vidmm_offer_check(engine, placement);
    vidmm_residency_check(engine, placement);
    VIDMM_VERIFY(placement->held || !placement->kept);                       /* W3 */
    VIDMM_VERIFY(!placement->held || (engine->turn && engine->turn->begun)); /* W3 */
    VIDMM_VERIFY(!placement->kept || vidmm_placement_has_range(placement));  /* R3 */
    VIDMM_VERIFY(placement->moves->in.inward && !placement->moves->out.inward);
    vidmm_move_pair_check(placement);
    vidmm_place_check_runs(engine, placement);
    VIDMM_VERIFY(vidmm_placement_has_range(placement) || !vidmm_place_is_segment(&placement->at) ||
                 placement->leaving || placement->dying); /* P2 */
    vidmm_placement_check_state(engine, placement);
    vidmm_move_check_state(engine, &placement->moves->in);
    vidmm_move_check_state(engine, &placement->moves->out);
    vidmm_lock_check_state(placement);
    vidmm_reach_check(engine, placement);
    vidmm_isolation_check(engine, placement);
}

static void check_segment(const struct vidmm_engine *engine, uint32_t id)
{
    const struct vidmm_segment_state *segment = &engine->segments[id];
    const struct vidmm_placement *placement, *older = NULL;
    uint64_t bytes = 0;
    uint32_t live = 0, taken = 0, rank, classes[VIDMM_PRIORITY_CLASSES] = {0};

    for (placement = segment->oldest; placement; placement = placement->newer) {
        VIDMM_VERIFY(vidmm_place_is_in(&placement->given, id)); /* P2 */
        VIDMM_VERIFY(placement->older == older);
        older = placement;
        bytes += vidmm_placement_extent(engine, placement);
        classes[placement->priority_class]++;
        live++;
        taken += vidmm_place_ranges(placement);
    }
    for (rank = 0; rank < VIDMM_PRIORITY_CLASSES; rank++)
        VIDMM_VERIFY(segment->classes[rank] == classes[rank]);
    VIDMM_VERIFY(segment->newest == older);
    VIDMM_VERIFY(bytes <= segment->committed);                /* P3 */
    VIDMM_VERIFY(live + segment->evictions == segment->live); /* P3 */
    VIDMM_VERIFY(taken + segment->evictions + engine->config.segments[id].reserved_count ==
                 segment->ranges.live);                /* P2: no range is nobody's */
    VIDMM_VERIFY(segment->live <= segment->potential); /* P4 */
    VIDMM_VERIFY(!engine->config.segments[id].aperture ||
                 segment->committed <= engine->config.segments[id].commit_limit); /* D-010 */
    vidmm_segment_check(&segment->ranges);
}

static void check_flights(const struct vidmm_engine *engine)
{
    uint32_t node, submitted = 0, on_node, limit = engine->config.node_queue_limit;

    for (node = 0; node < engine->config.node_count; node++) {
        const struct vidmm_timeline *timeline = &engine->nodes[node].timeline;
        const struct vidmm_flight *flight;
        uint32_t switches = 0;

        VIDMM_VERIFY(timeline->counter == &engine->fences);
        on_node = vidmm_timeline_check(timeline); /* F1, F4 */
        VIDMM_VERIFY(limit == 0 || on_node <= limit ||
                     vidmm_node_is_hw_queue(engine, node)); /* F2 */
        submitted += on_node;
        for (flight = timeline->flights.first; flight; flight = flight->next)
            switches += flight == &engine->nodes[node].switch_flight ? 1 : 0;
        VIDMM_VERIFY(switches == (engine->nodes[node].switching ? 1 : 0)); /* N1 */
    }
    VIDMM_VERIFY(submitted == engine->in_flight);                  /* F2 */
    VIDMM_VERIFY(engine->in_flight <= engine->config.queue_limit); /* F2 */
}

static void check_queue(const struct vidmm_engine *engine)
{
    const struct vidmm_move *move;
    uint32_t id, open = 0;

    for (move = engine->moves.first; move; move = move->next) {
        VIDMM_VERIFY(move->state == MOVE_QUEUED);               /* M1 */
        VIDMM_VERIFY(move->next || move == engine->moves.last); /* M1 */
    }
    for (id = 1; id < VIDMM_PAGING_BUFFERS; id++) {
        const struct vidmm_paging_buffer *buffer = &engine->paging_buffers[id];

        open += buffer->state == PAGING_BUFFER_OPEN ? 1 : 0;
        VIDMM_VERIFY((buffer->state == PAGING_BUFFER_OPEN) == (engine->open_buffer == id)); /* M2 */
        vidmm_buffer_check_state(buffer);
    }
    VIDMM_VERIFY(open <= 1); /* M2 */
    VIDMM_VERIFY(!engine->leaving.first);
}

static void check_followed(const struct vidmm_engine *engine)
{
    const struct vidmm_placement *placement;
    uint32_t id, followed = 0;

    for (placement = engine->followed; placement; placement = placement->followed_next) {
        VIDMM_VERIFY(vidmm_placement_is_followed(placement)); /* L3 */
        VIDMM_VERIFY(!vidmm_placement_is_still(placement) || engine->call == CALL_CLAIM ||
                     engine->stopped || vidmm_host_aperture_is_due(engine, placement) ||
                     vidmm_reset_rests(engine) || !vidmm_plan_has_room(engine)); /* L3 */
        followed++;
    }
    for (id = 0; id < engine->placement_capacity; id++)
        followed -=
            engine->placements[id] && vidmm_placement_is_followed(engine->placements[id]) ? 1 : 0;
    VIDMM_VERIFY(followed == 0); /* L3 */
}

/* Whether its wait was ended, and its queue has not heard of it. */
static bool is_over_untold(const struct vidmm_engine *engine, const struct vidmm_fence_list *list)
{
    const struct vidmm_fence_list *at = engine->monitored->ended;

    while (at && at != list)
        at = at->next;
    return at != NULL;
}

/* Whether the first work of a queue has no turn. A delay has when its time has come, or the engine
 * stops. */
static bool must_be_held(const struct vidmm_engine *engine, const struct vidmm_work *work)
{
    if (work->delay_ns != 0)
        return work->until_ns > engine->time_ns && !engine->stopping;
    return work->fences &&
           (work->fences->state == FENCE_LIST_WAITING || is_over_untold(engine, work->fences));
}

static void check_work(const struct vidmm_engine *engine)
{
    const struct vidmm_context_queue *queue;
    const struct vidmm_work *work;
    uint32_t delays = 0;

    for (queue = engine->queues.first; queue; queue = queue->next) {
        VIDMM_VERIFY(queue->works.first);                                      /* AR1 */
        VIDMM_VERIFY(queue->held == must_be_held(engine, queue->works.first)); /* AR3 */
        delays += queue->held && queue->works.first->delay_ns != 0 ? 1 : 0;
        for (work = queue->works.first; work; work = work->next) {
            VIDMM_VERIFY(!work->begun || work == engine->turn); /* W1 */
            VIDMM_VERIFY(!work->fences || work->fences->work == work);
            VIDMM_VERIFY(!work->fences || work->fences->state != FENCE_LIST_WAITING ||
                         work == queue->works.first); /* AR3 */
            VIDMM_VERIFY(work->queue == queue && work->context == queue->context);
            VIDMM_VERIFY(work->next ? work->arrival < work->next->arrival
                                    : work == queue->works.last); /* AR2 */
            if (work->begun)
                vidmm_split_check_needs(work);
        }
    }
    VIDMM_VERIFY(engine->turn == vidmm_arbiter_choose(engine)); /* AR2 */
    VIDMM_VERIFY(engine->delays == delays);                     /* AR3 */
}

static void check_suspensions(const struct vidmm_engine *engine)
{
    uint32_t id, suspended = 0;

    for (id = 0; id < engine->device_capacity; id++) {
        const struct vidmm_device_record *device = &engine->devices[id];
        bool begun = engine->turn && engine->turn->begun && engine->turn->device == id;

        suspended += device->suspension != 0 ? 1 : 0;
        VIDMM_VERIFY(device->suspension == 0 || !engine->config.explicit_residency || begun ||
                     device->list.suspended); /* SU2 */
    }
    VIDMM_VERIFY(engine->suspended == suspended); /* SU1 */
}

static bool is_known(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    uint32_t id = 0;

    while (id < engine->placement_capacity && engine->placements[id] != placement)
        id++;
    return id < engine->placement_capacity;
}

/* Nothing that the engine remembers from one step to the next was buried between them. */
static void check_remembered(const struct vidmm_engine *engine)
{
    const struct vidmm_lock_request *request;
    uint32_t id, locked = 0;

    VIDMM_VERIFY((engine->call == CALL_CLAIM) == (engine->call_claim != NULL));
    VIDMM_VERIFY(!engine->call_claim || is_known(engine, engine->call_claim)); /* P5 */
    VIDMM_VERIFY(!engine->own_page || is_known(engine, engine->own_page));
    VIDMM_VERIFY(!engine->reading || is_known(engine, engine->reading));
    for (request = engine->lock_requests; request; request = request->next)
        VIDMM_VERIFY(is_known(engine, request->placement));
    for (id = 0; id < engine->placement_capacity; id++)
        locked +=
            engine->placements[id] && vidmm_placement_is_locked(engine->placements[id]) ? 1 : 0;
    VIDMM_VERIFY(locked == engine->locked); /* L4 */
}

void vidmm_engine_check(const struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 0; id < engine->placement_capacity; id++) {
        if (engine->placements[id]) {
            VIDMM_VERIFY(engine->placements[id]->id == id); /* P1 */
            check_placement(engine, engine->placements[id]);
        }
    }
    for (id = 1; id <= engine->config.segment_count; id++)
        check_segment(engine, id);
    check_flights(engine);
    check_queue(engine);
    vidmm_operation_check_state(engine);
    check_work(engine);
    check_suspensions(engine);
    vidmm_eviction_check(engine);
    check_followed(engine);
    check_remembered(engine);
    vidmm_swizzling_check(engine);
    vidmm_host_check(engine);
    for (id = 0; id < engine->device_capacity; id++)
        vidmm_residency_check_list(engine, id);
    vidmm_budget_check(engine);
    vidmm_paging_queue_check(engine);
    vidmm_fence_queue_check(engine);
    vidmm_mmu_check(engine);
    vidmm_companion_verify(engine);
}
