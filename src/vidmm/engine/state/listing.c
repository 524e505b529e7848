/* listing.c: that one residency list names one allocation, and the list of the state that follows
 * from where the allocation is.
 *
 * residency_list.c has the theory, and what is true of a device's whole list.
 */
#include "vidmm/engine/state/listing.h"

#include <base/assert.h>
#include <base/pool.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/move_pair.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/wish.h"

const char *vidmm_listing_string(enum listing_state state)
{
    switch (state) {
    case LISTED_MISSING:
        return "missing";
    case LISTED_PROMISED:
        return "promised";
    case LISTED_COMING:
        return "coming";
    case LISTED_DEMOTED:
        return "demoted";
    case LISTED_PRESENT:
        return "present";
    case LISTED_OFFERED:
        return "offered";
    case LISTED_ENDING:
        return "ending";
    case LISTING_STATES:
        break;
    }
    return "unknown";
}

static struct vidmm_residency_list *list_of(struct vidmm_engine *engine, uint32_t device)
{
    VIDMM_ASSERT(device < engine->device_capacity);
    return &engine->devices[device].list;
}

static void link(struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    struct vidmm_residency_list *list = list_of(engine, listing->device);

    listing->behind = NULL;
    listing->before = list->last[listing->state];
    if (listing->before)
        listing->before->behind = listing;
    else
        list->first[listing->state] = listing;
    list->last[listing->state] = listing;
}

static void unlink(struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    struct vidmm_residency_list *list = list_of(engine, listing->device);

    if (listing->before)
        listing->before->behind = listing->behind;
    else
        list->first[listing->state] = listing->behind;
    if (listing->behind)
        listing->behind->before = listing->before;
    else
        list->last[listing->state] = listing->before;
}

bool vidmm_listing_is_demoted(const struct vidmm_engine *engine,
                              const struct vidmm_placement *placement)
{
    return placement->given.aperture &&
           (vidmm_placement_set(placement, true) & ~vidmm_apertures(engine)) != 0;
}

enum listing_state vidmm_listing_state(const struct vidmm_engine *engine,
                                       const struct vidmm_listing *listing)
{
    const struct vidmm_placement *placement = listing->placement;

    if (listing->count == 0)
        return LISTED_ENDING;
    if (vidmm_placement_is_offered(placement))
        return LISTED_OFFERED;
    if (!vidmm_placement_has_range(placement))
        return LISTED_MISSING;
    if (!vidmm_placement_is_settled(placement) || placement->leaving)
        return LISTED_PROMISED;
    if (placement->moves->in.state != MOVE_IDLE)
        return LISTED_COMING;
    return vidmm_listing_is_demoted(engine, placement) ? LISTED_DEMOTED : LISTED_PRESENT;
}

void vidmm_listing_follow(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_listing *listing;

    for (listing = placement->listings; listing; listing = listing->next) {
        enum listing_state state = vidmm_listing_state(engine, listing);

        if (state != listing->state) {
            unlink(engine, listing);
            listing->state = (uint8_t)state;
            link(engine, listing); /* I1 */
            engine->arrivals_may_go = true;
        }
    }
}

struct vidmm_listing *vidmm_listing_reserve(struct vidmm_engine *engine,
                                            struct vidmm_placement *placement, uint32_t device)
{
    struct vidmm_listing *listing = vidmm_listing_find(placement, device);

    if (listing)
        return listing;
    listing = vidmm_move_pair_reserve(engine, placement) /* MP1 */
                  ? vidmm_pool_take(engine->listing_pool)
                  : NULL;
    if (listing) {
        listing->placement = placement;
        listing->device = device;
        listing->state = LISTED_ENDING;
        listing->clean = engine->devices[device].list.newest;
        listing->next = placement->listings;
        placement->listings = listing;
        link(engine, listing);
    }
    return listing;
}

void vidmm_listing_release(struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    struct vidmm_placement *placement = listing->placement;
    struct vidmm_listing **at = &placement->listings;

    if (listing->count > 0 || listing->lingers)
        return; /* I2 */
    while (*at != listing)
        at = &(*at)->next;
    *at = listing->next;
    unlink(engine, listing);
    vidmm_pool_release(engine->listing_pool, listing);
    vidmm_move_pair_reconsider(engine, placement);
}

enum listed_kind vidmm_listed_kind(const struct vidmm_engine *engine, const struct vidmm_wish *wish)
{
    uint32_t set = wish->write_set << 1, apertures = vidmm_apertures(engine);

    if ((set & apertures) == 0)
        return LISTED_IN_MEMORY;
    return (set & ~apertures) == 0 ? LISTED_IN_APERTURES : LISTED_IN_EITHER;
}

uint64_t vidmm_listing_fence(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing;
    uint64_t fence = 0;

    for (listing = placement->listings; listing; listing = listing->next) {
        uint64_t newest = engine->devices[listing->device].list.newest;

        fence = newest > fence ? newest : fence;
    }
    return fence;
}
