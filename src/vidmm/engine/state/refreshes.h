/* refreshes.h: pages of a backing store that the CPU has written and a segment's copy has not seen;
 * refreshes.c says how they are kept.
 *
 * refresh.h (engine/carry) queues the move that transfers them.
 */
#ifndef VIDMM_ENGINE_STATE_REFRESHES_H
#define VIDMM_ENGINE_STATE_REFRESHES_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_placement;

/* Make room for what may be due of a new placement, which has its wish. False: no memory, and
 * nothing has changed. */
bool vidmm_refreshes_init(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Give back what init and add have allocated. */
void vidmm_refreshes_finish(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* Remember that pages [first, first + count) are due. Allocates a record if it can, and does
 * without one if not (X1). */
void vidmm_refreshes_add(struct vidmm_engine *engine, struct vidmm_placement *placement,
                         uint32_t first, uint32_t count);
/* Forget the first pages that are due: they are built. True: others are due. */
bool vidmm_refreshes_next(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Forget all that is due: there is no copy any more, or soon none. */
void vidmm_refreshes_forget(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* Whether the copy in a segment is older than the backing store. */
static inline bool vidmm_refresh_is_due(const struct vidmm_placement *placement)
{
    return placement->refreshes && placement->refreshes->first.count > 0;
}

#endif
