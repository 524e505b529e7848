/* listing.h: that one residency list names one allocation; residency_list.h draws the states. */
#ifndef VIDMM_ENGINE_STATE_LISTING_H
#define VIDMM_ENGINE_STATE_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_placement;

/* Name of a state, for people. Never NULL. */
const char *vidmm_listing_string(enum listing_state state);

/* The listing of the placement by the device. NULL: its list does not name it. */
static inline struct vidmm_listing *vidmm_listing_find(const struct vidmm_placement *placement,
                                                       uint32_t device)
{
    struct vidmm_listing *listing = placement->listings;

    while (listing && listing->device != device)
        listing = listing->next;
    return listing;
}

/* Find it, or make it with count 0. NULL: no memory, and nothing has changed. */
struct vidmm_listing *vidmm_listing_reserve(struct vidmm_engine *engine,
                                            struct vidmm_placement *placement, uint32_t device);
/* Give a listing back that was reserved and is not counted. One that ends by itself stays. */
void vidmm_listing_release(struct vidmm_engine *engine, struct vidmm_listing *listing);

/* How often the program counts it: what holds it besides is not the program's. */
static inline uint32_t vidmm_listing_count(const struct vidmm_listing *listing)
{
    return listing->count - (listing->held ? 1 : 0);
}

/* The state that follows from where its placement is. */
enum listing_state vidmm_listing_state(const struct vidmm_engine *engine,
                                       const struct vidmm_listing *listing);
/* The placement is elsewhere, or its offer is in another state: its listings follow. Call it behind
 * every such change. */
void vidmm_listing_follow(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The segments that may hold what has this wish. */
enum listed_kind vidmm_listed_kind(const struct vidmm_engine *engine,
                                   const struct vidmm_wish *wish);
/* Whether it has a range in an aperture, and a memory segment would have it too. */
bool vidmm_listing_is_demoted(const struct vidmm_engine *engine,
                              const struct vidmm_placement *placement);
/* Fence of the newest packet that may use the placement because a list names it; 0: none may. */
uint64_t vidmm_listing_fence(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement);

#endif
