/* Remember what happens, for timeline_svg.c to draw.
 *
 * T1 to T5 stand in timeline_state.h. When memory runs out the rest is forgotten and the timeline
 * says so when it is drawn, rather than show half of the truth. */
#include "trace/timeline_state.h"

#include <string.h>

#include "base/assert.h"

/* Make room for index `count`; false, and remembered, if there is none. */
static bool reserve(struct vidmm_timeline *timeline, void **array, uint32_t *capacity,
                    uint32_t count, size_t element)
{
    const struct vidmm_memory *memory = &timeline->memory;
    uint32_t larger = *capacity == 0 ? 256 : *capacity;

    if (count < *capacity)
        return !timeline->out_of_memory;
    while (larger <= count)
        larger *= 2;
    void *copy =
        timeline->out_of_memory ? NULL : memory->allocate(memory->context, larger * element);
    if (copy == NULL) {
        timeline->out_of_memory = true;
        return false;
    }
    if (*array != NULL) {
        memcpy(copy, *array, *capacity * element);
        memory->free(memory->context, *array);
    }
    *array = copy;
    *capacity = larger;
    return true;
}

/* ---- seats ----------------------------------------------------------------------------------- */

static struct timeline_owner *find_owner(struct vidmm_timeline *timeline, uint32_t allocation)
{
    if (allocation >= timeline->owner_of_capacity || timeline->owner_of[allocation] == 0)
        return NULL;
    return &timeline->owners[timeline->owner_of[allocation] - 1];
}

static void seat_taken(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    struct vidmm_timeline *timeline = context;
    struct timeline_owner *owner = find_owner(timeline, seat->allocation);

    if (owner == NULL || !reserve(timeline, (void **)&timeline->stays, &timeline->stay_capacity,
                                  timeline->stay_count, sizeof(*timeline->stays)))
        return;
    timeline->stays[timeline->stay_count++] = (struct timeline_stay){
        .offset = seat->place.offset,
        .size = seat->size,
        .owner = timeline->owner_of[seat->allocation] - 1,
        .begin = timeline->tick,
        .before = owner->last_stay,
        .segment = (uint8_t)seat->place.segment,
        .came = (uint8_t)reason,
        .open = true,
    };
    VIDMM_ASSERT(owner->last_stay < timeline->stay_count); /* T5 */
    owner->last_stay = timeline->stay_count;
    if (vidmm_seats_in_memory(timeline->seats, seat->place.segment))
        timeline->used += seat->size;
}

/* T5: the open ones are among the last few. */
static void seat_left(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    struct vidmm_timeline *timeline = context;
    struct timeline_owner *owner = find_owner(timeline, seat->allocation);
    struct timeline_stay *stay = NULL;

    if (vidmm_seats_in_memory(timeline->seats, seat->place.segment)) {
        VIDMM_ASSERT(timeline->used >= seat->size);
        timeline->used -= seat->size;
    }
    for (uint32_t i = owner != NULL ? owner->last_stay : 0; i != 0; i = stay->before) {
        stay = &timeline->stays[i - 1];
        if (!stay->open || stay->segment != seat->place.segment ||
            stay->offset != seat->place.offset)
            continue;
        VIDMM_ASSERT(stay->begin <= timeline->tick);
        stay->open = false;
        stay->end = timeline->tick;
        stay->went = (uint8_t)reason;
        return;
    }
}

/* ---- what comes in --------------------------------------------------------------------------- */

static void create_owner(struct vidmm_timeline *timeline, const struct vidmm_event *event)
{
    uint32_t id = event->create.allocation;

    if (!reserve(timeline, (void **)&timeline->owners, &timeline->owner_capacity,
                 timeline->owner_count, sizeof(*timeline->owners)) ||
        !reserve(timeline, (void **)&timeline->owner_of, &timeline->owner_of_capacity, id,
                 sizeof(*timeline->owner_of)))
        return;
    if (!vidmm_seats_event(timeline->seats, event)) {
        timeline->out_of_memory = true;
        return;
    }
    timeline->owners[timeline->owner_count] = (struct timeline_owner){
        .size = event->create.wish.size,
        .number = id,
        .class_index = event->create.buffer ? 1 : 0,
        .live = true,
    };
    timeline->owner_of[id] = ++timeline->owner_count;
}

static void destroy_owner(struct vidmm_timeline *timeline, uint32_t allocation)
{
    struct timeline_owner *owner = find_owner(timeline, allocation);

    if (owner == NULL || !owner->live)
        return;
    owner->live = false;
    if (owner->wanted) {
        VIDMM_ASSERT(timeline->wanted >= owner->size);
        timeline->wanted -= owner->size;
    }
}

void vidmm_timeline_event(struct vidmm_timeline *timeline, const struct vidmm_event *event)
{
    if (timeline->out_of_memory)
        return;
    if (event->kind == VIDMM_EVENT_CREATE_ALLOCATION)
        create_owner(timeline, event);
    else if (event->kind == VIDMM_EVENT_DESTROY_ALLOCATION)
        destroy_owner(timeline, event->destroy.allocation);
    else if (event->kind == VIDMM_EVENT_SUBMIT)
        timeline->submitted++;
}

/* Close the tick: T3. */
static void submit(struct vidmm_timeline *timeline)
{
    struct timeline_tick *tick = &timeline->ticks[timeline->tick];

    VIDMM_ASSERT(timeline->tick < timeline->tick_capacity); /* T3 */
    VIDMM_ASSERT(timeline->tick < timeline->submitted);
    tick->used = timeline->used;
    tick->wanted = timeline->wanted;
    tick->needed = timeline->needed;
    timeline->needed = 0;
    if (reserve(timeline, (void **)&timeline->ticks, &timeline->tick_capacity, timeline->tick + 1,
                sizeof(*timeline->ticks)))
        timeline->tick++;
}

static void count_transfer(struct vidmm_timeline *timeline, const struct vidmm_operation *operation)
{
    struct timeline_tick *tick = &timeline->ticks[timeline->tick];
    bool from = vidmm_seats_in_memory(timeline->seats, operation->build.source.segment);
    bool to = vidmm_seats_in_memory(timeline->seats, operation->build.destination.segment);

    if (operation->build.flags & VIDMM_PAGING_AGAIN)
        return;
    if (to && !from)
        tick->in += operation->build.size;
    if (from && !to)
        tick->out += operation->build.size;
}

void vidmm_timeline_operation(struct vidmm_timeline *timeline,
                              const struct vidmm_operation *operation)
{
    const struct timeline_owner *owner;

    if (timeline->out_of_memory)
        return;
    vidmm_seats_operation(timeline->seats, operation);
    switch (operation->kind) {
    case VIDMM_DO_BUILD:
        if (operation->build.operation == VIDMM_TRANSFER)
            count_transfer(timeline, operation);
        break;
    case VIDMM_DO_PLACED:
        owner = find_owner(timeline, operation->allocation);
        if (owner != NULL &&
            vidmm_seats_in_memory(timeline->seats, operation->placed.place.segment))
            timeline->needed += owner->size;
        break;
    case VIDMM_DO_SUBMIT:
        submit(timeline);
        break;
    default:
        break;
    }
}

void vidmm_timeline_name(struct vidmm_timeline *timeline, uint32_t allocation, uint32_t class_index,
                         uint32_t number, bool wanted)
{
    struct timeline_owner *owner = find_owner(timeline, allocation);

    if (owner == NULL)
        return;
    owner->number = number;
    owner->class_index = (uint8_t)(class_index < timeline->options.class_count ? class_index : 0);
    if (wanted && !owner->wanted && owner->live) {
        owner->wanted = true;
        timeline->wanted += owner->size;
    }
}

/* T4 */
void vidmm_timeline_frame(struct vidmm_timeline *timeline)
{
    if (reserve(timeline, (void **)&timeline->frames, &timeline->frame_capacity,
                timeline->frame_count, sizeof(*timeline->frames)))
        timeline->frames[timeline->frame_count++] = timeline->submitted;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

struct vidmm_timeline *vidmm_timeline_create(const struct vidmm_memory *memory,
                                             const struct vidmm_timeline_options *options)
{
    struct vidmm_timeline *timeline = memory->allocate(memory->context, sizeof(*timeline));
    uint32_t apertures = 0;

    if (timeline == NULL)
        return NULL;
    timeline->memory = *memory;
    timeline->options = *options;
    for (uint32_t i = 0; i < options->segment_count; i++)
        if (options->segments[i].aperture)
            apertures |= 1u << (options->segments[i].id - 1);
    const struct vidmm_seats_listener listener = {timeline, seat_taken, seat_left};
    timeline->seats = vidmm_seats_create(memory, apertures, &listener);
    if (timeline->seats != NULL && reserve(timeline, (void **)&timeline->ticks,
                                           &timeline->tick_capacity, 0, sizeof(*timeline->ticks)))
        return timeline;
    vidmm_timeline_destroy(timeline);
    return NULL;
}

void vidmm_timeline_destroy(struct vidmm_timeline *timeline)
{
    if (timeline == NULL)
        return;
    struct vidmm_memory memory = timeline->memory;
    vidmm_seats_destroy(timeline->seats);
    void *const blocks[] = {timeline->owners, timeline->owner_of, timeline->stays,
                            timeline->ticks,  timeline->frames,   timeline};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if (blocks[i] != NULL)
            memory.free(memory.context, blocks[i]);
}
