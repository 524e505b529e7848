/* arbiter.c: the turn, among all works that wait.
 *
 * Works of a context wait in the queue of that context. One function chooses among the first of
 * each: vidmm_arbiter_choose(). The rule is order of arrival, over all contexts and nodes, for a
 * memory manager of WDDM 1.x prepares one DMA buffer at a time; another rule would stand here and
 * nowhere else. The work that has its turn keeps it until it leaves its queue.
 *
 * Invariants
 * AR1. A context has a queue exactly if something of it waits.
 * AR2. The works of a queue stand in order of arrival, and `turn` is the one that arrived before
 *     all others that wait, in queues that are neither held, barred nor suspended; among the paging
 *     queues of its device, the one of the highest priority. A work that is begun keeps its turn.
 * AR3. A queue is `held` exactly if its first work waits for fences that have not come to their
 *     values, or is a delay whose time has not come; `delays` of the engine counts the latter. A
 *     queue that is held has no turn, and nothing else looks at it (D-189).
 * AR4. A queue is `barred` only if its first work waits for the CPU to unlock what is staged
 *     (reach.h). It has no turn before the next event, which may have changed that.
 * AR5. A queue is suspended if its first work is of a context whose device is (suspension.c), and
 *     no part of it has begun.
 */
#include "vidmm/engine/work/arbiter.h"

#include <base/assert.h>
#include <base/pool.h>
#include <vidmm/engine.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence_list.h"

struct vidmm_context_queue *vidmm_arbiter_find(const struct vidmm_engine *engine, uint32_t context)
{
    struct vidmm_context_queue *queue = engine->queues.first;

    while (queue && queue->context != context)
        queue = queue->next;
    return queue;
}

struct vidmm_context_queue *vidmm_arbiter_reserve(struct vidmm_engine *engine, uint32_t context)
{
    struct vidmm_context_queue *queue = vidmm_arbiter_find(engine, context);

    if (queue)
        return queue;
    queue = vidmm_pool_take(engine->queue_pool);
    if (queue) {
        queue->context = context;
        vidmm_context_queues_add(&engine->queues, queue);
    }
    return queue;
}

/* AR5 */
static bool is_suspended(const struct vidmm_engine *engine, const struct vidmm_context_queue *queue)
{
    const struct vidmm_work *first = queue->works.first;

    return engine->suspended > 0 && engine->devices[first->device].suspension != 0 &&
           (first->dma_buffer != 0 || first->fences) && first->part_count == 0;
}

bool vidmm_engine_context_waits(const struct vidmm_engine *engine, uint32_t context)
{
    const struct vidmm_context_queue *queue = vidmm_arbiter_find(engine, context);

    return queue && (queue->held || is_suspended(engine, queue));
}

/* Another work is the first of the queue. One that waits for fences, or for a time, begins to. */
static void reach_head(struct vidmm_engine *engine, struct vidmm_context_queue *queue)
{
    struct vidmm_work *first = queue->works.first;
    struct vidmm_fence_list *list = first->fences;

    queue->held = list && !list->signals && !vidmm_fence_list_begin(engine, list); /* AR3 */
    if (first->delay_ns != 0) {
        first->until_ns = engine->time_ns + first->delay_ns;
        queue->held = true;
        engine->delays++; /* AR3 */
    }
}

void vidmm_arbiter_release(struct vidmm_engine *engine, struct vidmm_context_queue *queue)
{
    VIDMM_ASSERT(queue->held && queue->works.first->fences->state == FENCE_LIST_OVER); /* AR3 */
    queue->held = false;
    engine->turn = vidmm_arbiter_choose(engine); /* AR2 */
}

/* A delay that the first work of the queue is. NULL: it is none. */
static const struct vidmm_work *delay_of(const struct vidmm_context_queue *queue)
{
    return queue->held && queue->works.first->delay_ns != 0 ? queue->works.first : NULL;
}

uint64_t vidmm_arbiter_deadline(const struct vidmm_engine *engine)
{
    const struct vidmm_context_queue *queue = engine->delays > 0 ? engine->queues.first : NULL;
    uint64_t deadline = UINT64_MAX;

    for (; queue; queue = queue->next)
        if (delay_of(queue) && delay_of(queue)->until_ns < deadline)
            deadline = delay_of(queue)->until_ns;
    return deadline;
}

bool vidmm_arbiter_pass_time(struct vidmm_engine *engine)
{
    struct vidmm_context_queue *queue = engine->delays > 0 ? engine->queues.first : NULL;
    bool any = false;

    for (; queue; queue = queue->next) {
        if (delay_of(queue) && (delay_of(queue)->until_ns <= engine->time_ns || engine->stopping)) {
            queue->held = false;
            engine->delays--;                            /* AR3 */
            engine->turn = vidmm_arbiter_choose(engine); /* AR2 */
            any = true;
        }
    }
    return any;
}

void vidmm_arbiter_add(struct vidmm_engine *engine, struct vidmm_work *work)
{
    VIDMM_ASSERT(work->queue && work->queue->context == work->context);
    work->arrival = ++engine->arrivals;
    vidmm_works_add(&work->queue->works, work);
    if (work == work->queue->works.first)
        reach_head(engine, work->queue);
    if (engine->config.explicit_residency || engine->suspended > 0)
        engine->turn = vidmm_arbiter_choose(engine); /* AR2 */
    else if (!engine->turn)
        engine->turn = work; /* AR2 */
}

void vidmm_arbiter_bar(struct vidmm_engine *engine)
{
    VIDMM_ASSERT(engine->turn && !engine->turn->begun); /* AR2 */
    engine->turn->queue->barred = true;
    engine->any_barred = true;
    engine->turn = vidmm_arbiter_choose(engine); /* AR2 */
}

void vidmm_arbiter_unbar(struct vidmm_engine *engine)
{
    struct vidmm_context_queue *queue;

    if (!engine->any_barred)
        return;
    for (queue = engine->queues.first; queue; queue = queue->next)
        queue->barred = false;
    engine->any_barred = false;
    engine->turn = vidmm_arbiter_choose(engine); /* AR2 */
}

/* Nothing of the context waits any more. */
static void release(struct vidmm_engine *engine, struct vidmm_context_queue *queue)
{
    struct vidmm_context_queue *before = NULL, *at = engine->queues.first;

    VIDMM_ASSERT(!queue->works.first);
    for (; at != queue; at = at->next)
        before = at;
    vidmm_context_queues_remove(&engine->queues, before, queue);
    vidmm_pool_release(engine->queue_pool, queue); /* AR1 */
}

void vidmm_arbiter_forget(struct vidmm_engine *engine, struct vidmm_context_queue *queue)
{
    VIDMM_ASSERT(queue);

    if (!queue->works.first)
        release(engine, queue);
}

void vidmm_arbiter_remove(struct vidmm_engine *engine, struct vidmm_work *before,
                          struct vidmm_work *work)
{
    struct vidmm_context_queue *queue = work->queue;

    VIDMM_ASSERT(queue && (before ? before->next == work : queue->works.first == work)); /* AR2 */
    vidmm_works_remove(&queue->works, before, work);
    work->queue = NULL;
    if (!before)
        queue->barred = false; /* AR4 */
    if (!before && queue->works.first)
        reach_head(engine, queue);
    if (!queue->works.first)
        release(engine, queue);
    if (work == engine->turn)
        engine->turn = NULL;
    if (!before) /* another is the first: of the queue, perhaps of all */
        engine->turn = vidmm_arbiter_choose(engine); /* AR2 */
}

/* Among the paging queues of the work's device, the one of the highest priority goes first; among
 * several of it, the work that arrived first. */
static struct vidmm_work *prefer(const struct vidmm_engine *engine, struct vidmm_work *work)
{
    const struct vidmm_context_queue *queue;
    struct vidmm_work *best = work;

    VIDMM_ASSERT(work->paging_queue != 0);
    for (queue = engine->queues.first; queue; queue = queue->next) {
        struct vidmm_work *other = queue->works.first;

        VIDMM_ASSERT(other); /* AR1 */
        if (other->paging_queue != 0 && other->device == work->device && !queue->barred &&
            !queue->held) {
            uint32_t own = engine->paging_queues[best->paging_queue].priority;
            uint32_t priority = engine->paging_queues[other->paging_queue].priority;

            if (priority > own || (priority == own && other->arrival < best->arrival))
                best = other; /* obeys D-248 */
        }
    }
    return best;
}

void vidmm_arbiter_choose_anew(struct vidmm_engine *engine)
{
    engine->turn = vidmm_arbiter_choose(engine); /* AR2 */
}

struct vidmm_work *vidmm_arbiter_choose(const struct vidmm_engine *engine)
{
    const struct vidmm_context_queue *queue;
    struct vidmm_work *first = NULL;

    if (engine->turn && engine->turn->begun)
        return engine->turn;
    for (queue = engine->queues.first; queue; queue = queue->next)
        if (!queue->held && !queue->barred && !is_suspended(engine, queue) &&
            (!first || queue->works.first->arrival < first->arrival))
            first = queue->works.first;
    return first && first->paging_queue != 0 ? prefer(engine, first) : first;
}
