/* context.h: which context each node runs, and how it leaves it; context.c says why.
 *
 * For the modules of the engine, as engine_state.h.
 */
#ifndef VIDMM_CONTEXT_H
#define VIDMM_CONTEXT_H

#include "engine_state.h"

/* A packet of the context goes to the node. */
void vidmm_context_run(struct vidmm_engine *engine, uint32_t node, uint32_t context,
                       uint64_t fence);
/* It names the placement; `last_use` is that of the packet before. */
void vidmm_context_use(const struct vidmm_engine *engine, struct vidmm_placement *placement,
                       uint32_t node);
/* A paging buffer goes to its node. */
void vidmm_context_page(struct vidmm_engine *engine);
/* Before the placement leaves its place: have every node whose running context has used it switch
 * to none. DONE: none has. */
enum vidmm_outcome vidmm_context_leave(struct vidmm_engine *engine,
                                       const struct vidmm_placement *placement);
/* Whether it stays where it is: a context allocation of what a node runs (D-138). */
bool vidmm_context_keeps(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);
/* Whether a node may yet write into a context allocation: it runs what has used it, or has not left
 * it. */
bool vidmm_context_holds(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);
/* Whether a node keeps it, and stands between two parts of a DMA buffer, where it does not
 * leave. */
bool vidmm_context_stays_inside(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);
/* A DMA buffer that was split is at its end: those may go that had to stay for it. */
void vidmm_context_reconsider(struct vidmm_engine *engine);
/* Before giving up for want of room: have one node leave a context whose allocations are kept.
 * NONE: no node runs such a one. */
enum vidmm_outcome vidmm_context_yield(struct vidmm_engine *engine);
/* What has to be complete before the placement's place is another's: 0: nothing. */
uint64_t vidmm_context_fence(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement);
/* Hand out the switch of a node, for the first time or again. */
void vidmm_context_tell(struct vidmm_engine *engine, uint32_t node, bool again);
/* Its fence has passed. */
void vidmm_context_left(struct vidmm_engine *engine, const struct vidmm_flight *flight);
/* The packet with the old fence has a new one. */
void vidmm_context_renumber(struct vidmm_engine *engine, uint32_t node, uint64_t old,
                            uint64_t fence);
/* The node was reset: it runs nothing. */
void vidmm_context_forget(struct vidmm_engine *engine, uint32_t node);

#endif
