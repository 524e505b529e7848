/* dying.h: allocations that their owner has destroyed; dying.c. */
#ifndef VIDMM_ENGINE_STATE_DYING_H
#define VIDMM_ENGINE_STATE_DYING_H

#include <stdbool.h>

struct vidmm_engine;
struct vidmm_placement;

/* Whether nothing refers to a dying placement any more (P5). */
bool vidmm_dying_may_go(const struct vidmm_engine *engine, const struct vidmm_placement *placement);
/* Put it into the list of those that vidmm_burial_serve() looks at, if it may go. */
void vidmm_dying_reconsider(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* A DMA buffer that was split is at its end: reconsider the context allocations that had to stay
 * for it. */
void vidmm_dying_reconsider_contexts(struct vidmm_engine *engine);

#endif
