/* place.h: where something is, or is to be: nowhere, in system memory, or in a segment.
 *
 *     nowhere    no content; no range was given
 *     system     the backing store
 *     segment    addresses of a segment; the kind of segment decides what lies there:
 *                  memory     the content itself, and nothing else has it
 *                  aperture   a mapping, which hangs off the place: the pages behind the addresses
 *                             are the backing store's, and go on being so
 *
 * A place is a value. One that was taken from a segment has the range too, and whoever holds such a
 * place gives the range back. All else (where content is, where a move leads) is a copy of the
 * addresses alone: it does not own them.
 */
#ifndef VIDMM_ENGINE_STATE_PLACE_H
#define VIDMM_ENGINE_STATE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <vidmm/segment.h>

enum place_kind {
    PLACE_NOWHERE, /* as a record begins */
    PLACE_SYSTEM,
    PLACE_SEGMENT,
};

struct place {
    uint64_t offset;   /* bytes from the start of the segment; 0 elsewhere */
    vidmm_range range; /* of a place that was taken; 0: only the addresses are told */
    uint8_t kind;      /* enum place_kind */
    uint8_t segment;   /* its id; 0 elsewhere */
    bool aperture : 1; /* the segment is one */
    uint8_t whole : 5; /* id of the segment that it is a part of; 0: it is no part */
    uint8_t runs;      /* several runs of pages, of which `offset` and `range` are the first: number
                          of the list that its placement has of them (place_runs.h); 0: one range */
};

static inline struct place vidmm_place_nowhere(void)
{
    return (struct place){.kind = PLACE_NOWHERE};
}

static inline struct place vidmm_place_system(void)
{
    return (struct place){.kind = PLACE_SYSTEM};
}

static inline bool vidmm_place_is_nowhere(const struct place *place)
{
    return place->kind == PLACE_NOWHERE;
}

static inline bool vidmm_place_is_system(const struct place *place)
{
    return place->kind == PLACE_SYSTEM;
}

/* Whether the GPU has addresses for it. */
static inline bool vidmm_place_is_segment(const struct place *place)
{
    return place->kind == PLACE_SEGMENT;
}

/* Whether the content lies in a memory segment, and nowhere else. */
static inline bool vidmm_place_is_memory(const struct place *place)
{
    return place->kind == PLACE_SEGMENT && !place->aperture;
}

/* Whether an aperture maps the backing store there. */
static inline bool vidmm_place_is_aperture(const struct place *place)
{
    return place->kind == PLACE_SEGMENT && place->aperture;
}

/* Whether it is in that segment. */
static inline bool vidmm_place_is_in(const struct place *place, uint32_t segment)
{
    return place->kind == PLACE_SEGMENT && place->segment == segment;
}

/* Whether both are the same addresses, of one placement. Places that have none differ. */
static inline bool vidmm_place_is_same(const struct place *a, const struct place *b)
{
    return vidmm_place_is_in(a, b->segment) && b->kind == PLACE_SEGMENT && a->offset == b->offset &&
           a->runs == b->runs;
}

/* Whether its range is taken: the owner of such a place gives it back. */
static inline bool vidmm_place_is_taken(const struct place *place)
{
    return place->kind == PLACE_SEGMENT && place->range != 0;
}

/* The addresses alone: their holder does not own the range. */
static inline struct place vidmm_place_addresses(const struct place *place)
{
    struct place addresses = *place;

    addresses.range = 0;
    return addresses;
}

/* As an operation says it: segment 0 stands for what has no addresses. Several runs are told by the
 * first, a part of a segment as the segment. */
static inline struct vidmm_place vidmm_place_tell(const struct place *place)
{
    return (struct vidmm_place){place->whole != 0 ? place->whole : place->segment, 0,
                                place->offset};
}

#endif
