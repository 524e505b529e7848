/* move.h: page-ins and page-outs, queued; move.c draws their states, paging.c builds them.
 *
 * A placement has its moves before one is decided for (move_pair.h), so that queueing one allocates
 * nothing and cannot fail.
 */
#ifndef VIDMM_ENGINE_CARRY_MOVE_H
#define VIDMM_ENGINE_CARRY_MOVE_H

#include <stddef.h>

#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/placement_state.h"

struct place;
struct vidmm_engine;
struct vidmm_move;

/* The owner of the move; NULL: it is one of the pair that is nobody's. */
static inline struct vidmm_placement *vidmm_move_owner(const struct vidmm_move *move)
{
    size_t offset =
        move->inward ? offsetof(struct vidmm_move_pair, in) : offsetof(struct vidmm_move_pair, out);

    return ((const struct vidmm_move_pair *)(const void *)((uintptr_t)move - offset))->placement;
}

/* Whether nothing else goes on beside it (S0-050). */
static inline bool vidmm_move_is_synchronous(const struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);

    return (placement->wish.flags & VIDMM_SYNCHRONOUS_PAGING) != 0 || placement->reads; /* J1 */
}

/* Give back its place in an eviction aperture; it has one, and nothing is mapped there. */
void vidmm_move_release_passage(struct vidmm_engine *engine, struct vidmm_move *move);

/* Make the move one of the list, from or to a place in a segment; it is idle. Neither does it come
 * from another place, nor go through an eviction aperture, nor change the order of bytes. */
void vidmm_move_init(struct vidmm_move *move, enum move_list list, const struct place *place);
/* The move whose next call is due; NULL: there is none. */
struct vidmm_move *vidmm_move_next(const struct vidmm_engine *engine);
/* Queue a move that is made. */
void vidmm_move_enqueue(struct vidmm_engine *engine, struct vidmm_move *move);
/* Queue the page-out from where the content is. The CPU is off, and no page-out is under way. */
void vidmm_move_queue_out(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Queue the page-out from a memory segment of what is not worth keeping. */
void vidmm_move_queue_discard(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Queue the page-in to where the range is. */
void vidmm_move_queue_in(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Queue the transfer of what the CPU has written of the backing store. */
void vidmm_move_queue_refresh(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Queue one transfer to its new place in the same memory segment. */
void vidmm_move_queue_direct(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The transfer of a page-out through an aperture is complete: its unmap is queued. */
void vidmm_move_make_due(struct vidmm_engine *engine, struct vidmm_move *move);
/* The content that a queued page-in was to bring is lost: it brings what the first one brought. */
void vidmm_move_bring_first_content(const struct vidmm_engine *engine,
                                    struct vidmm_placement *placement);

#endif
