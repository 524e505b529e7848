/* residency.c: where everything goes that the part being prepared names.
 *
 *     what has no place, or a wrong one --> a range each, and who leaves for it
 *
 * One question decides for one of them: each settlement changes what the next one finds. Rounds go
 * over all that is missing; by window and by packing others of the work may lose their ranges, and
 * then a new round begins. prepare.c applies the answers, and queues the moves that follow when all
 * of it stands. W4 there says why a full memory does not deadlock.
 */
#include "vidmm/engine/decide/residency.h"

#include "vidmm/engine/decide/packing.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/split.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/reference.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/wish.h"

/* Leave in `usable` of each placement that the work needs the segments from which all references of
 * the work to it that may be needed can be used. */
static void find_usable(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint32_t index;

    for (index = 0; index < work->count; index++)
        work->references[index].placement->usable = UINT32_MAX;
    for (index = 0; index < work->count; index++) {
        const struct vidmm_work_reference *reference = &work->references[index];
        struct vidmm_placement *placement = reference->placement;

        if (!vidmm_split_never_needs(work, index))
            placement->usable &= vidmm_reference_set(engine, placement, reference->write);
    }
}

/* Whether it has a place from which the reference can be used. */
static bool has_place(const struct vidmm_engine *engine,
                      const struct vidmm_work_reference *reference)
{
    const struct vidmm_placement *placement = reference->placement;

    return vidmm_placement_has_range(placement) &&
           (vidmm_reference_set(engine, placement, reference->write) >> placement->given.segment &
            1) != 0;
}

/* Whether its content is in its place, and nothing more has to come there. */
static bool rests(const struct vidmm_placement *placement)
{
    return vidmm_placement_is_settled(placement) && placement->moves->in.state == MOVE_IDLE &&
           !vidmm_refresh_is_due(placement);
}

/* Put into engine->missing what has no place, or one that it cannot be used from; each once. *rest:
 * whether there is none, and the content of all others rests where it is to be. */
static uint32_t gather_missing(struct vidmm_engine *engine, struct vidmm_work *work, bool *rest)
{
    uint32_t index, count = 0, references = work->count;
    bool at_rest = true;

    for (index = 0; index < references; index++) {
        struct vidmm_placement *placement = work->references[index].placement;

        if (!vidmm_work_needs(work, index))
            continue;
        if (has_place(engine, &work->references[index])) {
            at_rest = at_rest && rests(placement);
        } else if (!placement->marked) {
            placement->marked = true;
            engine->missing[count++].placement = placement;
        }
    }
    VIDMM_ASSERT(count <= engine->missing_capacity); /* S3 */
    *rest = at_rest && count == 0;
    for (index = 0; index < count; index++)
        engine->missing[index].placement->marked = false;
    if (count > 0) {
        find_usable(engine, work);
        vidmm_packing_sort(engine->missing, count);
    }
    return count;
}

/* The segments that a missing placement may be given a place in. */
static uint32_t usable_set(const struct vidmm_placement *placement)
{
    if (vidmm_wish_is_pinned(&placement->wish) &&
        (placement->wish.read_set & placement->wish.write_set) != 0)
        return placement->usable & vidmm_placement_set(placement, true) &
               vidmm_placement_set(placement, false);
    return placement->usable;
}

typedef enum vidmm_found room_function(struct vidmm_engine *, struct vidmm_placement *, uint32_t,
                                       struct vidmm_settlement *);

/* Try one way of finding room in each segment in turn. */
static enum vidmm_found try_room(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                 const uint8_t *order, uint32_t count, room_function *find,
                                 struct vidmm_settlement *settlement)
{
    enum vidmm_found worst = FOUND_NONE;
    uint32_t index;

    for (index = 0; index < count; index++) {
        enum vidmm_found found = find(engine, placement, order[index], settlement);

        if (found == FOUND || found == FOUND_CALL)
            return found;
        worst = found == FOUND_LATER ? FOUND_LATER : worst;
    }
    return worst;
}

/* It stands where it cannot be used, or it must change its segment: off with it first. */
static enum vidmm_found leave_wrong_place(const struct vidmm_engine *engine,
                                          struct vidmm_placement *placement,
                                          struct vidmm_settlement *settlement)
{
    struct vidmm_leavers leavers = {0};

    VIDMM_ASSERT(vidmm_placement_has_range(placement));
    if (vidmm_wish_is_pinned(&placement->wish))
        return FOUND_NONE; /* obeys S0-042 */
    if (vidmm_placement_is_locked(placement)) {
        return FOUND_NONE; /* its addresses cannot follow: until the unlock, or the timeout (W4)
                                */
    }
    if (!vidmm_placement_is_still(placement))
        return FOUND_LATER;
    vidmm_leavers_add(engine, &leavers, placement);
    return vidmm_settlement_evicts(engine, settlement, &leavers);
}

/* Find a range for a placement that has none. */
static enum vidmm_found find_range(struct vidmm_engine *engine, struct vidmm_residency *residency,
                                   struct vidmm_placement *placement,
                                   struct vidmm_settlement *settlement)
{
    uint8_t order[VIDMM_SEGMENTS];
    uint32_t count = vidmm_wish_order(engine, &placement->wish, usable_set(placement), order);
    enum vidmm_found found =
        try_room(engine, placement, order, count, vidmm_room_by_cost, settlement);

    VIDMM_ASSERT(!vidmm_placement_has_range(placement) && placement->moves->in.state == MOVE_IDLE);
    if (found == FOUND_NONE) {
        residency->again = true;
        found = try_room(engine, placement, order, count, vidmm_room_by_window, settlement);
    }
    if (found == FOUND_NONE) {
        residency->needed = count > 0 ? vidmm_wish_size_in(engine, &placement->wish, order[0])
                                      : placement->wish.size;
        if (count == 1)
            found = vidmm_room_by_packing(engine, residency->work, order[0], &residency->needed,
                                          settlement);
    }
    return found;
}

/* Decide for the one that comes next; it has left a wrong place before it gets another. */
static enum vidmm_found place(struct vidmm_engine *engine, struct vidmm_residency *residency,
                              struct vidmm_settlement *settlement)
{
    struct vidmm_placement *placement = engine->missing[residency->index].placement;
    enum vidmm_found found;

    VIDMM_ASSERT(residency->index < residency->count);
    residency->leaves = vidmm_placement_has_range(placement);
    if (residency->leaves)
        found = leave_wrong_place(engine, placement, settlement);
    else if (placement->moves->in.state != MOVE_IDLE)
        found = FOUND_LATER;
    else
        return find_range(engine, residency, placement, settlement);
    if (found != FOUND)
        residency->needed = vidmm_placement_extent(engine, placement);
    return found;
}

/* Whether a page-out is decided that may need room in an aperture. A placement that was decided to
 * leave may have its place again. */
static bool any_leaves_through(const struct vidmm_engine *engine)
{
    const struct vidmm_placement *leaving;

    for (leaving = engine->leaving.first; leaving; leaving = leaving->next)
        if (leaving->wish.eviction_set != 0 && !vidmm_place_is_aperture(&leaving->at) &&
            !vidmm_placement_is_settled(leaving))
            return true;
    return false;
}

/* Whether it can only be mapped into an aperture, while page-outs are decided that need room there
 * first. */
static bool comes_later(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    uint32_t set = usable_set(placement), segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((set >> segment & 1) != 0 && !vidmm_segment_is_aperture(engine, segment))
            return false;
    return any_leaves_through(engine);
}

struct vidmm_residency vidmm_residency_begin(struct vidmm_work *work, uint64_t needed)
{
    VIDMM_ASSERT(work->begun); /* W1 */
    return (struct vidmm_residency){.work = work, .needed = needed, .again = true};
}

/* Begin a round. NONE: those that may live in two segments and those that may not chase each
 * other. */
static enum vidmm_found begin_round(struct vidmm_engine *engine, struct vidmm_residency *residency)
{
    residency->count = gather_missing(engine, residency->work, &residency->rest);
    residency->index = 0;
    residency->again = false;
    residency->later = false;
    return residency->rounds++ > 2 * residency->work->count + 2 ? FOUND_NONE : FOUND;
}

/* Go on to the next that is to be decided for. Placements that only an aperture can show come
 * last: the page-outs that use an aperture on their way are built before it takes its room. False:
 * there is none, and *found is how it ends. */
static bool find_next(struct vidmm_engine *engine, struct vidmm_residency *residency,
                      enum vidmm_found *found)
{
    for (;;) {
        if (residency->leaves)
            return true; /* it has left, and gets another place */
        if (!residency->again && residency->index < residency->count) {
            if (!comes_later(engine, engine->missing[residency->index].placement))
                return true;
            residency->later = true;
            residency->index++;
            continue;
        }
        *found = residency->later ? FOUND_LATER : FOUND;
        if (!residency->again && (!residency->later || any_leaves_through(engine)))
            return false;
        *found = begin_round(engine, residency); /* `later`: there is nothing to wait for */
        if (*found != FOUND)
            return false;
    }
}

struct vidmm_settlement vidmm_residency_next(struct vidmm_engine *engine,
                                             struct vidmm_residency *residency)
{
    struct vidmm_settlement settlement = {.found = FOUND};

    VIDMM_ASSERT(residency->work == engine->turn && residency->work->begun); /* W1 */
    if (!find_next(engine, residency, &settlement.found))
        return settlement;
    settlement.found = place(engine, residency, &settlement);
    settlement.more = settlement.found == FOUND;
    residency->index += residency->leaves ? 0 : 1;
    return settlement;
}

/* Give up what was decided for those that the part, which has become shorter, does not need. */
void vidmm_residency_let_go(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint32_t index;

    VIDMM_ASSERT(work == engine->turn);
    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement = work->references[index].placement;

        if (!placement->held && vidmm_placement_has_range(placement) &&
            placement->moves->in.state == MOVE_IDLE && !vidmm_placement_is_settled(placement))
            vidmm_placement_unsettle(engine, placement);
    }
}
