/* context.h: which context each node runs, and what stays in place for it; context.c says why.
 *
 * switch.h (engine/carry) has a node leave its context. Nothing here allocates or refuses.
 */
#ifndef VIDMM_ENGINE_STATE_CONTEXT_H
#define VIDMM_ENGINE_STATE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_flight;
struct vidmm_placement;

/* A packet of the context goes to the node, with that fence. */
void vidmm_context_run(struct vidmm_engine *engine, uint32_t node, uint32_t context,
                       uint64_t fence);
/* Record a use on `node`. Call before updating last_use, which is still the packet's before. */
void vidmm_context_use(const struct vidmm_engine *engine, struct vidmm_placement *placement,
                       uint32_t node);
/* A paging buffer goes to its node. */
void vidmm_context_page(struct vidmm_engine *engine, uint32_t node);
/* The packet with the old fence has a new one. */
void vidmm_context_renumber(struct vidmm_engine *engine, uint32_t node, uint64_t old,
                            uint64_t fence);
/* The node was reset: it runs nothing. */
void vidmm_context_forget(struct vidmm_engine *engine, uint32_t node);
/* The fence of a node's switch has passed. */
void vidmm_context_left(struct vidmm_engine *engine, const struct vidmm_flight *flight);

/* Whether what the node runs has used the placement. */
bool vidmm_context_has_used(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement, uint32_t node);
/* Whether the node stands between two parts of a DMA buffer: the rest of it leans on what the
 * first parts left in the GPU, and only paging comes between them (D-342). */
bool vidmm_context_is_inside(const struct vidmm_engine *engine, uint32_t node);
/* Fence that has to be complete before the placement's place is another's: of the newest begin or
 * end of a run on a node that may have used it. Another node may have used it since, so that the
 * placement's last use does not tell of which run. 0: none has. */
uint64_t vidmm_context_fence(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement);
/* Whether it stays where it is: a context allocation of what a node runs (D-138). */
bool vidmm_context_keeps(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);
/* Whether a node may yet write into a context allocation: it runs what has used it, or has not
 * left it. */
bool vidmm_context_holds(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);
/* Whether a node keeps it, and stands between two parts of a DMA buffer, where it does not
 * leave. */
bool vidmm_context_stays_inside(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);

#endif
