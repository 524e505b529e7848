/* eviction.c: what no residency list wants any more leaves its segment.
 *
 *     Evict, the last one --> leaves now                                     no delay
 *                        '--> noted --> the time has come --> leaves         a test has set one
 *                               '--> wanted again, or destroyed: forgotten
 *
 * It may not leave at that moment if the GPU still uses it, or the adapter rests; then it stays
 * until room is wanted.
 *
 * Invariants
 * EV1. A placement has `late` exactly if it is noted, once; it is not dying then.
 */
#include "vidmm/engine/work/eviction.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/standstill.h"

/* One that leaves later. */
struct vidmm_late_eviction {
    struct vidmm_late_eviction *next;
    struct vidmm_placement *placement;
    uint64_t due_ns;
};

static void leave(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (vidmm_reset_rests(engine) || engine->rest->stage != REST_NONE ||
        !vidmm_placement_has_range(placement) || !vidmm_room_is_victim(engine, placement) ||
        vidmm_claim_state(placement) != FOUND || placement->references > 0)
        return;
    VIDMM_ASSERT(!placement->held); /* R2 */
    vidmm_settlement_evict(engine, placement);
    vidmm_leaving_queue(engine);
}

/* Take the note out. */
static struct vidmm_placement *take(struct vidmm_engine *engine, struct vidmm_late_eviction **at)
{
    struct vidmm_late_eviction *note = *at;
    struct vidmm_placement *placement = note->placement;

    VIDMM_ASSERT(placement->late); /* EV1 */
    placement->late = false;
    *at = note->next;
    engine->memory.free(engine->memory.context, note);
    return placement;
}

void vidmm_eviction_forget(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_late_eviction **at = &engine->late_evictions;

    if (!placement->late)
        return;
    while ((*at)->placement != placement)
        at = &(*at)->next;
    take(engine, at);
}

void vidmm_eviction_begin(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_late_eviction *note = NULL;

    VIDMM_ASSERT(!placement->dying); /* EV1 */
    vidmm_eviction_forget(engine, placement);
    if (engine->eviction_delay_ns != 0)
        note = engine->memory.allocate(engine->memory.context, sizeof(*note));
    if (!note) { /* without memory for a note it is not delayed */
        leave(engine, placement);
        return;
    }
    *note = (struct vidmm_late_eviction){engine->late_evictions, placement,
                                         engine->time_ns + engine->eviction_delay_ns};
    engine->late_evictions = note;
    placement->late = true; /* EV1 */
}

NTSTATUS vidmm_eviction_set_delay(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (!engine->config.explicit_residency || event->test.time_ns[0] > VIDMM_LONGEST_DELAY_NS)
        return STATUS_INVALID_PARAMETER;
    engine->timed = true;
    engine->eviction_delay_ns = event->test.time_ns[0];
    return STATUS_SUCCESS;
}

bool vidmm_eviction_pass_time(struct vidmm_engine *engine)
{
    struct vidmm_late_eviction **at = &engine->late_evictions;
    bool any = false;

    while (*at) {
        if ((*at)->due_ns <= engine->time_ns) {
            struct vidmm_placement *placement = take(engine, at);

            if (!vidmm_residency_wants(engine, placement))
                leave(engine, placement);
            any = true;
        } else {
            at = &(*at)->next;
        }
    }
    return any;
}

uint64_t vidmm_eviction_deadline(const struct vidmm_engine *engine)
{
    const struct vidmm_late_eviction *note;
    uint64_t deadline = UINT64_MAX;

    for (note = engine->late_evictions; note; note = note->next)
        deadline = note->due_ns < deadline ? note->due_ns : deadline;
    return deadline;
}

void vidmm_eviction_check(const struct vidmm_engine *engine)
{
    const struct vidmm_late_eviction *note;
    uint32_t id, notes = 0;

    for (note = engine->late_evictions; note; note = note->next) {
        VIDMM_VERIFY(note->placement->late && !note->placement->dying); /* EV1 */
        notes++;
    }
    for (id = 0; id < engine->placement_capacity; id++)
        notes -= engine->placements[id] && engine->placements[id]->late ? 1 : 0;
    VIDMM_VERIFY(notes == 0); /* EV1 */
}

void vidmm_eviction_finish(struct vidmm_engine *engine)
{
    while (engine->late_evictions)
        take(engine, &engine->late_evictions);
}
