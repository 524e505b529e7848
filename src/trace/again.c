#include "trace/again.h"

#include <vidmm/memory.h>

#include "base/grow.h"
#include "trace/seats.h"

struct vidmm_again {
    struct vidmm_memory memory;
    struct vidmm_seats *seats;
    bool *was_out; /* by the allocation's id: it has left a memory segment */
    uint32_t capacity;
    bool out_of_memory;
    struct vidmm_again_count count;
    uint64_t paged_before; /* bytes, at the end of the frame before */
};

/* ---- who was out ----------------------------------------------------------------------------- */

/* Make room for the id. */
static bool reserve(struct vidmm_again *again, uint32_t id)
{
    bool *grown = vidmm_grow(&again->memory, again->was_out, &again->capacity, id, sizeof(*grown));

    if (grown == NULL)
        again->out_of_memory = true;
    else
        again->was_out = grown;
    return grown != NULL;
}

static void seat_taken(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    (void)context, (void)seat, (void)reason;
}

static void seat_left(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    struct vidmm_again *again = context;

    if (!vidmm_seats_in_memory(again->seats, seat->place.segment))
        return;
    if (reason == VIDMM_SEAT_PAGED_OUT || reason == VIDMM_SEAT_DISCARDED)
        if (reserve(again, seat->allocation))
            again->was_out[seat->allocation] = true;
}

/* ---- what goes on ---------------------------------------------------------------------------- */

void vidmm_again_event(struct vidmm_again *again, const struct vidmm_event *event)
{
    if (!vidmm_seats_event(again->seats, event))
        again->out_of_memory = true;
    if (event->kind == VIDMM_EVENT_CREATE_ALLOCATION &&
        event->create.allocation < again->capacity) /* ids are used again */
        again->was_out[event->create.allocation] = false;
}

/* Bytes move between memory segments and elsewhere, or not. */
static void count(struct vidmm_again *again, uint32_t id, struct vidmm_place source,
                  struct vidmm_place destination, uint64_t size)
{
    bool from = vidmm_seats_in_memory(again->seats, source.segment);
    bool to = vidmm_seats_in_memory(again->seats, destination.segment);

    if (from && !to)
        again->count.bytes_out += size;
    else if (to && !from && id < again->capacity && again->was_out[id])
        again->count.bytes_again += size;
    if (from && !to && reserve(again, id)) /* by addresses nothing else says so */
        again->was_out[id] = true;
}

void vidmm_again_operation(struct vidmm_again *again, const struct vidmm_operation *operation)
{
    bool built =
        operation->kind == VIDMM_DO_BUILD && !(operation->build.flags & VIDMM_PAGING_AGAIN);

    if (built && operation->build.operation == VIDMM_TRANSFER)
        count(again, operation->allocation, operation->build.source, operation->build.destination,
              operation->build.size);
    if (built && operation->build.operation == VIDMM_TRANSFER_VIRTUAL)
        count(again, operation->allocation, operation->table.place, operation->table.at,
              operation->table.size);
    vidmm_seats_operation(again->seats, operation);
}

void vidmm_again_frame(struct vidmm_again *again)
{
    uint64_t paged = again->count.bytes_again + again->count.bytes_out;

    again->count.frames_held += paged != again->paged_before;
    again->paged_before = paged;
}

bool vidmm_again_counted(const struct vidmm_again *again, struct vidmm_again_count *count)
{
    *count = again->count;
    return !again->out_of_memory && vidmm_seats_are_whole(again->seats);
}

/* ---- create and destroy ---------------------------------------------------------------------- */

struct vidmm_again *vidmm_again_create(const struct vidmm_memory *memory, uint32_t apertures)
{
    struct vidmm_again *again = memory->allocate(memory->context, sizeof(*again));

    if (again == NULL)
        return NULL;
    *again = (struct vidmm_again){.memory = *memory};
    const struct vidmm_seats_listener listener = {again, seat_taken, seat_left};
    again->seats = vidmm_seats_create(memory, apertures, &listener);
    if (again->seats != NULL)
        return again;
    vidmm_again_destroy(again);
    return NULL;
}

void vidmm_again_destroy(struct vidmm_again *again)
{
    if (again == NULL)
        return;
    struct vidmm_memory memory = again->memory;
    vidmm_seats_destroy(again->seats);
    if (again->was_out != NULL)
        memory.free(memory.context, again->was_out);
    memory.free(memory.context, again);
}
