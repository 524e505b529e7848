/* preempt.c: packets that come back from a node before they were executed.
 *
 *     in flight   R10  P11  R12  P13    The node stops. Nothing behind the last complete fence was
 *                                       executed.
 *     come back   P11  P13 | R14  R15   Paging comes first, in order, with its fences; the rest in
 *                                       order, with new ones (D-084).
 *
 * They are submitted again before anything else goes to the node, each with the root of its own
 * process. A DMA buffer that comes back is still in use: everything it names is where it was, and
 * its lists still say so; the page tables of its process wait for it, by its new fence.
 *
 * Paging may overtake, because no paging buffer is submitted while a DMA buffer in flight, of the
 * same node too, uses a place that it vacates (vidmm_paging_flush(), if the driver is
 * PreemptionAware, or resets engines).
 *
 * Source: "GPU preemption"; "TDR changes in Windows 8".
 */
#include "vidmm/engine/recover/preempt.h"

#include "vidmm/engine/carry/paging_buffer.h"
#include "vidmm/engine/carry/switch.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/standstill.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/submit.h"

/* The process still has that packet in flight, and those up to its newest one. */
static void renumber_process(struct vidmm_engine *engine, const struct vidmm_work *work,
                             uint64_t old, uint64_t fence)
{
    struct vidmm_process *process =
        vidmm_process_find(engine, engine->devices[work->device].address_process);

    if (!process)
        return;
    process->last_fence = process->last_fence >= old ? fence : process->last_fence;
    process->wait_fence = process->wait_fence >= old ? fence : process->wait_fence; /* A22 */
}

static void renumber_uses(struct vidmm_engine *engine, const struct vidmm_work *work, uint64_t old,
                          uint64_t fence)
{
    uint32_t index;

    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement = work->references[index].placement;

        placement->last_use = placement->last_use >= old ? fence : placement->last_use;
    }
    if (engine->devices[work->device].list.newest >= old)
        engine->devices[work->device].list.newest = fence;
    renumber_process(engine, work, old, fence);
}

/* All that waits for the old fence waits for the new one. */
static void renumber(struct vidmm_engine *engine, uint32_t node, struct vidmm_flight *flight)
{
    uint64_t old = flight->fence, fence = vidmm_counter_next(&engine->fences);
    uint32_t index;

    VIDMM_ASSERT(!flight->paging && fence > old);
    flight->fence = fence;
    if (!flight->switches)
        renumber_uses(engine, ((struct vidmm_part *)flight)->work, old, fence);
    vidmm_context_renumber(engine, node, old, fence);
    for (index = 1; index < VIDMM_PAGING_BUFFERS; index++) {
        struct vidmm_paging_buffer *buffer = &engine->paging_buffers[index];

        if (buffer->state == PAGING_BUFFER_OPEN && buffer->wait_fence >= old)
            buffer->wait_fence = fence;
    }
    if (engine->owed_wait >= old)
        engine->owed_wait = fence;
}

/* A paging buffer in which nothing was written follows the paging before it; if there is none, it
 * has ended. */
static void follow(struct vidmm_engine *engine, struct vidmm_flights *paging,
                   struct vidmm_flight *flight)
{
    VIDMM_ASSERT(flight->follows && flight->paging);
    if (paging->last) {
        flight->fence = paging->last->fence;
        vidmm_flights_add(paging, flight);
    } else {
        vidmm_paging_complete(engine, (struct vidmm_paging_buffer *)flight);
    }
}

static void come_back(struct vidmm_engine *engine, struct vidmm_timeline *timeline,
                      struct vidmm_flight *flight)
{
    VIDMM_ASSERT(engine->in_flight > 0); /* F2 */
    vidmm_timeline_return(timeline, flight);
    engine->in_flight--;
}

void vidmm_preempt_return(struct vidmm_engine *engine, uint32_t node)
{
    struct vidmm_timeline *timeline = &engine->nodes[node].timeline;
    struct vidmm_flights paging = {NULL, NULL}, rest = {NULL, NULL};
    struct vidmm_flight *flight;

    VIDMM_ASSERT(node < engine->config.node_count);
    vidmm_timeline_ran(timeline, engine->time_ns);
    while ((flight = vidmm_flights_take(&timeline->flights))) {
        if (flight->follows) {
            follow(engine, &paging, flight);
        } else {
            if (!flight->returned)
                come_back(engine, timeline, flight);
            vidmm_flights_add(flight->paging ? &paging : &rest, flight);
        }
    }
    for (flight = rest.first; flight; flight = flight->next)
        renumber(engine, node, flight); /* obeys D-084 */
    vidmm_flights_join(&timeline->flights, &paging);
    vidmm_flights_join(&timeline->flights, &rest);
}

/* ---- and go again ---------------------------------------------------------------------------- */

static void submit_paging(struct vidmm_engine *engine, struct vidmm_flight *flight)
{
    struct vidmm_paging_buffer *buffer = (struct vidmm_paging_buffer *)flight;

    VIDMM_ASSERT(flight->paging && buffer->state == PAGING_BUFFER_FLYING);
    vidmm_paging_tell(engine, buffer)->submit_paging.again = 1;
    engine->call = CALL_SUBMIT_PAGING;
}

static void submit_work(struct vidmm_engine *engine, struct vidmm_flight *flight)
{
    const struct vidmm_part *part = (struct vidmm_part *)flight;

    VIDMM_ASSERT(part->work->flying > 0);
    struct vidmm_operation *submit = vidmm_submit_tell(engine, part);

    submit->submit.again = 1;
    if (part != &part->work->parts[part->work->part_count - 1])
        submit->submit.patch_count = 0; /* the list is a later part's by now; this one is patched */
    engine->call = CALL_SUBMIT;
}

static enum vidmm_progress resubmit(struct vidmm_engine *engine, uint32_t node)
{
    struct vidmm_flight *flight;

    VIDMM_ASSERT(engine->call == CALL_NONE);
    VIDMM_ASSERT(engine->nodes[node].timeline.returned > 0);
    if (!vidmm_fence_room(engine, node) || !vidmm_plan_has_room(engine))
        return PROGRESS_WAIT; /* obeys D-278 */
    flight = vidmm_timeline_resubmit(&engine->nodes[node].timeline, engine->time_ns);
    engine->in_flight++;
    if (flight->paging)
        submit_paging(engine, flight);
    else if (flight->switches)
        vidmm_switch_tell(engine, node, true);
    else
        submit_work(engine, flight);
    return PROGRESS_CALL;
}

enum vidmm_progress vidmm_preempt_resubmit(struct vidmm_engine *engine)
{
    uint32_t node;

    for (node = 0; node < engine->config.node_count; node++)
        if (engine->nodes[node].timeline.returned > 0 && !vidmm_recovery_blocks(engine, node))
            return resubmit(engine, node);
    return PROGRESS_IDLE;
}
