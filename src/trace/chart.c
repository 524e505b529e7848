/* Remember what happens, for chart_svg.c to draw.
 *
 * T1 to T5 stand in chart_state.h. When memory runs out the rest is forgotten and the chart
 * says so when it is drawn, rather than show half of the truth. */
#include "trace/chart_state.h"

#include <string.h>

#include "base/assert.h"
#include "base/grow.h"
#include "trace/listed.h"
#include "trace/seats.h"

/* Make room for element `index`; false, and remembered, if there is none, or was none before. */
static bool reserve(struct vidmm_chart *chart, void **array, uint32_t *capacity, uint32_t index,
                    size_t element)
{
    void *grown =
        chart->out_of_memory ? NULL : vidmm_grow(&chart->memory, *array, capacity, index, element);

    if (grown == NULL)
        chart->out_of_memory = true;
    else
        *array = grown;
    return grown != NULL;
}

/* ---- seats ----------------------------------------------------------------------------------- */

static struct chart_owner *find_owner(struct vidmm_chart *chart, uint32_t allocation)
{
    bool table = allocation >= VIDMM_TABLE_IDS;
    const uint32_t *of = table ? chart->table_owner_of : chart->owner_of;
    uint32_t room = table ? chart->table_owner_of_capacity : chart->owner_of_capacity;
    uint32_t index = table ? allocation - VIDMM_TABLE_IDS : allocation;

    return index < room && of[index] != 0 ? &chart->owners[of[index] - 1] : NULL;
}

/* A page table is seen for the first time. NULL: no memory. */
static struct chart_owner *create_table(struct vidmm_chart *chart, const struct vidmm_seat *seat)
{
    uint32_t index = seat->allocation - VIDMM_TABLE_IDS;

    if (!reserve(chart, (void **)&chart->owners, &chart->owner_capacity, chart->owner_count,
                 sizeof(*chart->owners)) ||
        !reserve(chart, (void **)&chart->table_owner_of, &chart->table_owner_of_capacity, index,
                 sizeof(*chart->table_owner_of)))
        return NULL;
    chart->owners[chart->owner_count] = (struct chart_owner){
        .size = seat->size,
        .number = index,
        .class_index = (uint8_t)chart->options.table_class,
        .live = true,
    };
    chart->table_owner_of[index] = ++chart->owner_count;
    return &chart->owners[chart->owner_count - 1];
}

static void seat_taken(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    struct vidmm_chart *chart = context;
    struct chart_owner *owner = find_owner(chart, seat->allocation);

    if (owner == NULL && seat->allocation >= VIDMM_TABLE_IDS)
        owner = create_table(chart, seat);
    if (owner == NULL || !reserve(chart, (void **)&chart->stays, &chart->stay_capacity,
                                  chart->stay_count, sizeof(*chart->stays)))
        return;
    chart->stays[chart->stay_count++] = (struct chart_stay){
        .offset = seat->place.offset,
        .size = seat->size,
        .owner = (uint32_t)(owner - chart->owners),
        .begin = chart->tick,
        .before = owner->last_stay,
        .segment = (uint8_t)seat->place.segment,
        .came = (uint8_t)reason,
        .open = true,
    };
    VIDMM_ASSERT(owner->last_stay < chart->stay_count); /* T5 */
    owner->last_stay = chart->stay_count;
    if (!vidmm_seats_in_memory(chart->seats, seat->place.segment))
        return;
    chart->used += seat->size;
    owner->in_memory += seat->size;
}

/* T5: the open ones are among the last few. */
static void seat_left(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    struct vidmm_chart *chart = context;
    struct chart_owner *owner = find_owner(chart, seat->allocation);
    struct chart_stay *stay = NULL;

    if (vidmm_seats_in_memory(chart->seats, seat->place.segment)) {
        VIDMM_ASSERT(chart->used >= seat->size);
        chart->used -= seat->size;
        if (owner != NULL)
            owner->in_memory -= seat->size;
    }
    for (uint32_t i = owner != NULL ? owner->last_stay : 0; i != 0; i = stay->before) {
        stay = &chart->stays[i - 1];
        if (!stay->open || stay->segment != seat->place.segment ||
            stay->offset != seat->place.offset)
            continue;
        VIDMM_ASSERT(stay->begin <= chart->tick);
        stay->open = false;
        stay->end = chart->tick;
        stay->went = (uint8_t)reason;
        return;
    }
}

/* ---- what comes in --------------------------------------------------------------------------- */

static void create_owner(struct vidmm_chart *chart, const struct vidmm_event *event)
{
    uint32_t id = event->create.allocation;

    if (!reserve(chart, (void **)&chart->owners, &chart->owner_capacity, chart->owner_count,
                 sizeof(*chart->owners)) ||
        !reserve(chart, (void **)&chart->owner_of, &chart->owner_of_capacity, id,
                 sizeof(*chart->owner_of)))
        return;
    if (!vidmm_seats_event(chart->seats, event)) {
        chart->out_of_memory = true;
        return;
    }
    chart->owners[chart->owner_count] = (struct chart_owner){
        .size = event->create.wish.size,
        .number = id,
        .class_index = event->create.buffer ? 1 : 0,
        .live = true,
    };
    chart->owner_of[id] = ++chart->owner_count;
}

static void destroy_owner(struct vidmm_chart *chart, uint32_t allocation)
{
    struct chart_owner *owner = find_owner(chart, allocation);

    if (owner == NULL || !owner->live)
        return;
    owner->live = false;
    if (owner->wanted) {
        VIDMM_ASSERT(chart->wanted >= owner->size);
        chart->wanted -= owner->size;
    }
}

void vidmm_chart_engine(struct vidmm_chart *chart, const struct vidmm_engine_config *config)
{
    vidmm_seats_engine(chart->seats, config);
}

static void note_submission(struct vidmm_chart *chart, const struct vidmm_event *event)
{
    uint32_t buffer = event->submit.dma_buffer;

    chart->submitted++;
    if (chart->options.lists != NULL &&
        reserve(chart, (void **)&chart->device_of, &chart->device_of_capacity, buffer,
                sizeof(*chart->device_of)))
        chart->device_of[buffer] = event->device;
}

void vidmm_chart_event(struct vidmm_chart *chart, const struct vidmm_event *event)
{
    if (chart->out_of_memory)
        return;
    if (event->kind == VIDMM_EVENT_CREATE_ALLOCATION)
        create_owner(chart, event);
    else if (event->kind == VIDMM_EVENT_CREATE_PROCESS)
        vidmm_seats_event(chart->seats, event);
    else if (event->kind == VIDMM_EVENT_DESTROY_ALLOCATION ||
             event->kind == VIDMM_EVENT_DESTROY_AT_ONCE)
        destroy_owner(chart, event->destroy.allocation);
    else if (event->kind == VIDMM_EVENT_SUBMIT)
        note_submission(chart, event);
}

/* Bytes in memory segments of what is on the list of the device that submits. */
static uint64_t needed_by_list(struct vidmm_chart *chart, uint32_t buffer)
{
    const uint32_t *listed = NULL;
    uint32_t count = 0;
    uint64_t needed = 0;

    if (chart->options.lists != NULL && buffer < chart->device_of_capacity)
        listed = vidmm_lists_of(chart->options.lists, chart->device_of[buffer], &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct chart_owner *owner = find_owner(chart, listed[i]);

        needed += owner != NULL ? owner->in_memory : 0;
    }
    return needed;
}

/* Close the tick: T3. */
static void submit(struct vidmm_chart *chart, uint32_t buffer)
{
    struct chart_tick *tick = &chart->ticks[chart->tick];

    VIDMM_ASSERT(chart->tick < chart->tick_capacity); /* T3 */
    VIDMM_ASSERT(chart->tick < chart->submitted);
    tick->used = chart->used;
    tick->wanted = chart->wanted;
    tick->needed = chart->needed != 0 ? chart->needed : needed_by_list(chart, buffer);
    chart->needed = 0;
    if (reserve(chart, (void **)&chart->ticks, &chart->tick_capacity, chart->tick + 1,
                sizeof(*chart->ticks)))
        chart->tick++;
}

static void count_transfer(struct vidmm_chart *chart, const struct vidmm_operation *operation)
{
    struct chart_tick *tick = &chart->ticks[chart->tick];
    bool address = operation->build.operation == VIDMM_TRANSFER_VIRTUAL;
    uint32_t source = address ? operation->table.place.segment : operation->build.source.segment;
    uint32_t destination =
        address ? operation->table.at.segment : operation->build.destination.segment;
    uint64_t size = address ? operation->table.size : operation->build.size;
    bool from = vidmm_seats_in_memory(chart->seats, source);
    bool to = vidmm_seats_in_memory(chart->seats, destination);

    if (operation->build.flags & VIDMM_PAGING_AGAIN)
        return;
    if (to && !from)
        tick->in += size;
    if (from && !to)
        tick->out += size;
}

void vidmm_chart_operation(struct vidmm_chart *chart, const struct vidmm_operation *operation)
{
    const struct chart_owner *owner;

    if (chart->out_of_memory)
        return;
    vidmm_seats_operation(chart->seats, operation);
    chart->out_of_memory |= !vidmm_seats_are_whole(chart->seats);
    if (chart->out_of_memory)
        return;
    switch (operation->kind) {
    case VIDMM_DO_BUILD:
        if (operation->build.operation == VIDMM_TRANSFER ||
            operation->build.operation == VIDMM_TRANSFER_VIRTUAL)
            count_transfer(chart, operation);
        break;
    case VIDMM_DO_PLACED:
        owner = find_owner(chart, operation->allocation);
        if (owner != NULL && vidmm_seats_in_memory(chart->seats, operation->placed.place.segment))
            chart->needed += owner->size;
        break;
    case VIDMM_DO_SUBMIT:
        submit(chart, operation->submit.dma_buffer);
        break;
    default:
        break;
    }
}

void vidmm_chart_name(struct vidmm_chart *chart, uint32_t allocation, uint32_t class_index,
                      uint32_t number, bool wanted)
{
    struct chart_owner *owner = find_owner(chart, allocation);

    if (owner == NULL)
        return;
    owner->number = number;
    owner->class_index = (uint8_t)(class_index < chart->options.class_count ? class_index : 0);
    if (wanted && !owner->wanted && owner->live) {
        owner->wanted = true;
        chart->wanted += owner->size;
    }
}

void vidmm_chart_give_up(struct vidmm_chart *chart)
{
    chart->out_of_memory = true;
}

/* T4 */
void vidmm_chart_frame(struct vidmm_chart *chart)
{
    if (reserve(chart, (void **)&chart->frames, &chart->frame_capacity, chart->frame_count,
                sizeof(*chart->frames)))
        chart->frames[chart->frame_count++] = chart->submitted;
}

void vidmm_chart_peaks(const struct vidmm_chart *chart, uint64_t *wanted, uint64_t *needed)
{
    *wanted = *needed = 0;
    for (uint32_t i = 0; i < chart->tick; i++) {
        const struct chart_tick *tick = &chart->ticks[i];

        *wanted = tick->wanted > *wanted ? tick->wanted : *wanted;
        *needed = tick->needed > *needed ? tick->needed : *needed;
    }
}

/* ---- create and destroy ---------------------------------------------------------------------- */

struct vidmm_chart *vidmm_chart_create(const struct vidmm_memory *memory,
                                       const struct vidmm_chart_options *options)
{
    struct vidmm_chart *chart = memory->allocate(memory->context, sizeof(*chart));
    uint32_t apertures = 0;

    if (chart == NULL)
        return NULL;
    chart->memory = *memory;
    chart->options = *options;
    for (uint32_t i = 0; i < options->segment_count; i++)
        if (options->segments[i].aperture)
            apertures |= 1u << (options->segments[i].id - 1);
    const struct vidmm_seats_listener listener = {chart, seat_taken, seat_left};
    chart->seats = vidmm_seats_create(memory, apertures, &listener);
    if (chart->seats != NULL &&
        reserve(chart, (void **)&chart->ticks, &chart->tick_capacity, 0, sizeof(*chart->ticks)))
        return chart;
    vidmm_chart_destroy(chart);
    return NULL;
}

void vidmm_chart_destroy(struct vidmm_chart *chart)
{
    if (chart == NULL)
        return;
    struct vidmm_memory memory = chart->memory;
    vidmm_seats_destroy(chart->seats);
    void *const blocks[] = {chart->owners, chart->owner_of, chart->table_owner_of, chart->device_of,
                            chart->stays,  chart->ticks,    chart->frames,         chart};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if (blocks[i] != NULL)
            memory.free(memory.context, blocks[i]);
}
