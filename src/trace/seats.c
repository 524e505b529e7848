/* N1  an allocation has at most PLACES seats that are all of it at a time: one in memory, one in an
 *     aperture through which it is leaving, one more while it moves; or seats that are runs of it,
 *     all of which are taken at once and left at once
 * N2  an operation that is handed out again (VIDMM_PAGING_AGAIN) changes nothing
 * N3  runs are gathered from the page tables of the paging process, for one allocation, from the
 *     first chunk of a move to the last. A flush with nothing gathered is that of a discard, but
 *     for the one behind a fill. */
#include "trace/seats.h"

#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/memory.h>
#include <vidmm/page.h>

#include "base/assert.h"
#include "base/grow.h"

#define PLACES 3u
#define WIDE_PAGE 65536u /* bytes of an entry of a leaf of 64 KiB pages */

struct piece {
    struct vidmm_place place;
    uint64_t size; /* bytes */
};

struct pieces {
    struct piece *piece;
    uint32_t count, capacity;
};

struct occupant {
    bool live;
    bool buffer;
    struct pieces pieces; /* N1 */
    uint64_t size;
};

/* Occupants by their ids, from `first` on. */
struct occupants {
    struct occupant *occupant;
    uint32_t first, capacity;
};

struct vidmm_seats {
    struct vidmm_memory memory;
    struct vidmm_seats_listener listener;
    uint32_t apertures;
    struct occupants allocations, tables;
    uint32_t paging; /* the paging process, once it is created; 0: the GPU has no page tables */
    uint32_t table_size[VIDMM_ENGINE_LEVELS], wide_size; /* bytes; 0: not known */
    struct pieces gathered;                              /* N3 */
    uint32_t gathered_of;                                /* the allocation, or 0 */
    uint32_t filled; /* N3: the allocation whose fill a flush follows, or 0 */
    bool out_of_memory;
};

struct vidmm_seats *vidmm_seats_create(const struct vidmm_memory *memory, uint32_t apertures,
                                       const struct vidmm_seats_listener *listener)
{
    struct vidmm_seats *seats = memory->allocate(memory->context, sizeof(*seats));

    if (seats != NULL)
        *seats = (struct vidmm_seats){.memory = *memory,
                                      .listener = *listener,
                                      .apertures = apertures,
                                      .tables = {.first = VIDMM_TABLE_IDS}};
    return seats;
}

static void give_back(const struct vidmm_memory *memory, void *block)
{
    if (block != NULL)
        memory->free(memory->context, block);
}

static void destroy_occupants(const struct vidmm_memory *memory, struct occupants *occupants)
{
    for (uint32_t i = 0; i < occupants->capacity; i++)
        give_back(memory, occupants->occupant[i].pieces.piece);
    give_back(memory, occupants->occupant);
}

void vidmm_seats_destroy(struct vidmm_seats *seats)
{
    if (seats == NULL)
        return;
    struct vidmm_memory memory = seats->memory;
    destroy_occupants(&memory, &seats->allocations);
    destroy_occupants(&memory, &seats->tables);
    give_back(&memory, seats->gathered.piece);
    memory.free(memory.context, seats);
}

void vidmm_seats_engine(struct vidmm_seats *seats, const struct vidmm_engine_config *config)
{
    for (uint32_t i = 0; i < config->mmu.levels && i < VIDMM_ENGINE_LEVELS; i++)
        seats->table_size[i] = config->mmu.table_size[i];
    seats->wide_size = config->mmu.wide_size;
}

bool vidmm_seats_are_whole(const struct vidmm_seats *seats)
{
    return !seats->out_of_memory;
}

bool vidmm_seats_in_memory(const struct vidmm_seats *seats, uint32_t segment)
{
    VIDMM_ASSERT(segment < VIDMM_SEGMENTS);
    return segment != 0 && (seats->apertures >> (segment - 1) & 1) == 0;
}

/* ---- occupants ------------------------------------------------------------------------------- */

static struct occupants *occupants_of(struct vidmm_seats *seats, uint32_t id)
{
    return id >= VIDMM_TABLE_IDS ? &seats->tables : &seats->allocations;
}

static struct occupant *occupant_of(struct vidmm_seats *seats, uint32_t id)
{
    const struct occupants *all = occupants_of(seats, id);
    uint32_t index = id - all->first;

    return index < all->capacity && all->occupant[index].live ? &all->occupant[index] : NULL;
}

/* Add to the pieces. False, and remembered: no memory. */
static bool add(struct vidmm_seats *seats, struct pieces *pieces, struct vidmm_place place,
                uint64_t size)
{
    struct piece *grown =
        vidmm_grow(&seats->memory, pieces->piece, &pieces->capacity, pieces->count, sizeof(*grown));

    if (grown == NULL) {
        seats->out_of_memory = true;
        return false;
    }
    pieces->piece = grown;
    pieces->piece[pieces->count++] = (struct piece){place, size};
    return true;
}

static void take_piece(struct vidmm_seats *seats, uint32_t id, struct vidmm_place place,
                       uint64_t size, enum vidmm_seat_reason reason)
{
    struct occupant *occupant = occupant_of(seats, id);
    struct vidmm_seat seat;

    if (occupant == NULL || place.segment == 0 || !add(seats, &occupant->pieces, place, size))
        return;
    seat = (struct vidmm_seat){id, occupant->buffer, place, size};
    seats->listener.taken(seats->listener.context, &seat, reason);
}

static void leave_piece(struct vidmm_seats *seats, uint32_t id, uint32_t index,
                        enum vidmm_seat_reason reason)
{
    struct occupant *occupant = occupant_of(seats, id);
    struct piece piece = occupant->pieces.piece[index];
    struct vidmm_seat seat = {id, occupant->buffer, piece.place, piece.size};

    occupant->pieces.piece[index] = occupant->pieces.piece[--occupant->pieces.count];
    seats->listener.left(seats->listener.context, &seat, reason);
}

static bool is_at(const struct piece *piece, struct vidmm_place place)
{
    return piece->place.segment == place.segment && piece->place.offset == place.offset;
}

/* All of it is there. */
static void take(struct vidmm_seats *seats, uint32_t allocation, struct vidmm_place place,
                 enum vidmm_seat_reason reason)
{
    struct occupant *occupant = occupant_of(seats, allocation);

    if (occupant == NULL)
        return;
    for (uint32_t i = 0; i < occupant->pieces.count; i++)
        if (is_at(&occupant->pieces.piece[i], place))
            return;
    if (occupant->pieces.count < PLACES) /* N1 */
        take_piece(seats, allocation, place, occupant->size, reason);
}

static void leave(struct vidmm_seats *seats, uint32_t allocation, struct vidmm_place place,
                  enum vidmm_seat_reason reason)
{
    const struct occupant *occupant = occupant_of(seats, allocation);

    for (uint32_t i = 0; occupant != NULL && i < occupant->pieces.count; i++)
        if (is_at(&occupant->pieces.piece[i], place)) {
            leave_piece(seats, allocation, i, reason);
            return;
        }
}

/* A submission finds it here: any other belief about this segment is wrong. The first of runs is
 * all that it is told. */
static void find(struct vidmm_seats *seats, uint32_t allocation, struct vidmm_place place)
{
    const struct occupant *occupant = occupant_of(seats, allocation);

    if (occupant == NULL || place.segment == 0)
        return;
    for (uint32_t i = occupant->pieces.count; i-- > 0;) {
        const struct piece *piece = &occupant->pieces.piece[i];

        if (piece->place.segment == place.segment && piece->place.offset != place.offset &&
            piece->size == occupant->size)
            leave_piece(seats, allocation, i, VIDMM_SEAT_MOVED);
    }
    take(seats, allocation, place, VIDMM_SEAT_FOUND);
}

/* It leaves the memory segments. */
static void leave_memory(struct vidmm_seats *seats, uint32_t allocation,
                         enum vidmm_seat_reason reason)
{
    const struct occupant *occupant = occupant_of(seats, allocation);

    for (uint32_t i = occupant != NULL ? occupant->pieces.count : 0; i-- > 0;)
        if (vidmm_seats_in_memory(seats, occupant->pieces.piece[i].place.segment))
            leave_piece(seats, allocation, i, reason);
}

static void leave_all(struct vidmm_seats *seats, uint32_t id)
{
    struct occupant *occupant = occupant_of(seats, id);

    if (occupant == NULL)
        return;
    while (occupant->pieces.count > 0)
        leave_piece(seats, id, 0, VIDMM_SEAT_DESTROYED);
    occupant->live = false;
}

/* False: no memory. */
static bool settle(struct vidmm_seats *seats, uint32_t id, bool buffer, uint64_t size)
{
    struct occupants *all = occupants_of(seats, id);
    struct occupant *grown =
        vidmm_grow(&seats->memory, all->occupant, &all->capacity, id - all->first, sizeof(*grown));

    if (grown == NULL)
        return false;
    all->occupant = grown;
    leave_all(seats, id);
    grown += id - all->first;
    grown->live = true;
    grown->buffer = buffer;
    grown->size = size;
    return true;
}

/* ---- by address ------------------------------------------------------------------------------ */

static void forget_runs(struct vidmm_seats *seats, uint32_t allocation)
{
    seats->gathered.count = 0;
    seats->gathered_of = allocation;
}

/* N3: the paging process maps some of the allocation. */
static void gather(struct vidmm_seats *seats, const struct vidmm_operation *operation)
{
    uint64_t page = operation->table.flags & VIDMM_PAGING_WIDE ? WIDE_PAGE : VIDMM_PAGE_SIZE;

    seats->filled = 0;
    if (operation->allocation != seats->gathered_of)
        forget_runs(seats, operation->allocation);
    if (vidmm_seats_in_memory(seats, operation->table.place.segment))
        add(seats, &seats->gathered, operation->table.place, operation->table.count * page);
}

/* A page table is written, where it is. */
static void see_table(struct vidmm_seats *seats, const struct vidmm_operation *operation)
{
    uint32_t id = operation->table.table, level = operation->table.level;
    struct vidmm_place at = operation->table.at;
    uint64_t size = 0;

    if (id < VIDMM_TABLE_IDS || level >= VIDMM_ENGINE_LEVELS)
        return;
    size = operation->table.flags & VIDMM_PAGING_WIDE ? seats->wide_size : seats->table_size[level];
    if (size == 0 || at.segment == 0)
        return;
    const struct occupant *table = occupant_of(seats, id);
    if (table != NULL && table->pieces.count != 0 && is_at(&table->pieces.piece[0], at))
        return;
    if (settle(seats, id, false, size))
        take(seats, id, at, VIDMM_SEAT_FILLED);
    else
        seats->out_of_memory = true;
}

/* A chunk has moved by address. The allocation has come, or left, with the last. */
static void move_by_address(struct vidmm_seats *seats, const struct vidmm_operation *operation)
{
    const struct occupant *occupant = occupant_of(seats, operation->allocation);
    bool fills = operation->table.operation == VIDMM_FILL_VIRTUAL;
    bool from = !fills && vidmm_seats_in_memory(seats, operation->table.place.segment);

    if (occupant == NULL || operation->allocation != seats->gathered_of ||
        operation->table.offset + operation->table.size < occupant->size)
        return;
    leave_memory(seats, operation->allocation, from ? VIDMM_SEAT_PAGED_OUT : VIDMM_SEAT_MOVED);
    for (uint32_t i = 0; !from && i < seats->gathered.count; i++)
        take_piece(seats, operation->allocation, seats->gathered.piece[i].place,
                   seats->gathered.piece[i].size, fills ? VIDMM_SEAT_FILLED : VIDMM_SEAT_PAGED_IN);
    forget_runs(seats, 0);
    seats->filled = fills ? operation->allocation : 0;
}

/* N3 */
static void flush(struct vidmm_seats *seats, const struct vidmm_operation *operation)
{
    if (operation->allocation != seats->gathered_of && operation->allocation != seats->filled)
        leave_memory(seats, operation->allocation, VIDMM_SEAT_DISCARDED);
    if (operation->allocation == seats->filled)
        seats->filled = 0;
}

static void build_by_address(struct vidmm_seats *seats, const struct vidmm_operation *operation)
{
    bool own = seats->paging != 0 && operation->table.process == seats->paging &&
               occupant_of(seats, operation->allocation) != NULL;

    switch (operation->table.operation) {
    case VIDMM_UPDATE_PAGE_TABLE:
        see_table(seats, operation);
        if (own && operation->table.entry == VIDMM_ENTRY_IS_PAGES)
            gather(seats, operation);
        break;
    case VIDMM_FLUSH_TLB:
        if (own)
            flush(seats, operation);
        break;
    default:
        move_by_address(seats, operation);
        break;
    }
}

/* After a reset nothing is in memory, and of what is reached by address nobody is told so. */
static void lose_memory(struct vidmm_seats *seats)
{
    for (uint32_t id = 1; seats->paging != 0 && id < seats->allocations.capacity; id++)
        leave_memory(seats, id, VIDMM_SEAT_DISCARDED);
}

/* ---- what comes in --------------------------------------------------------------------------- */

bool vidmm_seats_event(struct vidmm_seats *seats, const struct vidmm_event *event)
{
    if (event->kind == VIDMM_EVENT_CREATE_PROCESS && event->process.paging == VIDMM_PROCESS_PAGING)
        seats->paging = event->process.process;
    if (event->kind != VIDMM_EVENT_CREATE_ALLOCATION)
        return true;
    return settle(seats, event->create.allocation, event->create.buffer != 0,
                  event->create.wish.size);
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
    case VIDMM_UPDATE_PAGE_TABLE:
    case VIDMM_FLUSH_TLB:
    case VIDMM_TRANSFER_VIRTUAL:
    case VIDMM_FILL_VIRTUAL:
        build_by_address(seats, operation);
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
    case VIDMM_DO_FREE_TABLE:
        leave_all(seats, operation->root.table);
        break;
    case VIDMM_DO_RESET:
        lose_memory(seats);
        break;
    default:
        break;
    }
}
