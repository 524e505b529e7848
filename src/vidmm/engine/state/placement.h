/* placement.h: the records of allocations: created, given ranges, freed; placement.c says what
 * holds.
 *
 * A record belongs to the engine. It is found by its allocation's id, which the client chooses.
 */
#ifndef VIDMM_ENGINE_STATE_PLACEMENT_H
#define VIDMM_ENGINE_STATE_PLACEMENT_H

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"

struct place;

/* The placement of the page table with that id, from VIDMM_TABLE_IDS. NULL: there is none. */
struct vidmm_placement *vidmm_placement_of_table(const struct vidmm_engine *engine, uint32_t id);

/* The placement with that id. NULL: there is none. */
static inline struct vidmm_placement *vidmm_placement_find(const struct vidmm_engine *engine,
                                                           uint32_t id)
{
    if (id >= VIDMM_TABLE_IDS) /* of a page table */
        return vidmm_placement_of_table(engine, id);
    return id < engine->placement_capacity ? engine->placements[id] : NULL;
}

/* Whether VIDMM_EVENT_CREATE_ALLOCATION can be obeyed. *placement receives the record that it
 * takes, for vidmm_placement_create(). STATUS_INVALID_PARAMETER: an id in use, a device that is not
 * there, a wish that is not legal; STATUS_DEVICE_REMOVED; STATUS_GRAPHICS_NO_VIDEO_MEMORY: no
 * segment of its sets could ever hold it; STATUS_NO_MEMORY. Refused: nothing has changed but that
 * records of ranges are reserved, which serve the next one. */
NTSTATUS vidmm_placement_check(struct vidmm_engine *engine, const struct vidmm_event *event,
                               struct vidmm_placement **placement);
/* Make the placement of an event that vidmm_placement_check() has accepted. */
void vidmm_placement_create(struct vidmm_engine *engine, const struct vidmm_event *event,
                            struct vidmm_placement *placement);

/* Make the placement of a page table, which no event has asked for; its id is one that is free, and
 * stands in its table from now on. NULL: no memory. */
struct vidmm_placement *vidmm_placement_create_table(struct vidmm_engine *engine, uint32_t id,
                                                     const struct vidmm_wish *wish);

/* The allocation has another wish, of the same size. False: no memory for the records of ranges
 * that it may ask for now, and nothing has changed. */
bool vidmm_placement_rewish(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            const struct vidmm_wish *wish);

/* Give the record back. It has no range, move, reference or lock. */
void vidmm_placement_free(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* Give a placement without a range the one that was taken for it in the segment. */
void vidmm_placement_settle(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            uint32_t segment, vidmm_range range);
/* Give a placement without a range the place that was taken for it, of several runs or of one. */
void vidmm_placement_settle_at(struct vidmm_engine *engine, struct vidmm_placement *placement,
                               const struct place *place);
/* Give its range back to its segment. */
void vidmm_placement_unsettle(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Make it the newest used of its segment. Without a range: nothing. */
void vidmm_placement_touch(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Change the class by which it leaves, 0 .. VIDMM_PRIORITY_CLASSES - 1. */
void vidmm_placement_set_class(struct vidmm_engine *engine, struct vidmm_placement *placement,
                               uint32_t rank);

/* Bytes of its range, or runs, in the segment where that is. */
uint64_t vidmm_placement_extent(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);
/* A range of so many bytes was taken from the segment, or goes back to it. */
void vidmm_segment_commit(struct vidmm_engine *engine, uint32_t segment, uint64_t size);
void vidmm_segment_uncommit(struct vidmm_engine *engine, uint32_t segment, uint64_t size);

/* Whether it was given a range. */
static inline bool vidmm_placement_has_range(const struct vidmm_placement *placement)
{
    return vidmm_place_is_segment(&placement->given);
}

/* Whether its content is, or will be by what is queued, where its range is. */
static inline bool vidmm_placement_is_settled(const struct vidmm_placement *placement)
{
    return vidmm_place_is_same(&placement->given, &placement->at);
}

/* Whether the client may grant locks to its place in a memory segment by itself, and may have. */
static inline bool vidmm_placement_is_open(const struct vidmm_placement *placement)
{
    return placement->lock == LOCK_OPEN || placement->lock == LOCK_REFUSED;
}

/* Whether a claim failed: a lock is held, and its address cannot follow. */
static inline bool vidmm_placement_is_locked(const struct vidmm_placement *placement)
{
    return placement->lock == LOCK_REFUSED || placement->lock == LOCK_STRANDED;
}

/* Whether locks are held by addresses that wait for VIDMM_DO_SHOW. */
static inline bool vidmm_placement_is_followed(const struct vidmm_placement *placement)
{
    return placement->lock == LOCK_FOLLOWED;
}

/* Whether its program does without it: the offer has taken effect. */
static inline bool vidmm_placement_is_offered(const struct vidmm_placement *placement)
{
    return placement->offer_state == OFFER_OFFERED || placement->offer_state == OFFER_DISCARDED;
}

/* Whether it has to be reclaimed before it is used again: it is offered, or that was asked for. */
static inline bool vidmm_placement_has_offer(const struct vidmm_placement *placement)
{
    return placement->offer_state != OFFER_NONE;
}

static inline bool vidmm_placement_is_swizzled(const struct vidmm_placement *placement)
{
    return (placement->wish.flags & VIDMM_SWIZZLED) != 0;
}

/* Whether its backing store holds content in the CPU's order, that no aperture may show. */
static inline bool vidmm_placement_is_unswizzled(const struct vidmm_placement *placement)
{
    return placement->unswizzled && !vidmm_place_is_nowhere(&placement->at);
}

/* Its sets as bits of segment ids: bit n is segment n. */
static inline uint32_t vidmm_placement_set(const struct vidmm_placement *placement, bool write)
{
    return (write ? placement->wish.write_set : placement->wish.read_set) << 1;
}

#endif
