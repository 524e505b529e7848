/* submit.c: the part that is ready goes to its node.
 *
 *     its page-ins precede it --> PLACED, one a reference --> SUBMIT --> in use, no longer held
 *
 * work.c has the states of a DMA buffer and the invariants W1 to W3.
 */
#include "vidmm/engine/work/submit.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/posted.h"
#include "vidmm/engine/carry/table_tell.h"
#include "vidmm/engine/carry/table_write.h"
#include "vidmm/engine/decide/split.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/reference.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/standstill.h"
#include "vidmm/engine/work/context_request.h"
#include "vidmm/engine/work/paging_queue.h"
#include "vidmm/engine/work/work.h"

/* The page-ins of what it names are complete, or run on its own node before it. With page tables a
 * packet runs on one GPU of a link, and what it reads may come on another. */
static bool page_ins_precede(const struct vidmm_engine *engine, const struct vidmm_work *work)
{
    bool same_node = work->node == engine->config.paging_node && work->dma_buffer != 0 &&
                     engine->config.mmu.adapters <= 1;
    uint32_t index;

    if (engine->config.explicit_residency && work->dma_buffer != 0 && !same_node &&
        engine->devices[work->device].list.first[LISTED_COMING])
        return false;
    for (index = 0; index < work->count; index++) {
        const struct vidmm_placement *placement = work->references[index].placement;

        if (vidmm_work_needs(work, index) &&
            (vidmm_refresh_is_due(placement) || /* X2 */
             (placement->moves->in.state == MOVE_BUILT && !same_node)))
            return false;
    }
    return true;
}

/* Whether it stands in a segment from which the reference may be used. If the CPU has it, that is
 * no memory segment, though nothing has made it leave yet (D-160). */
static bool may_be_used(const struct vidmm_engine *engine,
                        const struct vidmm_work_reference *reference)
{
    const struct vidmm_placement *placement = reference->placement;

    return vidmm_place_is_segment(&placement->at) &&
           (vidmm_reference_set(engine, placement, reference->write) >> placement->at.segment &
            1) != 0;
}

/* The place that the driver is told for a reference: its own place if it is needed there, and else
 * the place that it happens to have, if it is at rest (D-337) and may be used from there. */
static struct vidmm_place place_of(const struct vidmm_engine *engine, const struct vidmm_work *work,
                                   uint32_t index)
{
    const struct vidmm_placement *placement = work->references[index].placement;

    if (vidmm_work_needs(work, index) ||
        (vidmm_split_never_needs(work, index) && may_be_used(engine, &work->references[index]) &&
         vidmm_placement_is_still(placement) && !placement->leaving))
        return vidmm_place_tell(&placement->at);
    return (struct vidmm_place){0};
}

/* There is one for each reference, so no more of the operation is written than it has. There is
 * room in the plan. */
static void emit_placed(struct vidmm_engine *engine, const struct vidmm_work *work, uint32_t index)
{
    struct vidmm_operation *operation = &engine->plan[engine->plan_count++];

    VIDMM_ASSERT(engine->plan_count <= PLAN_CAPACITY);
    operation->kind = VIDMM_DO_PLACED;
    operation->allocation = work->references[index].placement->id;
    operation->placed.dma_buffer = work->dma_buffer;
    operation->placed.index = index;
    operation->placed.place = place_of(engine, work, index);
}

static bool tell_places(struct vidmm_engine *engine, struct vidmm_work *work)
{
    uint32_t index = work->placed, left = work->count - index, room = vidmm_plan_room(engine);
    uint32_t end = index + (left < room ? left : room);

    VIDMM_ASSERT(index <= work->count);
    for (; index < end; index++)
        emit_placed(engine, work, index);
    work->placed = end;
    return end == work->count;
}

/* The packet uses a reference. Answers whether it writes it: by age, those that it writes count as
 * used behind those that it reads. A result is wanted next, and with its sources it may be done. */
static bool use_one(struct vidmm_engine *engine, const struct vidmm_work *work, uint32_t index,
                    uint64_t fence)
{
    const struct vidmm_work_reference *reference = &work->references[index];
    struct vidmm_placement *placement = reference->placement;
    bool writes = vidmm_reference_writes(reference->write);

    placement->uses++;
    if (engine->config.context_switches)
        vidmm_context_use(engine, placement, work->node); /* reads last_use */
    placement->last_use = fence;
    if (!writes) {
        vidmm_placement_touch(engine, placement);
    } else if (vidmm_work_needs(work, index) || may_be_used(engine, reference)) {
        placement->dirty = true;
        vidmm_posted_note(engine, placement);
    }
    return writes;
}

static void use(struct vidmm_engine *engine, const struct vidmm_work *work, uint64_t fence)
{
    uint32_t index, count = work->count;
    bool all = !work->split, writes = false;

    VIDMM_ASSERT(fence != 0 && work->flying > 0);
    for (index = 0; index < count; index++)
        if (all || vidmm_work_uses(work, index))
            writes |= use_one(engine, work, index, fence);
    for (index = 0; writes && index < count; index++)
        if (vidmm_reference_writes(work->references[index].write) &&
            (all || vidmm_work_uses(work, index)))
            vidmm_placement_touch(engine, work->references[index].placement);
}

/* The process whose addresses the packet uses; NULL: it uses none. */
static struct vidmm_process *process_of(const struct vidmm_engine *engine,
                                        const struct vidmm_work *work)
{
    return vidmm_process_find(engine, engine->devices[work->device].address_process);
}

struct vidmm_operation *vidmm_submit_tell(struct vidmm_engine *engine,
                                          const struct vidmm_part *part)
{
    const struct vidmm_work *work = part->work;
    struct vidmm_operation *submit;

    vidmm_root_tell(engine, process_of(engine, work)); /* it may be another's context's turn */
    submit = vidmm_emit(engine, VIDMM_DO_SUBMIT);
    VIDMM_ASSERT(part->flight.fence != 0 && part->first <= part->end);
    submit->submit.dma_buffer = work->dma_buffer;
    submit->submit.node = work->node;
    submit->submit.fence = (uint32_t)part->flight.fence;
    submit->submit.reference_count = work->count;
    submit->submit.start = vidmm_split_start(part);
    submit->submit.end = vidmm_split_end(part);
    submit->submit.patch_first = part->first;
    submit->submit.patch_count =
        work->patch_count > 0 ? part->end - part->first : work->patches_told;
    submit->submit.last = part->end == work->patch_count;
    return submit;
}

/* The part is on its way: the next one's turn, or the next DMA buffer's. */
static void pass_on(struct vidmm_engine *engine, struct vidmm_work *work)
{
    VIDMM_ASSERT(work == engine->turn);
    if (work->end == work->patch_count) {
        vidmm_work_dequeue(engine); /* held until here; from here on in use */
        return;
    }
    vidmm_work_hold(engine, work, false);
    vidmm_work_begin(engine, work); /* at once: a reference in a slot is never without hold */
    work->ready = false;
    work->placed = 0;
    work->preceded = 0;
}

/* The packet keeps the page tables of its process from changes. */
static void keep_tables(const struct vidmm_engine *engine, const struct vidmm_work *work,
                        uint64_t fence)
{
    struct vidmm_process *process = process_of(engine, work);

    VIDMM_ASSERT(!process || process->last_fence < fence);
    if (process)
        process->last_fence = fence;
}

enum vidmm_progress vidmm_submit_work(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->turn;
    struct vidmm_part *part;

    VIDMM_ASSERT(work && work->ready && work->begun);
    VIDMM_ASSERT(engine->call == CALL_NONE);
    if (work->paging_queue != 0) {
        vidmm_paging_queue_arrive(engine);
        return PROGRESS_MADE;
    }
    if (work->preceded != engine->events && !page_ins_precede(engine, work))
        return PROGRESS_WAIT; /* obeys D-085 */
    VIDMM_ASSERT(page_ins_precede(engine, work));
    work->preceded = engine->events; /* nothing new is queued for it before the next */
    if (work->dma_buffer != 0 && vidmm_recovery_blocks(engine, work->node))
        return PROGRESS_WAIT;
    if (work->updates) {
        vidmm_context_request_serve(engine);
        return PROGRESS_MADE;
    }
    if (work->dma_buffer == 0) {
        vidmm_work_drop(engine, STATUS_SUCCESS); /* a pin request: granted */
        return PROGRESS_MADE;
    }
    if (engine->synchronous > 0)
        return PROGRESS_WAIT; /* obeys S0-051 */
    if (!vidmm_table_precede(engine, work->device))
        return vidmm_table_is_due(engine, work->device) ? PROGRESS_MADE : PROGRESS_WAIT;
    if (!vidmm_fence_room(engine, work->node) || !tell_places(engine, work) ||
        !vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    part = &work->parts[work->part_count - 1];
    part->end = work->end;
    part->flight.share = &engine->devices[work->device].packets[work->node];
    work->flying++;
    vidmm_fence_submit(engine, &part->flight, work->node);
    vidmm_context_run(engine, work->node, engine->config.no_contexts ? work->device : work->context,
                      part->flight.fence);
    use(engine, work, part->flight.fence);
    if (engine->config.explicit_residency)
        vidmm_residency_use(engine, work->device, part->flight.fence);
    engine->statistics.submissions++;
    engine->statistics.splits += part->end == work->patch_count ? 0 : 1;
    keep_tables(engine, work, part->flight.fence);
    vidmm_submit_tell(engine, part);
    engine->call = CALL_SUBMIT;
    pass_on(engine, work);
    return PROGRESS_CALL;
}
