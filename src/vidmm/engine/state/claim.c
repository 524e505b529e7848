/* claim.c: keeping the CPU off what is about to move.
 *
 * The client grants a lock by itself where nothing can be in the way (a word changed by
 * compare-and-swap); it asks the engine otherwise (lock.c). A grant to a place in a memory segment
 * leaves the placement *open*: from then on the client may grant further ones alone. So before such
 * a placement changes its place the engine claims it. Backing store keeps its CPU address whatever
 * an aperture shows, so nothing needs a claim there.
 *
 *               claim: refused (it is pinned by the lock) --------> locked ---- UNLOCK ---> open
 *               |
 *     open -----+----- granted: no lock is held ------------------> closed
 *      ^        |
 *      |        '----- follows: locks are held, whoever touches --> followed
 *      |               the addresses waits                            |
 *      '---------- SHOW, when the moves are done, or there were none -'   (show.c)
 *
 * Invariants
 * L1. A place in a memory segment changes only while its placement is not open.
 * L3. A followed placement is not open and stands in the list of the followed. When a step ends, it
 *     has a move under way, or a claim is (so nobody waits for its SHOW in vain). D-147
 * L4. `locked` of the engine counts the placements on which a claim failed and that were not
 *     unlocked since.
 */
#include "vidmm/engine/state/claim.h"

#include <base/assert.h>

#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/host_state.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"

enum vidmm_found vidmm_claim_state(const struct vidmm_placement *placement)
{
    switch ((enum lock_state)placement->lock) {
    case LOCK_REFUSED:
    case LOCK_STRANDED:
        return FOUND_LATER;
    case LOCK_OPEN:
        return FOUND_CALL;
    case LOCK_CLOSED: /* L1 */
    case LOCK_FOLLOWED:
    case LOCK_STATES:
        break;
    }
    return FOUND;
}

/* Whether addresses of a backing store can follow wherever residency may bring what it holds. */
static bool may_follow(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    return placement->follows ||
           (placement->hosted && vidmm_host_reserve(engine, placement)); /* obeys S2-025 */
}

void vidmm_claim_call(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_operation *claim = vidmm_emit(engine, VIDMM_DO_CLAIM);

    VIDMM_ASSERT(vidmm_claim_state(placement) == FOUND_CALL || placement->lent);
    VIDMM_ASSERT(engine->call == CALL_NONE); /* E1 */
    claim->allocation = placement->id;
    claim->claim.stays = placement->lent && !may_follow(engine, placement);
    claim->claim.peeks = engine->host->peeks;
    engine->call = CALL_CLAIM;
    engine->call_claim = placement;
}

static void follow(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    vidmm_lock_change(engine, placement, LOCK_FOLLOW);
    placement->followed_next = engine->followed;
    engine->followed = placement;
}

/* The claim was for a backing store that was lent. */
static void answer_lent(struct vidmm_engine *engine, struct vidmm_placement *placement,
                        uint32_t granted)
{
    VIDMM_ASSERT(placement->lent && !vidmm_placement_is_open(placement)); /* RE1 */
    placement->lent = false;
    placement->staged = granted == VIDMM_CLAIM_REFUSED; /* obeys S2-021 */
    if (granted == VIDMM_CLAIM_FOLLOWS)
        follow(engine, placement);
    else
        vidmm_host_release(engine, placement);
}

/* The claim asked whether what shows it may go (host_aperture.c). */
static void answer_peek(struct vidmm_engine *engine, struct vidmm_placement *placement,
                        uint32_t granted)
{
    engine->host->peeks = false;
    if (granted == VIDMM_CLAIM_GRANTED)
        vidmm_lock_change(engine, placement, LOCK_CLOSE);
    else
        vidmm_host_renew(engine, placement);
}

bool vidmm_claim_may_end(const struct vidmm_engine *engine, uint32_t granted)
{
    return engine->host->peeks ? granted <= VIDMM_CLAIM_USED && granted != VIDMM_CLAIM_FOLLOWS
                               : granted <= VIDMM_CLAIM_FOLLOWS;
}

void vidmm_claim_answered(struct vidmm_engine *engine, uint32_t granted)
{
    struct vidmm_placement *placement = engine->call_claim;

    VIDMM_ASSERT(engine->call == CALL_CLAIM && placement);
    engine->call = CALL_NONE;
    engine->call_claim = NULL;
    vidmm_dying_reconsider(engine, placement); /* P5 */
    if (engine->host->peeks) {
        answer_peek(engine, placement, granted);
    } else if (placement->lent) {
        answer_lent(engine, placement, granted);
    } else if (granted == VIDMM_CLAIM_REFUSED) {
        vidmm_lock_change(engine, placement, LOCK_REFUSE);
    } else if (granted == VIDMM_CLAIM_FOLLOWS) {
        follow(engine, placement);
    } else {
        VIDMM_ASSERT(granted == VIDMM_CLAIM_GRANTED);
        vidmm_lock_change(engine, placement, LOCK_CLOSE);
    }
}

void vidmm_claim_forget(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_placement **link = &engine->followed;

    if (!vidmm_placement_is_followed(placement))
        return;
    while (*link != placement)
        link = &(*link)->followed_next;
    *link = placement->followed_next;
    placement->followed_next = NULL;
    vidmm_lock_change(engine, placement, LOCK_FORGET);
}
