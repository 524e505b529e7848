/* cheapest.h: the cheapest stretch of addresses that others can leave for a request; cheapest.c. */
#ifndef VIDMM_ENGINE_DECIDE_CHEAPEST_H
#define VIDMM_ENGINE_DECIDE_CHEAPEST_H

#include <vidmm/segment.h>

struct vidmm_engine;
struct vidmm_placement;

#define VIDMM_NOWHERE UINT64_MAX /* an offset: no place */

struct vidmm_choice {
    const struct vidmm_range_request *request;
    const struct vidmm_placement *not_this;
    uint32_t segment;
    uint32_t ranks;    /* only what is of a lower class may leave */
    bool held_too;     /* held placements may leave as well */
    uint64_t offset;   /* of the place; VIDMM_NOWHERE: none */
    vidmm_range first; /* of the live ranges that must leave for it; 0: none */
    bool transient;    /* somebody was passed over who can leave later */
};

/* The offset at which a request lies in [low, high); VIDMM_NOWHERE: nowhere. */
uint64_t vidmm_request_fit(const struct vidmm_range_request *request, uint64_t low, uint64_t high);

/* Whether a placement may leave for the choice. */
bool vidmm_choice_allows(const struct vidmm_engine *engine, const struct vidmm_choice *choice,
                         const struct vidmm_placement *placement);

/* The oldest of the segment that is not held for the work at the head. */
struct vidmm_placement *vidmm_choice_oldest(struct vidmm_engine *engine,
                                            const struct vidmm_choice *choice);

/* Find the place for the request that is the cheapest to vacate. Nothing leaves yet. */
void vidmm_cheapest_find(struct vidmm_engine *engine, struct vidmm_choice *choice);

#endif
