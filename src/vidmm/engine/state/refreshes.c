/* refreshes.c: pages of a backing store that the CPU has written, and a segment's copy has not
 * seen.
 *
 *     first (made with the placement) --> record --> record     the order in which they are due
 *     spare (made with the placement)                           for want of memory for a record
 *
 * Invariant
 * X1. The first pages due have a place that is made with the placement; those after it are records.
 *     Without memory for a record the last one, or a spare one, grows to hold both: too much is
 *     refreshed then, never too little.
 */
#include "vidmm/engine/state/refreshes.h"

#include <vidmm/memory.h>
#include <vidmm/plan.h>

#include "base/assert.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement_state.h"

struct vidmm_placement;
struct vidmm_refresh;

bool vidmm_refreshes_init(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(!placement->refreshes);
    if ((placement->wish.flags & VIDMM_KEEPS_COPY) != 0) {
        placement->refreshes =
            engine->memory.allocate(engine->memory.context, sizeof(*placement->refreshes));
        return placement->refreshes != NULL;
    }
    return true;
}

void vidmm_refreshes_finish(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (placement->refreshes) {
        vidmm_refreshes_forget(engine, placement);
        engine->memory.free(engine->memory.context, placement->refreshes);
    }
}

static void widen(struct vidmm_refresh *refresh, uint32_t first, uint32_t count)
{
    uint32_t end = first + count, own_end = refresh->first + refresh->count;

    VIDMM_ASSERT(count > 0);
    refresh->first = first < refresh->first || refresh->count == 0 ? first : refresh->first;
    refresh->count = (end > own_end ? end : own_end) - refresh->first;
}

/* The first is being built, maybe, and stays as it is. */
void vidmm_refreshes_add(struct vidmm_engine *engine, struct vidmm_placement *placement,
                         uint32_t first, uint32_t count)
{
    struct vidmm_refreshes *due = placement->refreshes;
    struct vidmm_refresh *refresh;

    VIDMM_ASSERT(due && count > 0);
    if (due->first.count == 0) {
        due->first.first = first;
        due->first.count = count;
        return;
    }
    refresh = engine->memory.allocate(engine->memory.context, sizeof(*refresh));
    if (!refresh) {
        widen(due->rest.last ? due->rest.last : &due->spare, first, count); /* X1 */
        return;
    }
    refresh->first = first;
    refresh->count = count;
    vidmm_refresh_queue_add(&due->rest, refresh);
}

bool vidmm_refreshes_next(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_refreshes *due = placement->refreshes;
    struct vidmm_refresh *next = vidmm_refresh_queue_take(&due->rest);

    if (!next) {
        due->first = due->spare;
        due->spare = (struct vidmm_refresh){0};
        return due->first.count > 0;
    }
    due->first = *next;
    engine->memory.free(engine->memory.context, next);
    return true;
}

void vidmm_refreshes_forget(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    while (placement->refreshes && vidmm_refreshes_next(engine, placement)) {
    }
}
