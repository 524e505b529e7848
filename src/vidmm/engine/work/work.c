/* work.c: the DMA buffers, from their event until they retire.
 *
 *      queued --> begun: its references are held --> ready: all in place --> submitted --> retired
 *                    |  residency.c                       |  paging fences passed    |
 *                    |                                    <------- the next part ----'
 *                    '--> dropped: one part of it can never fit (D-089), or its device is in error
 *
 * One DMA buffer at a time is prepared, and of that one part at a time: all of it, if that fits.
 * Each reference that the part needs is held: nobody's victim. After submission it is merely in
 * use. Patch locations say which parts need it, the allocation list says which parts use it
 * (W-025): an allocation that only the list names may be anywhere, and counts as in use all the
 * same.
 *
 * Invariants
 * W1. Only the work whose turn it is is begun.
 * W2. `references` of a placement counts the works, queued, in flight or retired but not yet told
 *     of, that name it; `uses` the parts in flight that use it, so without references there are
 *     none.
 * W3. A placement is held exactly if the work whose turn it is is begun and its present part needs
 *     it; kept exactly if it is held and stands in a slot where that part begins.
 */
#include "vidmm/engine/work/work.h"

#include <string.h>

#include <base/grow.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/decide/split.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/fence_list.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/move_pair.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/reference.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/work/arbiter.h"
#include "vidmm/engine/work/cancel.h"
#include "vidmm/engine/work/paging_queue.h"

/* ---- arrival and departure ------------------------------------------------------------------- */

/* Whether the DMA buffer may be submitted. *points: at how many places it may be cut, and one. */
static NTSTATUS judge(const struct vidmm_engine *engine, const struct vidmm_event *event,
                      uint32_t *points)
{
    if (event->device >= engine->device_capacity || !engine->devices[event->device].exists ||
        event->submit.node >= engine->config.node_count || event->submit.dma_buffer == 0)
        return STATUS_INVALID_PARAMETER;
    if (vidmm_device_record_status(engine, event->device) != STATUS_SUCCESS)
        return vidmm_device_record_status(engine, event->device);
    if (vidmm_split_check(event, points) != STATUS_SUCCESS)
        return STATUS_INVALID_PARAMETER;
    if (engine->config.explicit_residency && event->submit.context >= VIDMM_PAGING_QUEUE_CONTEXT)
        return STATUS_INVALID_PARAMETER;
    if (engine->config.explicit_residency)
        *points = 1; /* all that it may use is in place */
    return STATUS_SUCCESS;
}

/* Look each reference up, once and for all, if a DMA buffer may have it. */
static NTSTATUS resolve(struct vidmm_engine *engine, const struct vidmm_event *event,
                        struct vidmm_work *work)
{
    bool selects = vidmm_split_note_named(engine, work, event);
    uint32_t index, count = work->count;

    for (index = 0; index < count; index++) {
        const struct vidmm_reference *named = &event->submit.references[index];
        struct vidmm_placement *placement = vidmm_placement_find(engine, named->allocation);

        if (!placement || placement->dying || placement->buffer ||
            (placement->device != event->device && !placement->shared) ||
            vidmm_reference_set(engine, placement, named->write) == 0)
            return STATUS_INVALID_PARAMETER;
        if (vidmm_placement_has_offer(placement)) /* D-211: to be reclaimed first */
            return STATUS_INVALID_PARAMETER;
        if (placement->lost)
            return STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST; /* obeys S0-045 */
        if (!vidmm_move_pair_reserve(engine, placement))    /* MP1 */
            return STATUS_NO_MEMORY;
        work->references[index] = (struct vidmm_work_reference){placement, named->write};
        if (selects && work->needs[index] == 0)
            vidmm_split_note_unnamed(engine, work, index);
    }
    return STATUS_SUCCESS;
}

/* A work of so many references, that can be cut into so many parts at patch locations. */
static struct vidmm_work *allocate_work(struct vidmm_engine *engine, uint32_t count,
                                        uint32_t points, uint32_t patches)
{
    size_t each = sizeof(struct vidmm_work_reference) + sizeof(uint8_t);
    size_t each_patch = sizeof(struct vidmm_patch_location) + 2 * sizeof(uint32_t);
    struct vidmm_missing *missing =
        vidmm_grow(&engine->memory, engine->missing, &engine->missing_capacity, count,
                   sizeof(*engine->missing));
    struct vidmm_work *work;

    VIDMM_ASSERT(points >= 1); /* S1 */
    if (!missing)
        return NULL;
    engine->missing = missing; /* S3 */
    work = engine->memory.allocate(engine->memory.context, sizeof(*work) +
                                                               points * sizeof(*work->parts) +
                                                               count * each + patches * each_patch);
    if (work) {
        work->count = count;
        work->patch_count = patches;
        work->parts = (struct vidmm_part *)(void *)(work + 1);
        work->references = (struct vidmm_work_reference *)(void *)(work->parts + points);
        work->patches = (struct vidmm_patch_location *)(void *)(work->references + count);
        work->rebound = (uint32_t *)(void *)(work->patches + patches);
        work->order = work->rebound + patches;
        work->needs = (uint8_t *)(work->order + patches);
    }
    return work;
}

/* A work, if there is one, needs a queue to wait in: that of its context. STATUS_NO_MEMORY: it is
 * given back. */
static NTSTATUS give_queue(struct vidmm_engine *engine, struct vidmm_work *work, uint32_t context)
{
    if (!work)
        return STATUS_NO_MEMORY;
    work->context = context;
    work->queue = vidmm_arbiter_reserve(engine, context);
    if (work->queue)
        return STATUS_SUCCESS;
    vidmm_work_free(engine, work);
    return STATUS_NO_MEMORY;
}

void vidmm_work_forget(struct vidmm_engine *engine, struct vidmm_work *work)
{
    VIDMM_ASSERT(work->queue && !work->begun);
    vidmm_arbiter_forget(engine, work->queue);
    vidmm_work_free(engine, work);
}

NTSTATUS vidmm_work_check(struct vidmm_engine *engine, const struct vidmm_event *event,
                          struct vidmm_work **work)
{
    uint32_t points;
    NTSTATUS status = judge(engine, event, &points);

    if (status != STATUS_SUCCESS)
        return status;
    *work = allocate_work(engine, event->submit.reference_count, points,
                          points > 1 ? event->submit.patch_count : 0);
    status = give_queue(engine, *work, event->submit.context);
    if (status != STATUS_SUCCESS)
        return status;
    status = resolve(engine, event, *work);
    if (status != STATUS_SUCCESS)
        vidmm_work_forget(engine, *work);
    return status;
}

NTSTATUS vidmm_work_check_pin(struct vidmm_engine *engine, const struct vidmm_event *event,
                              struct vidmm_work **work)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, event->pin.allocation);

    if (!placement || !placement->buffer || placement->reads || placement->fences ||
        vidmm_placement_has_range(placement) || placement->references > 0 ||
        event->pin.request == 0)
        return STATUS_INVALID_PARAMETER;
    *work = allocate_work(engine, 1, 1, 0);
    return give_queue(engine, *work, 0);
}

NTSTATUS vidmm_work_check_fetch(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                struct vidmm_work **work)
{
    if (!vidmm_move_pair_reserve(engine, placement)) /* MP1 */
        return STATUS_NO_MEMORY;
    *work = allocate_work(engine, 1, 1, 0);
    return give_queue(engine, *work, 0);
}

NTSTATUS vidmm_work_check_page_out(struct vidmm_engine *engine, uint32_t count,
                                   struct vidmm_work **work)
{
    *work = allocate_work(engine, count, 1, 0);
    return give_queue(engine, *work, 0);
}

NTSTATUS vidmm_work_check_paging(struct vidmm_engine *engine, uint32_t queue, uint32_t count,
                                 struct vidmm_work **work)
{
    *work = allocate_work(engine, count, 1, 0);
    return give_queue(engine, *work, VIDMM_PAGING_QUEUE_CONTEXT | queue);
}

NTSTATUS vidmm_work_check_fences(struct vidmm_engine *engine, uint32_t context,
                                 struct vidmm_work **work)
{
    *work = allocate_work(engine, 0, 1, 0);
    return give_queue(engine, *work, context);
}

static void enqueue(struct vidmm_engine *engine, struct vidmm_work *work)
{
    uint32_t index;

    VIDMM_ASSERT(work->queue && !work->begun && !work->ended);
    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement = work->references[index].placement;

        placement->references++; /* W2 */
        placement->writers += vidmm_reference_writes(work->references[index].write) ? 1 : 0;
    }
    vidmm_arbiter_add(engine, work);
}

void vidmm_work_create(struct vidmm_engine *engine, const struct vidmm_event *event,
                       struct vidmm_work *work)
{
    VIDMM_ASSERT(work->count == event->submit.reference_count && !work->begun);
    work->dma_buffer = event->submit.dma_buffer;
    work->device = event->device;
    engine->devices[work->device].trim.submitted = true;
    work->node = event->submit.node;
    VIDMM_ASSERT(work->context == event->submit.context);
    work->size = event->submit.size;
    work->patches_told = event->submit.patch_count;
    if (work->patch_count > 0)
        memcpy(work->patches, event->submit.patches, work->patch_count * sizeof(*work->patches));
    enqueue(engine, work);
}

void vidmm_work_create_pin(struct vidmm_engine *engine, const struct vidmm_event *event,
                           struct vidmm_work *work)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->pin.allocation);

    VIDMM_ASSERT(placement->buffer && work->count == 1);
    work->request = event->pin.request;
    work->device = placement->device;
    work->node = engine->config.paging_node;
    work->references[0] = (struct vidmm_work_reference){placement, VIDMM_REFERENCE_WRITES};
    enqueue(engine, work);
}

void vidmm_work_create_fetch(struct vidmm_engine *engine, struct vidmm_placement *placement,
                             uint32_t request, struct vidmm_work *work)
{
    VIDMM_ASSERT(request != 0 && work->count == 1);
    work->request = request;
    work->fetch = true;
    work->device = placement->device;
    work->node = engine->config.paging_node;
    work->references[0] =
        (struct vidmm_work_reference){placement, VIDMM_REFERENCE_WRITES | VIDMM_REFERENCE_FETCHES};
    enqueue(engine, work);
}

void vidmm_work_create_update(struct vidmm_engine *engine, struct vidmm_placement *placement,
                              uint32_t request, struct vidmm_work *work)
{
    VIDMM_ASSERT(request != 0 && work->count == 1 && placement->context_allocation);
    work->request = request;
    work->updates = true;
    work->device = placement->device;
    work->node = engine->config.paging_node;
    work->references[0] = (struct vidmm_work_reference){placement, VIDMM_REFERENCE_WRITES};
    enqueue(engine, work);
}

void vidmm_work_create_display(struct vidmm_engine *engine, struct vidmm_placement *placement,
                               const struct vidmm_event *event, struct vidmm_work *work)
{
    VIDMM_ASSERT(event->display.request != 0 && work->count == 1);
    work->request = event->display.request;
    work->display = event->display.displayed != 0 ? DISPLAY_BEGINS : DISPLAY_ENDS;
    work->device = event->device;
    work->node = engine->config.paging_node;
    work->references[0] = (struct vidmm_work_reference){placement, 0};
    enqueue(engine, work);
}

void vidmm_work_create_page_out(struct vidmm_engine *engine, const struct vidmm_event *event,
                                struct vidmm_work *work)
{
    bool all = event->residency.flags == VIDMM_PAGE_OUT_ALL;

    VIDMM_ASSERT(event->residency.request != 0 && work->count > 0);
    work->request = event->residency.request;
    work->pages_out = all ? PAGES_OUT_ALL : PAGES_OUT_ANY;
    work->device = event->device;
    work->node = engine->config.paging_node;
    enqueue(engine, work);
}

void vidmm_work_create_compact(struct vidmm_engine *engine, const struct vidmm_event *event,
                               struct vidmm_work *work)
{
    VIDMM_ASSERT(event->test.request != 0 && work->count == 0);
    work->request = event->test.request;
    work->compacts = (uint8_t)event->test.way;
    work->segment = (uint8_t)event->test.segment;
    work->device = event->device;
    work->node = engine->config.paging_node;
    enqueue(engine, work);
}

void vidmm_work_create_paging(struct vidmm_engine *engine, uint32_t queue, uint32_t device,
                              struct vidmm_work *work)
{
    VIDMM_ASSERT(queue != 0 && work->value > VIDMM_FIRST_PAGING_FENCE);
    VIDMM_ASSERT(work->context == (VIDMM_PAGING_QUEUE_CONTEXT | queue));
    work->paging_queue = queue;
    work->device = device;
    work->node = engine->config.paging_node;
    enqueue(engine, work);
}

void vidmm_work_create_fences(struct vidmm_engine *engine, uint32_t device,
                              struct vidmm_fence_list *list, struct vidmm_work *work)
{
    VIDMM_ASSERT(list->state == FENCE_LIST_QUEUED && !list->work);
    list->work = work;
    work->fences = list;
    work->device = device;
    enqueue(engine, work);
}

void vidmm_work_free(struct vidmm_engine *engine, struct vidmm_work *work)
{
    vidmm_fence_list_destroy(engine, work->fences);
    engine->memory.free(engine->memory.context, work);
}

void vidmm_work_hold(struct vidmm_engine *engine, const struct vidmm_work *work, bool held)
{
    uint32_t index, all = work->split || work->selective ? 0 : work->count;

    for (index = 1; index <= engine->config.segment_count; index++)
        engine->segments[index].held_end = NULL;
    if (held)
        for (index = 0; index < all; index++)
            work->references[index].placement->held = true;
    else
        for (index = 0; index < all; index++)
            work->references[index].placement->held = false;
    for (index = 0; index < work->count && (work->split || work->selective); index++) {
        if (vidmm_work_needs(work, index)) {
            struct vidmm_placement *placement = work->references[index].placement;

            placement->held = held;
            placement->kept =
                held && (placement->kept || (work->needs[index] & SPLIT_KEEPS) != 0); /* D-340 */
        }
    }
}

void vidmm_work_begin(struct vidmm_engine *engine, struct vidmm_work *work)
{
    VIDMM_ASSERT(work == engine->turn);
    vidmm_split_begin(engine, work);
    work->begun = true;
    vidmm_work_hold(engine, work, true); /* W3 */
}

/* A work of the device has its turn no longer. */
static void leave_list(struct vidmm_engine *engine, uint32_t device)
{
    if (engine->config.explicit_residency && engine->devices[device].suspension != 0)
        vidmm_residency_suspend(engine, device); /* SU2 */
}

void vidmm_work_unprepare(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->turn;

    if (work && work->begun && (work->dma_buffer != 0 || work->paging_queue != 0)) {
        vidmm_work_hold(engine, work, false); /* W3 */
        work->begun = false;
        work->end = work->first; /* S1: the part is begun again where it began */
        VIDMM_ASSERT(work->part_count > 0);
        work->part_count--;
    }
    if (work) {
        work->ready = false;
        work->placed = 0;
        leave_list(engine, work->device);
    }
    vidmm_arbiter_choose_anew(engine); /* AR2: it may have kept its turn from another */
}

static void retire(struct vidmm_engine *engine, struct vidmm_work *work)
{
    VIDMM_ASSERT(work->ended && work->flying == 0);
    if (work->paging_queue == 0) {
        vidmm_works_add(&engine->retired, work);
        return;
    }
    vidmm_works_add(&engine->arriving, work); /* I8: behind those before it */
    engine->arrivals_may_go = true;
}

struct vidmm_work *vidmm_work_dequeue(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->turn;

    VIDMM_ASSERT(work && !work->ended);
    vidmm_arbiter_remove(engine, NULL, work);
    if (work->begun)
        vidmm_work_hold(engine, work, false); /* W3 */
    work->ended = true;
    leave_list(engine, work->device);
    if (work->first > 0)
        vidmm_dying_reconsider_contexts(engine);
    engine->waiting_since_ns = 0;
    return work;
}

void vidmm_work_drop(struct vidmm_engine *engine, NTSTATUS status)
{
    struct vidmm_work *work = vidmm_work_dequeue(engine);

    work->status = status;
    vidmm_cancel_consider(engine, work);
    if (work->flying == 0)
        retire(engine, work);
}

/* One that is not begun will never be. `before` is the one before it in its queue. */
static void withdraw(struct vidmm_engine *engine, struct vidmm_work *before,
                     struct vidmm_work *work, NTSTATUS status)
{
    VIDMM_ASSERT(work && !work->begun && work->flying == 0);
    vidmm_arbiter_remove(engine, before, work);
    work->ended = true;
    work->status = status;
    retire(engine, work);
}

static bool pins(const struct vidmm_work *work, uint32_t allocation)
{
    return work->dma_buffer == 0 && !work->fetch && work->paging_queue == 0 && !work->fences &&
           work->compacts == 0 && work->references[0].placement->id == allocation;
}

void vidmm_work_unpin(struct vidmm_engine *engine, uint32_t allocation)
{
    const struct vidmm_context_queue *queue = vidmm_arbiter_find(engine, 0);
    struct vidmm_work *work = queue ? queue->works.first : NULL, *before = NULL;

    while (work && !pins(work, allocation)) {
        before = work;
        work = work->next;
    }
    if (work && !work->begun) /* begun work comes to its end */
        withdraw(engine, before, work, STATUS_UNSUCCESSFUL);
}

/* A signal is written all the same: somebody may wait for it. */
static void withdraw_fences(struct vidmm_engine *engine, struct vidmm_work *before,
                            struct vidmm_work *work)
{
    if (work->fences->signals) {
        vidmm_fence_list_move(work->fences, FENCE_LIST_FOLLOW);
        vidmm_fence_list_move(work->fences, FENCE_LIST_PASS);
    }
    withdraw(engine, before, work, vidmm_device_record_status(engine, work->device));
}

NTSTATUS vidmm_work_abandon(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_context_queue *queue = vidmm_arbiter_find(engine, event->abandon.context);
    struct vidmm_work *work = queue ? queue->works.first : NULL, *before = NULL, *next;

    for (; work; work = next) {
        next = work->next;
        if (work->fences)
            withdraw_fences(engine, before, work);
        else if (work->dma_buffer != 0 && !work->begun && work->first == 0)
            withdraw(engine, before, work, STATUS_DEVICE_REMOVED);
        else
            before = work;
    }
    return STATUS_SUCCESS;
}

void vidmm_work_complete(struct vidmm_engine *engine, struct vidmm_part *part)
{
    struct vidmm_work *work = part->work;
    const struct vidmm_work_reference *references = work->references;
    bool all = part->first == 0 && part->end == work->patch_count;
    uint32_t index, count = work->count;

    VIDMM_ASSERT(work->flying > 0);
    if (!all)
        vidmm_split_mark_used(work, part);
    for (index = 0; index < count; index++)
        if (all || (work->needs[index] & SPLIT_USED) != 0)
            references[index].placement->uses--;
    work->flying--;
    if (work->ended && work->flying == 0)
        retire(engine, work);
}

static void fetched(struct vidmm_engine *engine, uint32_t request, NTSTATUS status)
{
    struct vidmm_lock_request *waiting = engine->lock_requests;

    while (waiting && waiting->request != request)
        waiting = waiting->next;
    if (waiting && status != STATUS_SUCCESS)
        waiting->status = status;
}

bool vidmm_work_retire(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->retired.first;
    struct vidmm_operation *operation;
    uint32_t index, count;

    if (!work || work->cancel != CANCEL_NONE)
        return false;
    if (work->fences && work->fences->signals && work->status == STATUS_SUCCESS &&
        vidmm_fence_list_write(engine, work->fences))
        return true;
    VIDMM_ASSERT(work->ended && work->flying == 0);
    vidmm_works_take(&engine->retired);
    for (index = 0, count = work->count; index < count; index++) {
        struct vidmm_placement *placement = work->references[index].placement;

        VIDMM_ASSERT(placement->references > 0); /* W2 */
        placement->references--;
        placement->writers -= vidmm_reference_writes(work->references[index].write) ? 1 : 0;
        if (vidmm_placement_has_offer(placement))
            vidmm_offer_consider(engine, placement);
        if (placement->dying)
            vidmm_dying_reconsider(engine, placement);
        if (!vidmm_placement_has_range(placement))
            vidmm_move_pair_reconsider(engine, placement);
    }
    vidmm_residency_ended(engine, work->device);
    engine->locks_may_go = true;
    if (work->paging_queue != 0) {
        vidmm_paging_queue_end(engine, work);
    } else if (work->dma_buffer != 0) {
        operation = vidmm_emit(engine, VIDMM_DO_RETIRE);
        operation->retire.dma_buffer = work->dma_buffer;
        operation->retire.status = (uint32_t)work->status;
    } else if (work->fences) {
        /* what waited for it is told by its fences */
    } else if (work->fetch) {
        fetched(engine, work->request, work->status);
    } else if (work->request != 0) { /* 0: its placement answers it */
        operation = vidmm_emit(engine, VIDMM_DO_GRANT);
        operation->grant.request = work->request;
        operation->grant.status = (uint32_t)work->status;
        if (work->pages_out == PAGES_OUT_NOTHING &&
            work->compacts == 0) { /* else it is about several */
            operation->allocation = work->references[0].placement->id;
            operation->grant.place = vidmm_engine_where(engine, operation->allocation);
        }
    }
    vidmm_work_free(engine, work);
    return true;
}

/* ---- submission ------------------------------------------------------------------------------ */
