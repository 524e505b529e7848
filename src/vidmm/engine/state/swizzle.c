/* swizzle.c: allocations whose bytes are in the GPU's own order, and what order they are in where.
 *
 *                      page-in                       mapped, while swizzled
 *      swizzled  -------------------> a memory ---    an aperture: the GPU's order, in the
 *      ^ backing <------------------- segment     \   pages of the backing store
 *      '- store    page-out           |      ^
 *                                     |      | page-in, Swizzle
 *                page-out, Unswizzle  v      |
 *                          unswizzled: the backing store as the CPU sees it; never mapped
 *
 * Only the page-outs that somebody looks at ask for Unswizzle: those that a lock has asked for,
 * those under a lock, and those of what keeps a copy in its backing store for locks to find.
 * Nothing but a transfer changes the order, and a transfer needs a memory segment. So what is to be
 * locked, and is swizzled in system memory or in an aperture, is *fetched* first: brought into a
 * memory segment, as if a DMA buffer of one reference needed it, and then it goes where the lock
 * can have it.
 *
 * Zeros are in either order.
 *
 * Invariants
 * Y1. Unswizzled content is in a backing store that no aperture shows, but an eviction aperture
 *     while the transfer is on its way.
 * Y2. Content that is unswizzled may be brought into a memory segment for every reference.
 * Y3. One lock at a time that waits has something fetched: two would drive out what the other has
 *     fetched, each before it is locked, for ever.
 *
 * Source: "Locking swizzled allocations"; rules D-075, S4-053.
 */
#include "vidmm/engine/state/swizzle.h"

#include <base/assert.h>

#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/wish.h"

static bool keeps_copy(const struct vidmm_placement *placement)
{
    return (placement->wish.flags & VIDMM_KEEPS_COPY) != 0;
}

bool vidmm_swizzle_may_unswizzle(const struct vidmm_engine *engine,
                                 const struct vidmm_placement *placement)
{
    uint32_t sets = vidmm_placement_set(placement, false) & vidmm_placement_set(placement, true);

    return (sets & ~vidmm_apertures(engine)) != 0; /* Y2 */
}

bool vidmm_swizzle_is_linear(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement)
{
    bool backing = vidmm_place_is_system(&placement->at);

    if (placement->away)
        return false;
    if (!vidmm_placement_is_swizzled(placement))
        return !vidmm_place_is_memory(&placement->at);
    if (vidmm_place_is_nowhere(&placement->at))
        return vidmm_swizzle_may_unswizzle(engine, placement);
    if (vidmm_place_is_memory(&placement->at) && keeps_copy(placement))
        return placement->unswizzled && !placement->dirty;
    return backing && placement->unswizzled;
}

void vidmm_swizzle_cleared(struct vidmm_placement *placement)
{
    placement->unswizzled = vidmm_placement_is_swizzled(placement);
}

/* Whether somebody looks at the backing store when it is out. */
static bool is_looked_at(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return vidmm_placement_is_followed(placement) || placement->unswizzles ||
           (keeps_copy(placement) && vidmm_swizzle_may_unswizzle(engine, placement));
}

bool vidmm_swizzle_keeps_from_apertures(const struct vidmm_engine *engine,
                                        const struct vidmm_placement *placement)
{
    if (placement->away && !vidmm_place_is_nowhere(&placement->at))
        return true;
    if (!vidmm_placement_is_swizzled(placement))
        return false;
    return vidmm_place_is_memory(&placement->at) ? is_looked_at(engine, placement)
                                                 : vidmm_placement_is_unswizzled(placement);
}

void vidmm_swizzle_out(struct vidmm_engine *engine, struct vidmm_placement *placement,
                       struct vidmm_move *move)
{
    bool looked_at = vidmm_placement_is_swizzled(placement) && is_looked_at(engine, placement);

    VIDMM_ASSERT(move == &placement->moves->out);
    placement->unswizzles = false;
    move->swizzles = false;
    switch ((enum vidmm_paging_kind)vidmm_move_step(move)->operation) {
    case VIDMM_TRANSFER:
        move->swizzles = looked_at; /* obeys D-075, S4-053 */
        placement->unswizzled = looked_at;
        break;
    case VIDMM_SPECIAL_LOCK_TRANSFER:
        move->swizzles = vidmm_placement_is_swizzled(placement); /* obeys S4-053 */
        placement->unswizzled = false;
        placement->away = true;
        break;
    case VIDMM_UNMAP_APERTURE_SEGMENT:
        placement->unswizzled = false;
        break;
    case VIDMM_DISCARD_CONTENT:
    case VIDMM_UPDATE_PAGE_TABLE: /* by address nothing is swizzled */
    case VIDMM_FLUSH_TLB:
    case VIDMM_NOTIFY_RESIDENCY:
    case VIDMM_NOTIFY_ALLOCATION:
    case VIDMM_SIGNAL_MONITORED_FENCE:
        break; /* the copy is as it was */
    case VIDMM_TRANSFER_VIRTUAL:
    case VIDMM_FILL_VIRTUAL:
    case VIDMM_FILL:
    case VIDMM_READ_PHYSICAL:
    case VIDMM_WRITE_PHYSICAL:
    case VIDMM_MAP_APERTURE_SEGMENT:
    case VIDMM_INIT_CONTEXT_RESOURCE:
    case VIDMM_UPDATE_CONTEXT_ALLOCATION:
        break; /* no page-outs */
    }
}

void vidmm_swizzle_in(struct vidmm_placement *placement, struct vidmm_move *move)
{
    bool unswizzled = vidmm_placement_is_unswizzled(placement);

    VIDMM_ASSERT(move == &placement->moves->in);
    if (placement->away && !vidmm_place_is_nowhere(&placement->at)) {
        vidmm_move_assign(move, LIST_SPECIAL_IN); /* obeys S4-050 */
        move->swizzles = vidmm_placement_is_swizzled(placement);
        placement->away = false;
        return;
    }
    placement->away = false;
    move->swizzles = move->list == LIST_IN && unswizzled; /* obeys D-075 */
    VIDMM_ASSERT(move->list != LIST_MAP || !unswizzled);  /* Y1 */
    if (!keeps_copy(placement) || !unswizzled)
        placement->unswizzled = false;
}

bool vidmm_swizzle_copy_is_good(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement)
{
    return !placement->dirty && (!vidmm_placement_is_swizzled(placement) || placement->unswizzled ||
                                 !is_looked_at(engine, placement));
}
