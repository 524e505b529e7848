/* move.h: page-ins and page-outs; move.c queues them, paging.c builds them.
 *
 * For the modules of the engine, as engine_state.h.
 */
#ifndef VIDMM_MOVE_H
#define VIDMM_MOVE_H

#include "engine_state.h"

/* The placement whose member it is. */
static inline struct vidmm_placement *vidmm_move_owner(const struct vidmm_move *move)
{
    size_t offset =
        move->inward ? offsetof(struct vidmm_placement, in) : offsetof(struct vidmm_placement, out);

    return (struct vidmm_placement *)(void *)((uintptr_t)move - offset);
}

/* Whether nothing else goes on beside it (S0-050). */
static inline bool vidmm_move_is_synchronous(const struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);

    return (placement->wish.flags & VIDMM_SYNCHRONOUS_PAGING) != 0 || placement->reads; /* D1 */
}

/* Whether it brings content that is made in its place (a memory segment). */
static inline bool vidmm_move_makes_content(const struct vidmm_move *move)
{
    return move->operation == VIDMM_FILL || move->operation == VIDMM_INIT_CONTEXT_RESOURCE;
}

/* The content that a queued page-in was to bring is lost: it brings what the first one brought. */
void vidmm_move_bring_first_content(struct vidmm_placement *placement);

/* Queue a move whose members are set; it is idle. */
void vidmm_move_enqueue(struct vidmm_engine *engine, struct vidmm_move *move);
/* The transfer of a page-out through an aperture is complete: its unmap is queued. */
void vidmm_move_make_due(struct vidmm_engine *engine, struct vidmm_move *move);

#endif
