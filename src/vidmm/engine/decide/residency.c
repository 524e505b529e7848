/* residency.c: where everything goes that the part being prepared names.
 *
 *     what has no place, or a wrong one --> a range each, and who leaves for it
 *
 * A decision changes ranges only; prepare.c queues the moves that follow when all of it stands. W4
 * in prepare.c says why a full memory does not deadlock.
 */
#include "vidmm/engine/decide/residency.h"

#include "vidmm/engine/decide/packing.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/split.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/reference.h"
#include "vidmm/engine/state/wish.h"

/* Leave in `usable` of each placement that the work needs the segments from which all references of
 * the work to it that may be needed can be used. */
static void find_usable(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint32_t index;

    for (index = 0; index < work->count; index++)
        vidmm_placement_find(engine, work->references[index].allocation)->usable = UINT32_MAX;
    for (index = 0; index < work->count; index++) {
        const struct vidmm_reference *reference = &work->references[index];
        struct vidmm_placement *placement = vidmm_placement_find(engine, reference->allocation);

        if (!vidmm_split_never_needs(work, index))
            placement->usable &= vidmm_reference_set(engine, placement, reference);
    }
}

/* Put into work->missing what has no place, or one that it cannot be used from; each once. */
static uint32_t gather_missing(struct vidmm_engine *engine, struct vidmm_work *work)
{
    uint32_t index, count = 0;

    for (index = 0; index < work->count; index++) {
        const struct vidmm_reference *reference = &work->references[index];
        struct vidmm_placement *placement = vidmm_placement_find(engine, reference->allocation);
        uint32_t set = vidmm_reference_set(engine, placement, reference);

        if (vidmm_work_needs(work, index) && !placement->marked &&
            (!vidmm_placement_has_range(placement) || (set >> placement->given.segment & 1) == 0)) {
            placement->marked = true;
            work->missing[count++] = placement;
        }
    }
    for (index = 0; index < count; index++)
        work->missing[index]->marked = false;
    if (count > 0)
        find_usable(engine, work);
    vidmm_packing_sort(work->missing, count);
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

/* The segments of `set`, in the order of DXGK_SEGMENTPREFERENCE, then of id. Answers how many. */
static uint32_t order_segments(const struct vidmm_engine *engine,
                               const struct vidmm_placement *placement, uint32_t set,
                               uint8_t order[VIDMM_SEGMENTS])
{
    uint32_t slot, segment, count = 0;

    for (slot = 0; slot < VIDMM_PREFERENCES; slot++) {
        segment = vidmm_wish_preferred(&placement->wish, slot);
        if (segment == 0)
            break; /* obeys D-018 */
        if ((set >> segment & 1) != 0) {
            order[count++] = (uint8_t)segment;
            set &= ~(1u << segment);
        }
    }
    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((set >> segment & 1) != 0)
            order[count++] = (uint8_t)segment;
    return count;
}

typedef enum vidmm_found room_function(struct vidmm_engine *, struct vidmm_placement *, uint32_t);

/* Try one way of finding room in each segment in turn. */
static enum vidmm_found try_room(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                 const uint8_t *order, uint32_t count, room_function *find)
{
    enum vidmm_found worst = FOUND_NONE;
    uint32_t index;

    for (index = 0; index < count; index++) {
        enum vidmm_found found = find(engine, placement, order[index]);

        if (found == FOUND || found == FOUND_CALL)
            return found;
        worst = found == FOUND_LATER ? FOUND_LATER : worst;
    }
    return worst;
}

/* It stands where it cannot be used, or it must change its segment: off with it first. */
static enum vidmm_found leave_wrong_place(struct vidmm_engine *engine,
                                          struct vidmm_placement *placement)
{
    enum vidmm_found found;

    if (vidmm_wish_is_pinned(&placement->wish))
        return FOUND_NONE; /* obeys S0-042 */
    if (vidmm_placement_is_locked(placement)) {
        return FOUND_NONE; /* its addresses cannot follow: until the unlock, or the timeout (W4)
                                */
    }
    if (placement->in.state != MOVE_IDLE || placement->out.state != MOVE_IDLE)
        return FOUND_LATER;
    found = vidmm_claim(engine, placement);
    if (found == FOUND)
        vidmm_room_evict(engine, placement);
    return found;
}

/* Give one placement a range. *needed: what would have had to fit, if nothing can be done.
 * *again: others of the work may have lost their range for it. */
static enum vidmm_found place(struct vidmm_engine *engine, struct vidmm_work *work,
                              struct vidmm_placement *placement, uint64_t *needed, bool *again)
{
    uint8_t order[VIDMM_SEGMENTS];
    uint32_t count = order_segments(engine, placement, usable_set(placement), order);
    enum vidmm_found found = FOUND;

    if (vidmm_placement_has_range(placement))
        found = leave_wrong_place(engine, placement);
    else if (placement->in.state != MOVE_IDLE)
        found = FOUND_LATER;
    if (found != FOUND) {
        *needed = vidmm_placement_extent(engine, placement);
        return found;
    }
    found = try_room(engine, placement, order, count, vidmm_room_by_cost);
    if (found == FOUND_NONE) {
        *again = true;
        found = try_room(engine, placement, order, count, vidmm_room_by_window);
    }
    if (found == FOUND_NONE) {
        *needed = count > 0 ? vidmm_wish_size_in(engine, &placement->wish, order[0])
                            : placement->wish.size;
        if (count == 1)
            found = vidmm_room_by_packing(engine, work, order[0], needed);
    }
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

/* Decide a place for everything that is missing. Placements that only an aperture can show come
 * last: the page-outs that use an aperture on their way are built before it takes its room. */
enum vidmm_found vidmm_residency_decide(struct vidmm_engine *engine, struct vidmm_work *work,
                                        uint64_t *needed)
{
    uint32_t rounds = 0;
    bool again, later;

    do {
        uint32_t index, count = gather_missing(engine, work);

        if (rounds++ > 2 * work->count + 2) {
            return FOUND_NONE; /* those that may live in two segments and those that may not chase
                                * each other
                                    */
        }
        again = false;
        later = false;
        for (index = 0; index < count && !again; index++) {
            enum vidmm_found found = FOUND;

            if (comes_later(engine, work->missing[index]))
                later = true;
            else
                found = place(engine, work, work->missing[index], needed, &again);
            if (found != FOUND)
                return found;
        }
        again = again || (later && !any_leaves_through(engine)); /* nothing to wait for */
    } while (again);
    return later ? FOUND_LATER : FOUND;
}

/* Give up what was decided for those that the part, which has become shorter, does not need. */
void vidmm_residency_let_go(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint32_t index;

    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement =
            vidmm_placement_find(engine, work->references[index].allocation);

        if (!placement->held && vidmm_placement_has_range(placement) &&
            placement->in.state == MOVE_IDLE && !vidmm_placement_is_settled(placement))
            vidmm_placement_unsettle(engine, placement);
    }
}
