/* refresh.c: bringing the copy in a memory segment up to date when the CPU has written the backing
 * store.
 *
 *     lock (backing store)  write pages 3, 4, 9  unlock --> REFRESH 3+2, REFRESH 9+1
 *     ... as one move: transfer pages 3, 4; transfer page 9; and then the GPU may look again
 *
 * An allocation that keeps its backing store is locked there wherever it is (S0-012). What the CPU
 * has written is transferred to the segment, those pages alone, by the page-in of the placement: so
 * it is ordered like one. If there is no copy when the pages become known, or when their turn
 * comes, nothing is to be done.
 *
 * Invariants
 * X1. The first pages due have a place that is made with the placement; those after it are records.
 *     Without memory for a record the last one, or a spare one, grows to hold both: too much is
 *     refreshed then, never too little.
 * X2. While pages are due no DMA buffer that names the placement is submitted.
 * X3. While the adapter rests pages stay due: nothing is built without power.
 */
#include "engine_state.h"

NTSTATUS vidmm_refresh_check(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_placement *placement =
        vidmm_placement_find(engine, event->refresh.allocation);
    uint64_t pages = placement ? placement->wish.size / VIDMM_PAGE : 0;

    if (!placement || placement->dying || (placement->wish.flags & VIDMM_KEEPS_COPY) == 0 ||
        event->refresh.count == 0 || event->refresh.first >= pages ||
        event->refresh.count > pages - event->refresh.first)
        return STATUS_INVALID_PARAMETER;
    return STATUS_SUCCESS;
}

bool vidmm_refresh_init(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if ((placement->wish.flags & VIDMM_KEEPS_COPY) != 0) {
        placement->refreshes =
            engine->memory.allocate(engine->memory.context, sizeof(*placement->refreshes));
        return placement->refreshes != NULL;
    }
    return true;
}

void vidmm_refresh_finish(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    vidmm_refresh_forget(engine, placement);
    if (placement->refreshes)
        engine->memory.free(engine->memory.context, placement->refreshes);
}

static void widen(struct vidmm_refresh *refresh, uint32_t first, uint32_t count)
{
    uint32_t end = first + count, own_end = refresh->first + refresh->count;

    refresh->first = first < refresh->first || refresh->count == 0 ? first : refresh->first;
    refresh->count = (end > own_end ? end : own_end) - refresh->first;
}

/* The first is being built, maybe, and stays as it is. */
static void append(struct vidmm_engine *engine, struct vidmm_placement *placement, uint32_t first,
                   uint32_t count)
{
    struct vidmm_refreshes *due = placement->refreshes;
    struct vidmm_refresh *refresh;

    if (due->first.count == 0) {
        due->first.first = first;
        due->first.count = count;
        return;
    }
    refresh = engine->memory.allocate(engine->memory.context, sizeof(*refresh));
    if (!refresh) {
        widen(due->last ? due->last : &due->spare, first, count); /* X1 */
        return;
    }
    refresh->first = first;
    refresh->count = count;
    if (due->last)
        due->last->next = refresh;
    else
        due->first.next = refresh;
    due->last = refresh;
}

void vidmm_refresh_add(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->refresh.allocation);

    if (placement->content == CONTENT_SEGMENT) {
        append(engine, placement, event->refresh.first, event->refresh.count);
        vidmm_refresh_begin(engine, placement);
    }
}

void vidmm_refresh_begin(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!vidmm_refresh_is_due(placement) || placement->in.state != MOVE_IDLE ||
        placement->out.state != MOVE_IDLE || placement->leaving ||
        engine->rest.stage == REST_RESTING) /* X3 */
        return;
    vidmm_move_queue_refresh(engine, placement);
}

bool vidmm_refresh_next(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_refreshes *due = placement->refreshes;
    struct vidmm_refresh *next = due->first.next;

    if (!next) {
        due->first = due->spare;
        due->spare = (struct vidmm_refresh){0};
        return due->first.count > 0;
    }
    due->first = *next;
    if (due->last == next)
        due->last = NULL;
    engine->memory.free(engine->memory.context, next);
    return true;
}

void vidmm_refresh_resume(struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 0; id < engine->placement_capacity; id++)
        if (engine->placements[id])
            vidmm_refresh_begin(engine, engine->placements[id]);
}

void vidmm_refresh_forget(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    while (placement->refreshes && vidmm_refresh_next(engine, placement)) {
    }
}
