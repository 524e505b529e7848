/*
 * seats.h: the allocations in the segments and their places, worked out from the manager's
 * operations.
 *
 *     operations --> seats --> taken(allocation, place), left(allocation, place)
 *
 * A seat is a range of a segment that holds an allocation: from the page-in, fill or mapping that
 * put it there until the transfer, discard, unmapping or destruction that ends it. The manager is
 * not asked: a picture shows the operations that were handed out, in that order.
 *
 * A GPU with page tables reaches an allocation by address, and its place may be runs of pages: then
 * it has a seat a run. The paging process's page tables say where the runs are:
 *
 *     update page table (2:0, 2 pages) --.
 *     update page table (2:64K, 1 page) -+-> transfer virtual ---> seats 2:0 and 2:64K are taken
 *
 * Page tables have seats of their own, from the first time that one is written on.
 *
 * Seats belong to whoever made them; one thread at a time.
 */
#ifndef VIDMM_TRACE_SEATS_H
#define VIDMM_TRACE_SEATS_H

#include <vidmm/plan.h>

/* Why a seat is taken or left. */
enum vidmm_seat_reason {
    VIDMM_SEAT_PAGED_IN,  /* by a transfer */
    VIDMM_SEAT_FILLED,    /* with a pattern: it had no content */
    VIDMM_SEAT_MAPPED,    /* into an aperture */
    VIDMM_SEAT_FOUND,     /* a submission finds it there; how it came there was not seen */
    VIDMM_SEAT_PAGED_OUT, /* by a transfer: evicted */
    VIDMM_SEAT_MOVED,     /* by a transfer within segments */
    VIDMM_SEAT_DISCARDED, /* its content is wanted no more */
    VIDMM_SEAT_UNMAPPED,
    VIDMM_SEAT_DESTROYED,
};

struct vidmm_seat {
    uint32_t allocation; /* VIDMM_TABLE_IDS and above: a page table */
    bool buffer;         /* a DMA or paging buffer */
    struct vidmm_place place;
    uint64_t size; /* bytes */
};

struct vidmm_seats_listener {
    void *context;
    void (*taken)(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason);
    void (*left)(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason);
};

struct vidmm_engine_config;
struct vidmm_memory;
struct vidmm_seats;

/*
 * Start with empty segments.
 *
 * apertures   bit n: segment n + 1 is an aperture.
 * NULL: no memory.
 */
struct vidmm_seats *vidmm_seats_create(const struct vidmm_memory *memory, uint32_t apertures,
                                       const struct vidmm_seats_listener *listener);
void vidmm_seats_destroy(struct vidmm_seats *seats); /* takes NULL */

/* Tell of the engine, before its first event: the sizes of its page tables, which are not followed
 * otherwise. */
void vidmm_seats_engine(struct vidmm_seats *seats, const struct vidmm_engine_config *config);

/* Take in what the manager hears and does. False: no memory for a new allocation, which is then not
 * followed; everything else is. */
bool vidmm_seats_event(struct vidmm_seats *seats, const struct vidmm_event *event);
void vidmm_seats_operation(struct vidmm_seats *seats, const struct vidmm_operation *operation);

/* False: there was no memory for all seats, and some were not told of. */
bool vidmm_seats_are_whole(const struct vidmm_seats *seats);

/* Is the segment one that transfers fill: neither an aperture nor system memory? */
bool vidmm_seats_in_memory(const struct vidmm_seats *seats, uint32_t segment);

#endif
