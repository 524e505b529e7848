/* N1  an allocation has at most PLACES seats at a time: one in memory, one in an aperture through
 *     which it is leaving, one more while it moves
 * N2  an operation that is handed out again (VIDMM_PAGING_AGAIN) changes nothing */
#include "trace/seats.h"

#include <string.h>

#include <vidmm/memory.h>

#include "base/assert.h"
#include "base/grow.h"

#define PLACES 3u

struct occupant {
    bool live;
    bool buffer;
    uint32_t count;
    struct vidmm_place places[PLACES]; /* N1 */
    uint64_t size;
};

struct vidmm_seats {
    struct vidmm_memory memory;
    struct vidmm_seats_listener listener;
    uint32_t apertures;
    struct occupant *occupants; /* by the allocation's id */
    uint32_t capacity;
};

struct vidmm_seats *vidmm_seats_create(const struct vidmm_memory *memory, uint32_t apertures,
                                       const struct vidmm_seats_listener *listener)
{
    struct vidmm_seats *seats = memory->allocate(memory->context, sizeof(*seats));

    if (seats != NULL)
        *seats =
            (struct vidmm_seats){.memory = *memory, .listener = *listener, .apertures = apertures};
    return seats;
}

void vidmm_seats_destroy(struct vidmm_seats *seats)
{
    if (seats == NULL)
        return;
    struct vidmm_memory memory = seats->memory;
    if (seats->occupants != NULL)
        memory.free(memory.context, seats->occupants);
    memory.free(memory.context, seats);
}

bool vidmm_seats_in_memory(const struct vidmm_seats *seats, uint32_t segment)
{
    VIDMM_ASSERT(segment < VIDMM_SEGMENTS);
    return segment != 0 && (seats->apertures >> (segment - 1) & 1) == 0;
}

static struct occupant *occupant_of(struct vidmm_seats *seats, uint32_t allocation)
{
    if (allocation >= seats->capacity || !seats->occupants[allocation].live)
        return NULL;
    return &seats->occupants[allocation];
}

static struct vidmm_seat seat_of(const struct vidmm_seats *seats, uint32_t allocation,
                                 struct vidmm_place place)
{
    const struct occupant *occupant = &seats->occupants[allocation];

    return (struct vidmm_seat){allocation, occupant->buffer, place, occupant->size};
}

static void take(struct vidmm_seats *seats, uint32_t allocation, struct vidmm_place place,
                 enum vidmm_seat_reason reason)
{
    struct occupant *occupant = occupant_of(seats, allocation);

    if (occupant == NULL || place.segment == 0)
        return;
    for (uint32_t i = 0; i < occupant->count; i++)
        if (occupant->places[i].segment == place.segment &&
            occupant->places[i].offset == place.offset)
            return;
    if (occupant->count == PLACES)
        return;
    occupant->places[occupant->count++] = place;
    VIDMM_ASSERT(occupant->count <= PLACES); /* N1 */
    struct vidmm_seat seat = seat_of(seats, allocation, place);
    seats->listener.taken(seats->listener.context, &seat, reason);
}

static void leave(struct vidmm_seats *seats, uint32_t allocation, struct vidmm_place place,
                  enum vidmm_seat_reason reason)
{
    struct occupant *occupant = occupant_of(seats, allocation);

    if (occupant == NULL)
        return;
    for (uint32_t i = 0; i < occupant->count; i++) {
        if (occupant->places[i].segment != place.segment ||
            occupant->places[i].offset != place.offset)
            continue;
        occupant->places[i] = occupant->places[--occupant->count];
        struct vidmm_seat seat = seat_of(seats, allocation, place);
        seats->listener.left(seats->listener.context, &seat, reason);
        return;
    }
}

/* A submission finds it here: any other belief about this segment is wrong. */
static void find(struct vidmm_seats *seats, uint32_t allocation, struct vidmm_place place)
{
    struct occupant *occupant = occupant_of(seats, allocation);

    if (occupant == NULL)
        return;
    for (uint32_t i = occupant->count; i-- > 0;)
        if (occupant->places[i].segment == place.segment &&
            occupant->places[i].offset != place.offset)
            leave(seats, allocation, occupant->places[i], VIDMM_SEAT_MOVED);
    take(seats, allocation, place, VIDMM_SEAT_FOUND);
}

static void leave_all(struct vidmm_seats *seats, uint32_t allocation)
{
    struct occupant *occupant = occupant_of(seats, allocation);

    if (occupant == NULL)
        return;
    while (occupant->count > 0)
        leave(seats, allocation, occupant->places[0], VIDMM_SEAT_DESTROYED);
    occupant->live = false;
}

bool vidmm_seats_event(struct vidmm_seats *seats, const struct vidmm_event *event)
{
    if (event->kind != VIDMM_EVENT_CREATE_ALLOCATION)
        return true;
    struct occupant *occupants = vidmm_grow(&seats->memory, seats->occupants, &seats->capacity,
                                            event->create.allocation, sizeof(*occupants));
    if (occupants == NULL)
        return false;
    seats->occupants = occupants;
    leave_all(seats, event->create.allocation);
    seats->occupants[event->create.allocation] = (struct occupant){
        .live = true, .buffer = event->create.buffer != 0, .size = event->create.wish.size};
    return true;
}

static void transfer(struct vidmm_seats *seats, const struct vidmm_operation *operation)
{
    struct vidmm_place source = operation->build.source, target = operation->build.destination;
    bool to_memory = vidmm_seats_in_memory(seats, target.segment);

    if ((operation->build.flags & VIDMM_PAGING_END) == 0)
        return;
    if (vidmm_seats_in_memory(seats, source.segment))
        leave(seats, operation->allocation, source,
              to_memory ? VIDMM_SEAT_MOVED : VIDMM_SEAT_PAGED_OUT);
    if (to_memory)
        take(seats, operation->allocation, target, VIDMM_SEAT_PAGED_IN);
}

static void build(struct vidmm_seats *seats, const struct vidmm_operation *operation)
{
    struct vidmm_place target = operation->build.destination;

    if (operation->build.flags & VIDMM_PAGING_AGAIN) /* N2 */
        return;
    switch (operation->build.operation) {
    case VIDMM_TRANSFER:
        transfer(seats, operation);
        break;
    case VIDMM_FILL:
    case VIDMM_INIT_CONTEXT_RESOURCE: /* where it is mapped already, nothing changes */
        take(seats, operation->allocation, target, VIDMM_SEAT_FILLED);
        break;
    case VIDMM_DISCARD_CONTENT:
        leave(seats, operation->allocation, target, VIDMM_SEAT_DISCARDED);
        break;
    case VIDMM_MAP_APERTURE_SEGMENT:
        take(seats, operation->allocation, target, VIDMM_SEAT_MAPPED);
        break;
    case VIDMM_UNMAP_APERTURE_SEGMENT:
        leave(seats, operation->allocation, target, VIDMM_SEAT_UNMAPPED);
        break;
    default:
        break;
    }
}

void vidmm_seats_operation(struct vidmm_seats *seats, const struct vidmm_operation *operation)
{
    switch (operation->kind) {
    case VIDMM_DO_BUILD:
        build(seats, operation);
        break;
    case VIDMM_DO_PLACED:
        find(seats, operation->allocation, operation->placed.place);
        break;
    case VIDMM_DO_DESTROY:
        leave_all(seats, operation->allocation);
        break;
    default:
        break;
    }
}
