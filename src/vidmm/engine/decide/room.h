/* room.h: where an allocation goes, and who has to leave for it; room.c draws the three ways.
 *
 * The answers change nothing; settlement.h says how they are applied. FOUND: the settlement says
 * where the placement settles, and who leaves for it. CALL: it says who is to be claimed first.
 * LATER: something in flight ends first. NONE: there is no room this way.
 */
#ifndef VIDMM_ENGINE_DECIDE_ROOM_H
#define VIDMM_ENGINE_DECIDE_ROOM_H

#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/wish.h"

/* Whether the work whose turn it is names it, or the residency list of its device does. */
static inline bool vidmm_room_is_held(const struct vidmm_engine *engine,
                                      const struct vidmm_placement *placement)
{
    return placement->held || (placement->listings && vidmm_residency_holds(engine, placement));
}

/* Whether its moves let it leave its range now (R2). */
static inline bool vidmm_room_may_move(const struct vidmm_engine *engine,
                                       const struct vidmm_placement *placement)
{
    return !placement->buffer && !vidmm_placement_is_locked(placement) && !placement->kept &&
           !vidmm_wish_is_pinned(&placement->wish) && placement->moves->out.state == MOVE_IDLE &&
           placement->moves->in.state != MOVE_QUEUED &&
           !(placement->context_allocation && vidmm_context_keeps(engine, placement));
}

/* Whether it is destroyed, and named by nothing but what is in flight: its range will be free
 * without paging. (A MakeResident whose page tables want memory is not in flight.) */
static inline bool vidmm_room_is_ending(const struct vidmm_engine *engine,
                                        const struct vidmm_placement *placement)
{
    if (placement->on_dying)
        return true;
    if (!placement->dying || placement->uses != placement->references)
        return false;
    return placement->listings ? vidmm_residency_ends(engine, placement) : placement->uses > 0;
}

/* Whether it may leave for something else (R2). */
static inline bool vidmm_room_is_victim(const struct vidmm_engine *engine,
                                        const struct vidmm_placement *placement)
{
    return !vidmm_room_is_held(engine, placement) && vidmm_room_may_move(engine, placement) &&
           !vidmm_room_is_ending(engine, placement);
}

/* Whether the work at the head names it, and it can still give up its range of an aperture: it is
 * mapped again afterwards. */
static inline bool vidmm_room_is_spare(const struct vidmm_engine *engine,
                                       const struct vidmm_placement *placement)
{
    return vidmm_room_is_held(engine, placement) && vidmm_room_may_move(engine, placement) &&
           placement->moves->in.state == MOVE_IDLE;
}

/* Whether it cannot leave now but will be able to, or will be gone, by what is in flight. A lock is
 * not of that kind: its holder may wait for us. Nor is a queued move: it may stand behind the one
 * that asks. */
static inline bool vidmm_room_is_transient(const struct vidmm_engine *engine,
                                           const struct vidmm_placement *placement)
{
    bool leaves =
        placement->moves->out.state == MOVE_BUILT || placement->moves->out.state == MOVE_DUE;

    return !placement->held && !vidmm_placement_is_locked(placement) &&
           (vidmm_room_is_ending(engine, placement) || leaves);
}

/* The placement whose live range it is, or whose run. NULL: it is a range of an eviction aperture,
 * or reserved. */
static inline struct vidmm_placement *vidmm_room_owner(const struct vidmm_engine *engine,
                                                       uint32_t segment, vidmm_range range)
{
    struct vidmm_placement *placement =
        vidmm_placement_find(engine, vidmm_range_owner(&engine->segments[segment].ranges, range));

    return placement && vidmm_place_is_in(&placement->given, segment) &&
                   (placement->given.range == range || placement->given.runs != 0)
               ? placement
               : NULL;
}

/* The placement that a range of any kind belongs to. NULL: none, as of vidmm_room_owner(); or it is
 * a hole. */
static inline struct vidmm_placement *vidmm_room_resident(const struct vidmm_engine *engine,
                                                          uint32_t segment, vidmm_range range)
{
    return vidmm_range_is_hole(&engine->segments[segment].ranges, range)
               ? NULL
               : vidmm_room_owner(engine, segment, range);
}

/* Find room for the placement in the segment, evicting what is not held: old and small
 * placements. */
enum vidmm_found vidmm_room_by_cost(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                    uint32_t segment, struct vidmm_settlement *settlement);
/* Find room as by cost, evicting only those of a lower class than `ranks`; 0: nobody. */
enum vidmm_found vidmm_room_below(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                  uint32_t segment, uint32_t ranks,
                                  struct vidmm_settlement *settlement);
/* Find room for it, moving smaller allocations of the work at the head out of the way too. */
enum vidmm_found vidmm_room_by_window(struct vidmm_engine *engine,
                                      struct vidmm_placement *placement, uint32_t segment,
                                      struct vidmm_settlement *settlement);
/* A place in an eviction aperture, decided and not taken. */
struct vidmm_passage {
    struct vidmm_leavers leavers; /* they leave the aperture for it */
    struct vidmm_fit fit;
    uint32_t segment;
    bool held_too; /* the work at the head names some of them, and has them mapped again */
};

/* Find such a place for its page-out; *passage receives it. Nothing has changed, whatever the
 * answer: FOUND, LATER or NONE. */
enum vidmm_found vidmm_room_find_passage(struct vidmm_engine *engine,
                                         const struct vidmm_placement *placement,
                                         struct vidmm_passage *passage);
/* Take it, before anything else has been asked here. Call vidmm_leaving_queue() afterwards. */
void vidmm_room_take_passage(struct vidmm_engine *engine, struct vidmm_placement *placement,
                             const struct vidmm_passage *passage);

/* Bytes that may still be committed to the segment (D-010, D-011); UINT64_MAX: no limit. */
uint64_t vidmm_room_commit(const struct vidmm_engine *engine, uint32_t segment);

#endif
