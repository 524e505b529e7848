/* residency.c: where everything goes that the first DMA buffer names.
 *
 *      begun --> what has no place, or a wrong one --> a range each, and who leaves for it -->
 *      moves queued
 *        ^            |  too much at once                                                        |
 *        '-- less of it (split.c)                                                    ready <-----'
 *
 * A decision changes ranges only; when all of it stands, the moves that follow are queued.
 *
 * Invariants (W1 to W3 are in work.c)
 * W4. The first work waits only for what is in flight, for a claim's answer, or (bounded by the
 *     timeout) for the CPU to unlock; none of these needs another work to be submitted. So a full
 *     memory ends in progress or in an error, never in a deadlock.
 */
#include "context.h"
#include "swizzle.h"

uint32_t vidmm_reference_set(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement,
                             const struct vidmm_reference *reference)
{
    uint32_t set = vidmm_placement_set(placement, vidmm_reference_writes(reference));
    bool locked = (reference->write & VIDMM_REFERENCE_LOCKED) != 0 || placement->apart;

    if (locked && vidmm_placement_is_swizzled(placement))
        return 0; /* the CPU's order, or the GPU's: never both */
    if (vidmm_swizzle_keeps_from_apertures(engine, placement) ||
        (reference->write & VIDMM_REFERENCE_FETCHES) != 0)
        return set & ~vidmm_apertures(engine);           /* obeys D-075 */
    return locked ? set & vidmm_apertures(engine) : set; /* obeys D-160 */
}

/* Put into work->missing what has no place, or one that it cannot be used from; each once. */
static uint32_t gather_missing(struct vidmm_engine *engine, struct vidmm_work *work)
{
    uint32_t index, count = 0;

    for (index = 0; index < work->count; index++) {
        const struct vidmm_reference *reference = &work->references[index];
        struct vidmm_placement *placement = vidmm_placement_find(engine, reference->allocation);
        uint32_t set = vidmm_reference_set(engine, placement, reference);

        if (vidmm_work_needs(work, index) && !placement->marked &&
            (!placement->range || (set >> placement->segment & 1) == 0)) {
            placement->marked = true;
            work->missing[count++] = placement;
        }
    }
    for (index = 0; index < count; index++)
        work->missing[index]->marked = false;
    vidmm_work_sort(work->missing, count);
    return count;
}

/* The segments all references of the work to this placement can be used from. */
static uint32_t usable_set(const struct vidmm_engine *engine, const struct vidmm_work *work,
                           const struct vidmm_placement *placement)
{
    uint32_t index, set = UINT32_MAX;

    for (index = 0; index < work->count; index++)
        if (work->references[index].allocation == placement->id)
            set &= vidmm_reference_set(engine, placement, &work->references[index]);
    if (vidmm_wish_is_pinned(&placement->wish) &&
        (placement->wish.read_set & placement->wish.write_set) != 0)
        set &= vidmm_placement_set(placement, true) & vidmm_placement_set(placement, false);
    return set;
}

/* The segments of `set`, in the order of DXGK_SEGMENTPREFERENCE, then of id. Answers how many. */
static uint32_t order_segments(const struct vidmm_engine *engine,
                               const struct vidmm_placement *placement, uint32_t set,
                               uint8_t order[VIDMM_SEGMENTS])
{
    uint32_t slot, segment, count = 0;

    for (slot = 0; slot < 5; slot++) {
        segment = placement->wish.preferred >> (6 * slot) & 0x1f;
        if (segment == 0)
            break; /* obeys D-018 */
        if ((set >> segment & 1) != 0) {
            order[count++] = (uint8_t)segment;
            set &= ~(1u << segment);
        }
    }
    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((set >> segment & 1) != 0)
            order[count++] = (uint8_t)segment;
    return count;
}

typedef enum vidmm_outcome room_function(struct vidmm_engine *, struct vidmm_placement *, uint32_t);

/* Try one way of finding room in each segment in turn. */
static enum vidmm_outcome try_room(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                   const uint8_t *order, uint32_t count, room_function *find)
{
    enum vidmm_outcome worst = OUTCOME_NONE;
    uint32_t index;

    for (index = 0; index < count; index++) {
        enum vidmm_outcome outcome = find(engine, placement, order[index]);

        if (outcome == OUTCOME_DONE || outcome == OUTCOME_CALL)
            return outcome;
        worst = outcome == OUTCOME_WAIT ? OUTCOME_WAIT : worst;
    }
    return worst;
}

/* It stands where it cannot be used, or it must change its segment: off with it first. */
static enum vidmm_outcome leave_wrong_place(struct vidmm_engine *engine,
                                            struct vidmm_placement *placement)
{
    enum vidmm_outcome outcome;

    if (vidmm_wish_is_pinned(&placement->wish))
        return OUTCOME_NONE; /* obeys S0-042 */
    if (placement->locked) {
        return OUTCOME_NONE; /* its addresses cannot follow: until the unlock, or the timeout (W4)
                                */
    }
    if (placement->in.state != MOVE_IDLE || placement->out.state != MOVE_IDLE)
        return OUTCOME_WAIT;
    outcome = vidmm_lock_claim(engine, placement);
    if (outcome == OUTCOME_DONE)
        vidmm_room_evict(engine, placement);
    return outcome;
}

/* Give one placement a range. *needed: what would have had to fit, if nothing can be done.
 * *again: others of the work may have lost their range for it. */
static enum vidmm_outcome place(struct vidmm_engine *engine, struct vidmm_work *work,
                                struct vidmm_placement *placement, uint64_t *needed, bool *again)
{
    uint8_t order[VIDMM_SEGMENTS];
    uint32_t count = order_segments(engine, placement, usable_set(engine, work, placement), order);
    enum vidmm_outcome outcome = OUTCOME_DONE;

    if (placement->range)
        outcome = leave_wrong_place(engine, placement);
    else if (placement->in.state != MOVE_IDLE)
        outcome = OUTCOME_WAIT;
    if (outcome != OUTCOME_DONE) {
        *needed = vidmm_placement_extent(engine, placement);
        return outcome;
    }
    outcome = try_room(engine, placement, order, count, vidmm_room_by_cost);
    if (outcome == OUTCOME_NONE) {
        *again = true;
        outcome = try_room(engine, placement, order, count, vidmm_room_by_window);
    }
    if (outcome == OUTCOME_NONE) {
        *needed = count > 0 ? vidmm_wish_size_in(engine, &placement->wish, order[0])
                            : placement->wish.size;
        if (count == 1)
            outcome = vidmm_room_by_packing(engine, work, order[0], needed);
    }
    return outcome;
}

/* Whether a page-out is decided that may need room in an aperture. What was decided to leave may
 * have its place again. */
static bool any_leaves_through(const struct vidmm_engine *engine)
{
    const struct vidmm_placement *leaving;

    for (leaving = engine->leaving_first; leaving; leaving = leaving->next)
        if (leaving->wish.eviction_set != 0 && !vidmm_segment_is_aperture(engine, leaving->at) &&
            !vidmm_placement_is_settled(engine, leaving))
            return true;
    return false;
}

/* Whether it can only be mapped into an aperture, while page-outs are decided that need room there
 * first. */
static bool comes_later(const struct vidmm_engine *engine, const struct vidmm_work *work,
                        const struct vidmm_placement *placement)
{
    uint32_t set = usable_set(engine, work, placement), segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((set >> segment & 1) != 0 && !vidmm_segment_is_aperture(engine, segment))
            return false;
    return any_leaves_through(engine);
}

/* Decide a place for everything that is missing. What only an aperture can show comes last: the
 * page-outs that use an aperture on their way are built before it takes its room. */
static enum vidmm_outcome decide(struct vidmm_engine *engine, struct vidmm_work *work,
                                 uint64_t *needed)
{
    uint32_t rounds = 0;
    bool again, later;

    do {
        uint32_t index, count = gather_missing(engine, work);

        if (rounds++ > 2 * work->count + 2) {
            return OUTCOME_NONE; /* what may live in two segments and what may not chase each other
                                    */
        }
        again = false;
        later = false;
        for (index = 0; index < count && !again; index++) {
            enum vidmm_outcome outcome = OUTCOME_DONE;

            if (comes_later(engine, work, work->missing[index]))
                later = true;
            else
                outcome = place(engine, work, work->missing[index], needed, &again);
            if (outcome != OUTCOME_DONE)
                return outcome;
        }
        again = again || (later && !any_leaves_through(engine)); /* nothing to wait for */
    } while (again);
    return later ? OUTCOME_WAIT : OUTCOME_DONE;
}

static void queue_moves(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint32_t index;

    vidmm_move_queue_leaving(engine);
    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement =
            vidmm_placement_find(engine, work->references[index].allocation);

        if (vidmm_work_needs(work, index) && placement->range &&
            !vidmm_placement_is_settled(engine, placement))
            vidmm_move_queue_in(engine, placement);
    }
}

/* Give up what was decided for those that the part, which has become shorter, does not need. */
static void let_go(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint32_t index;

    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement =
            vidmm_placement_find(engine, work->references[index].allocation);

        if (!placement->held && placement->range && placement->in.state == MOVE_IDLE &&
            !vidmm_placement_is_settled(engine, placement))
            vidmm_placement_unsettle(engine, placement);
    }
}

/* Whether less of the work can be prepared at once. */
static bool shorten(struct vidmm_engine *engine, struct vidmm_work *work)
{
    bool shorter;

    vidmm_work_hold(engine, work, false);
    shorter = vidmm_split_shorten(work);
    vidmm_work_hold(engine, work, true); /* W3 */
    if (shorter)
        let_go(engine, work);
    return shorter;
}

static void fail_device(struct vidmm_engine *engine, const struct vidmm_work *work, uint32_t reason,
                        NTSTATUS status, uint64_t needed)
{
    vidmm_device_record_fail(engine, work->device, reason, work->dma_buffer, status);
    engine->devices[work->device].needed = needed;
    vidmm_device_record_tell(engine); /* before what comes of it */
}

/* Bytes that are kept in place for the part, besides what it must be given a place for. */
static uint64_t kept_bytes(const struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint64_t bytes = 0;
    uint32_t index;

    for (index = 0; work->split && index < work->count; index++) {
        const struct vidmm_placement *placement =
            vidmm_placement_find(engine, work->references[index].allocation);

        bytes += (work->needs[index] & SPLIT_KEEPS) != 0 ? placement->wish.size : 0;
    }
    return bytes;
}

/* Nothing can be done for the work now; a lock may be the reason, and the CPU may give it up. */
static enum vidmm_outcome give_up(struct vidmm_engine *engine, struct vidmm_work *work,
                                  uint64_t needed)
{
    if (engine->locked > 0) {
        if (engine->waiting_since_ns == 0)
            engine->waiting_since_ns = engine->time_ns + 1;
        if (engine->time_ns + 1 - engine->waiting_since_ns < engine->config.timeout_ns)
            return OUTCOME_WAIT; /* W4 */
    }
    if (work->dma_buffer != 0) {
        fail_device(engine, work, VIDMM_REASON_OUT_OF_MEMORY, STATUS_GRAPHICS_NO_VIDEO_MEMORY,
                    needed + kept_bytes(engine, work)); /* obeys D-089 */
    }
    vidmm_work_drop(engine, STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    return OUTCOME_NONE;
}

static bool names_lost(const struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint32_t index;

    for (index = 0; index < work->count; index++)
        if (vidmm_placement_find(engine, work->references[index].allocation)->lost)
            return true;
    return false;
}

enum vidmm_outcome vidmm_residency_prepare(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->work_first;
    enum vidmm_outcome outcome;
    uint64_t needed = 0;

    if ((work->dma_buffer != 0 || work->fetch) &&
        vidmm_device_record_status(engine, work->device) != STATUS_SUCCESS) {
        vidmm_work_drop(engine, vidmm_device_record_status(engine, work->device));
        return OUTCOME_NONE;
    }
    if (work->ready)
        return OUTCOME_DONE;
    if (engine->any_lost && names_lost(engine, work)) {
        vidmm_work_drop(engine, STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST); /* obeys S0-045 */
        return OUTCOME_NONE;
    }
    if (!work->begun)
        vidmm_work_begin(engine, work);
    if (engine->config.reject_leaks && vidmm_split_leaks(work)) { /* obeys D-343 */
        fail_device(engine, work, VIDMM_REASON_BINDING_LEAK, STATUS_INVALID_PARAMETER,
                    kept_bytes(engine, work));
        vidmm_work_drop(engine, STATUS_INVALID_PARAMETER);
        return OUTCOME_NONE;
    }
    outcome = decide(engine, work, &needed);
    if (outcome == OUTCOME_NONE)
        outcome = vidmm_context_yield(engine);               /* obeys D-138 */
    while (outcome == OUTCOME_NONE && shorten(engine, work)) /* obeys D-086 */
        outcome = decide(engine, work, &needed);
    queue_moves(engine, work);
    if (outcome == OUTCOME_NONE)
        return give_up(engine, work, needed);
    work->ready = outcome == OUTCOME_DONE;
    return outcome;
}
