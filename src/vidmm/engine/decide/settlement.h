/* settlement.h: who leaves and who settles: a decision as data, and its application.
 *
 *     a question --> settlement: old and older leave, texture settles at 0x5000 of segment 2
 *     (room.h,                   or: claim texture first, then ask again
 *      packing.h,                or: something in flight ends first, then ask again
 *      residency.h,              or: it cannot be
 *      exception.h)      |
 *                        '--> vidmm_settlement_apply(): ranges change, and it cannot refuse
 *
 * The question has changed nothing. A settlement holds until anything has: apply it
 * before the next question.
 */
#ifndef VIDMM_ENGINE_DECIDE_SETTLEMENT_H
#define VIDMM_ENGINE_DECIDE_SETTLEMENT_H

#include <vidmm/segment.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* Those who leave, in this order: a list by marked_next. */
struct vidmm_leavers {
    struct vidmm_placement *first, *last;
    uint64_t freed; /* their bytes */
};

struct vidmm_settlement {
    /* The state once it is applied. FOUND: who asked has what was asked for. CALL: a claim is
     * under way, ask again after its answer. LATER: something in flight ends first, then ask
     * again. NONE: it cannot be. */
    enum vidmm_found found;
    bool more; /* FOUND: a step of several was decided; ask for the next */

    struct vidmm_leavers leavers;    /* they leave their ranges, first */
    struct vidmm_placement *settler; /* it is given a range; NULL: nobody is */
    struct vidmm_fit fit;            /* ... there: a hole, or what the leavers make room at */
    bool in_runs;                    /* ... or in runs of what is free once they have left */
    uint32_t segment;
    const struct vidmm_work *work; /* it is packed; NULL: it is not */
    uint32_t packed;               /* ... so many of work->missing: who has no range then gets the
                                      one at its target */
    struct vidmm_placement *claim; /* CALL: the one that is to be claimed */
};

/* The one behind it in a list of those who leave; NULL: it is the last. */
struct vidmm_placement *vidmm_leavers_next(const struct vidmm_engine *engine,
                                           const struct vidmm_placement *placement);
/* Add a placement, which has a range and is in no such list. Nothing leaves yet. */
void vidmm_leavers_add(const struct vidmm_engine *engine, struct vidmm_leavers *leavers,
                       struct vidmm_placement *placement);
/* Add all of a segment that are `chosen`, the oldest first; nobody is chosen any more. */
void vidmm_leavers_add_chosen(const struct vidmm_engine *engine, struct vidmm_leavers *leavers,
                              uint32_t segment);

/* Whether the CPU is off all of them: FOUND, and the settlement has them; CALL, and it has the
 * first that must be claimed; LATER. Nothing has changed. */
enum vidmm_found vidmm_settlement_evicts(const struct vidmm_engine *engine,
                                         struct vidmm_settlement *settlement,
                                         const struct vidmm_leavers *leavers);
/* Do what was decided. Call vidmm_leaving_queue() when the whole decision stands. */
void vidmm_settlement_apply(struct vidmm_engine *engine, const struct vidmm_settlement *settlement);

/* One leaves its range: it joins the list of those leaving. The CPU is off. */
void vidmm_settlement_evict(struct vidmm_engine *engine, struct vidmm_placement *leaver);
/* All of a list leave. */
void vidmm_settlement_evict_all(struct vidmm_engine *engine, const struct vidmm_leavers *leavers);

#endif
