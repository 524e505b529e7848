/* residency_list.c: the residency lists of devices.
 *
 * Every function that moves a placement calls vidmm_listing_follow() behind the change, and the
 * listings go over into the list of their new state. So a device knows in O(1) whether all of its
 * list is in place, however long that is, and a submission walks nothing.
 *
 * A packet names nothing: each may use all that its device's list names. So what holds for a DMA
 * buffer's references before WDDM 2 holds here for the lists, by one fence a device: that of its
 * newest packet.
 *
 * The end of an evicted allocation, the burial of a destroyed one, and an offer must not come
 * before works that are queued already. The listing lingers: it notes how many works had arrived,
 * and goes on when none of those is left of its device.
 *
 * Invariants
 * I1. A listing is in the list of its state, which is what its placement says.
 * I2. A listing is there as long as it is counted or lingers.
 * I3. A device is suspended or wants its whole list: `priority_class` of each placement says so.
 * I4. `usage` of a process and group is the sum of what its devices list and has not been
 *     destroyed; `bytes` of a list, of what it counts.
 */
#include "vidmm/engine/state/residency_list.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/budget.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/state/work_state.h"

static struct vidmm_residency_list *list_of(struct vidmm_engine *engine, uint32_t device)
{
    VIDMM_ASSERT(device < engine->device_capacity);
    return &engine->devices[device].list;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Its process answers for it, or no more. */
static void charge(struct vidmm_engine *engine, struct vidmm_listing *listing, bool charged)
{
    const struct vidmm_wish *wish = &listing->placement->wish;
    uint32_t process = engine->devices[listing->device].process;
    uint32_t group = vidmm_budget_group(engine, wish);
    uint64_t size = charged ? wish->size : 0 - wish->size;

    if (listing->charged == charged || process == 0 || group == VIDMM_SEGMENT_GROUPS)
        return;
    listing->charged = charged;
    engine->accounts[process].usage[group] += size; /* I4 */
    engine->group_usage[group] += size;
    if (engine->group_usage[VIDMM_GROUP_LOCAL] > engine->statistics.resident_most)
        engine->statistics.resident_most = engine->group_usage[VIDMM_GROUP_LOCAL];
}

/* Its size counts in the list, or no more. */
static void weigh(struct vidmm_engine *engine, const struct vidmm_listing *listing, bool counts)
{
    const struct vidmm_placement *placement = listing->placement;

    list_of(engine, listing->device)->bytes[vidmm_listed_kind(engine, &placement->wish)] +=
        counts ? placement->wish.size : 0 - placement->wish.size; /* I4 */
}

void vidmm_residency_add(struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    VIDMM_ASSERT(listing->count < UINT32_MAX);
    if (listing->count++ > 0)
        return;
    weigh(engine, listing, true);
    charge(engine, listing, true);
    vidmm_listing_follow(engine, listing->placement);
    vidmm_priority_reclassify(engine, listing->placement); /* I3 */
}

/* ---- what was queued before ------------------------------------------------------------------ */

/* The arrival of the device's oldest work that waits for its turn, or has it; UINT64_MAX: there is
 * none. */
static uint64_t oldest_queued(const struct vidmm_engine *engine, uint32_t device)
{
    const struct vidmm_context_queue *queue;
    uint64_t oldest = UINT64_MAX;

    for (queue = engine->queues.first; queue; queue = queue->next) {
        const struct vidmm_work *work = queue->works.first;

        while (work && work->device != device)
            work = work->next;
        if (work && work->arrival < oldest)
            oldest = work->arrival;
    }
    return oldest;
}

/* The arrival of the device's oldest work, queued or in flight; UINT64_MAX: there is none. */
static uint64_t oldest_work(const struct vidmm_engine *engine, uint32_t device)
{
    uint64_t oldest = oldest_queued(engine, device);
    uint32_t node;

    for (node = 0; node < engine->config.node_count; node++) {
        const struct vidmm_flight *flight = engine->nodes[node].timeline.flights.first;

        for (; flight; flight = flight->next) {
            const struct vidmm_work *work = vidmm_flight_work(flight);

            if (work && work->device == device && work->arrival < oldest)
                oldest = work->arrival;
        }
    }
    return oldest;
}

/* It waits for what has arrived so far, if any of it is left. */
static void linger(struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    struct vidmm_residency_list *list = list_of(engine, listing->device);

    listing->after = engine->arrivals;
    if (listing->lingers || oldest_work(engine, listing->device) == UINT64_MAX)
        return;
    listing->lingers = true;
    listing->lingers_next = list->lingering;
    list->lingering = listing;
}

/* It has waited long enough: I2. */
static void end_lingering(struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    struct vidmm_placement *placement = listing->placement;

    if (placement->dying && listing->count > 0) {
        listing->count = 0;
        listing->held = false;
        weigh(engine, listing, false);
        vidmm_listing_follow(engine, placement);
        vidmm_priority_reclassify(engine, placement); /* I3 */
    }
    vidmm_listing_release(engine, listing);
    vidmm_offer_consider(engine, placement);
    vidmm_dying_reconsider(engine, placement);
}

void vidmm_residency_ended(struct vidmm_engine *engine, uint32_t device)
{
    struct vidmm_listing *listing = engine->devices[device].list.lingering, **at, *next;
    uint64_t oldest;

    if (!listing)
        return;
    oldest = oldest_work(engine, device);
    at = &list_of(engine, device)->lingering;
    for (; listing; listing = next) {
        next = listing->lingers_next;
        if (listing->after < oldest) {
            *at = next;
            listing->lingers = false;
            end_lingering(engine, listing);
        } else {
            at = &listing->lingers_next;
        }
    }
}

/* ---- leaving the lists ----------------------------------------------------------------------- */

void vidmm_residency_clean(const struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    VIDMM_ASSERT(listing->count > 0);
    listing->clean = engine->devices[listing->device].list.newest;
}

bool vidmm_residency_remove(struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    struct vidmm_placement *placement = listing->placement;

    VIDMM_ASSERT(listing->count > 0);
    if (--listing->count > 0)
        return false; /* obeys D-194 */
    placement->dirty |= engine->devices[listing->device].list.newest > listing->clean;
    weigh(engine, listing, false);
    charge(engine, listing, false);
    linger(engine, listing);
    vidmm_listing_follow(engine, placement);
    vidmm_priority_reclassify(engine, placement); /* I3 */
    vidmm_listing_release(engine, listing);
    return !vidmm_residency_wants(engine, placement);
}

/* It waits for nothing any more. */
static void forget_lingering(struct vidmm_engine *engine, struct vidmm_listing *listing)
{
    struct vidmm_listing **at = &list_of(engine, listing->device)->lingering;

    if (!listing->lingers)
        return;
    while (*at != listing)
        at = &(*at)->lingers_next;
    *at = listing->lingers_next;
    listing->lingers = false;
}

void vidmm_residency_end(struct vidmm_engine *engine, struct vidmm_placement *placement,
                         uint32_t unused_by)
{
    struct vidmm_listing *listing, *next;

    VIDMM_ASSERT(placement->dying);
    for (listing = placement->listings; listing; listing = next) {
        next = listing->next;
        charge(engine, listing, false);
        if (listing->device == unused_by)
            forget_lingering(engine, listing);
        else
            linger(engine, listing);
        if (!listing->lingers)
            end_lingering(engine, listing);
    }
}

void vidmm_residency_offer(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_listing *listing;

    for (listing = placement->listings; listing; listing = listing->next)
        linger(engine, listing);
}

void vidmm_residency_clear(struct vidmm_engine *engine, uint32_t device)
{
    struct vidmm_residency_list *list = list_of(engine, device);
    uint32_t state;

    list->lingering = NULL;
    for (state = 0; state < LISTING_STATES; state++) {
        while (list->first[state]) {
            struct vidmm_listing *listing = list->first[state];

            listing->lingers = false;
            if (listing->count > 0) {
                listing->count = 1;
                listing->held = false;
                vidmm_residency_remove(engine, listing);
            } else {
                end_lingering(engine, listing);
            }
        }
    }
}

/* ---- another wish ---------------------------------------------------------------------------- */

/* All lists that count it count it so from here on, or no more. */
static void weigh_all(struct vidmm_engine *engine, struct vidmm_placement *placement, bool counts)
{
    struct vidmm_listing *listing;

    for (listing = placement->listings; listing; listing = listing->next) {
        if (listing->count > 0) {
            weigh(engine, listing, counts);
            charge(engine, listing, counts);
        }
    }
}

bool vidmm_residency_rewish(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            const struct vidmm_wish *wish)
{
    bool done;

    VIDMM_ASSERT(!placement->dying); /* its process answers for it */
    weigh_all(engine, placement, false);
    done = vidmm_placement_rewish(engine, placement, wish);
    weigh_all(engine, placement, true); /* I4 */
    vidmm_listing_follow(engine, placement);
    return done;
}

/* ---- suspension ------------------------------------------------------------------------------ */

/* The list wants all that it names, or wants it no more. */
static void reclassify_all(struct vidmm_engine *engine, uint32_t device)
{
    struct vidmm_listing *listing;
    uint32_t state;

    for (state = 0; state < LISTING_STATES; state++)
        for (listing = engine->devices[device].list.first[state]; listing;
             listing = listing->behind)
            vidmm_priority_reclassify(engine, listing->placement); /* I3 */
}

void vidmm_residency_suspend(struct vidmm_engine *engine, uint32_t device)
{
    if (engine->devices[device].list.suspended)
        return;
    engine->devices[device].list.suspended = true;
    engine->statistics.suspensions++;
    reclassify_all(engine, device);
}

void vidmm_residency_resume(struct vidmm_engine *engine, uint32_t device)
{
    VIDMM_ASSERT(vidmm_residency_is_whole(engine, device));
    if (!engine->devices[device].list.suspended)
        return;
    engine->devices[device].list.suspended = false;
    reclassify_all(engine, device);
}

/* Whether the device is the one whose turn it is. */
static bool has_turn(const struct vidmm_engine *engine, uint32_t device)
{
    return engine->turn && engine->turn->begun && engine->turn->device == device;
}

void vidmm_residency_displace(struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing;
    bool either = (vidmm_placement_set(placement, true) & vidmm_apertures(engine)) != 0;

    for (listing = placement->listings; listing; listing = listing->next)
        if (listing->count > 0 && !either && !has_turn(engine, listing->device) &&
            !vidmm_placement_is_offered(placement))
            vidmm_residency_suspend(engine, listing->device);
}

/* ---- questions ------------------------------------------------------------------------------- */

bool vidmm_residency_wants(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing;

    for (listing = placement->listings; listing; listing = listing->next)
        if (listing->count > 0 && !engine->devices[listing->device].list.suspended)
            return !vidmm_placement_is_offered(placement);
    return false;
}

bool vidmm_residency_is_counted(const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing = placement->listings;

    while (listing && listing->count == 0)
        listing = listing->next;
    return listing != NULL;
}

bool vidmm_residency_holds(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing = placement->listings;

    while (listing && !(listing->count > 0 && has_turn(engine, listing->device)))
        listing = listing->next;
    return listing && !vidmm_placement_is_offered(placement);
}

bool vidmm_residency_lingers(const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing = placement->listings;

    while (listing && !listing->lingers)
        listing = listing->next;
    return listing != NULL;
}

bool vidmm_residency_ends(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing = placement->listings;

    while (listing && placement->dying && listing->lingers &&
           listing->after < oldest_queued(engine, listing->device))
        listing = listing->next;
    return placement->dying && !listing;
}

void vidmm_residency_use(struct vidmm_engine *engine, uint32_t device, uint64_t fence)
{
    VIDMM_ASSERT(vidmm_residency_is_whole(engine, device)); /* obeys D-193 */
    list_of(engine, device)->newest = fence;
}

bool vidmm_residency_wrote(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing = placement->listings;

    while (listing &&
           (listing->count == 0 || engine->devices[listing->device].list.newest <= listing->clean))
        listing = listing->next;
    return listing != NULL;
}

bool vidmm_residency_is_whole(const struct vidmm_engine *engine, uint32_t device)
{
    const struct vidmm_residency_list *list = &engine->devices[device].list;

    VIDMM_ASSERT(device < engine->device_capacity);
    return !list->first[LISTED_MISSING] && !list->first[LISTED_PROMISED];
}

bool vidmm_engine_is_whole(const struct vidmm_engine *engine, uint32_t device)
{
    return device < engine->device_capacity && engine->devices[device].exists &&
           vidmm_residency_is_whole(engine, device);
}

uint32_t vidmm_engine_residency_count(const struct vidmm_engine *engine, uint32_t device,
                                      uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);
    const struct vidmm_listing *listing = placement ? vidmm_listing_find(placement, device) : NULL;

    return listing ? vidmm_listing_count(listing) : 0;
}

static bool stands(const struct vidmm_engine *engine, const struct vidmm_listing *listing)
{
    return (listing->state == LISTED_PRESENT || listing->state == LISTED_DEMOTED) &&
           !engine->devices[listing->device].list.suspended && vidmm_listing_count(listing) > 0;
}

bool vidmm_residency_stands(const struct vidmm_engine *engine, const struct vidmm_listing *listing)
{
    return stands(engine, listing);
}

bool vidmm_engine_stands_listed(const struct vidmm_engine *engine, uint32_t device,
                                uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);
    const struct vidmm_listing *listing =
        placement && !placement->dying ? vidmm_listing_find(placement, device) : NULL;

    return listing && stands(engine, listing) && engine->devices[device].status == STATUS_SUCCESS;
}

struct vidmm_residency_answer vidmm_engine_residency_answer(const struct vidmm_engine *engine)
{
    return engine->answer;
}

void vidmm_residency_check(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement)
{
    const struct vidmm_listing *listing;

    for (listing = placement->listings; listing; listing = listing->next) {
        VIDMM_VERIFY(listing->placement == placement && listing->noted == 0);
        VIDMM_VERIFY(listing->state == vidmm_listing_state(engine, listing)); /* I1 */
        VIDMM_VERIFY(listing->count > 0 || listing->lingers);                 /* I2 */
        VIDMM_VERIFY(listing->count > 0 || !listing->held);
        VIDMM_VERIFY(!placement->dying || listing->lingers); /* I2 */
    }
}

void vidmm_residency_check_list(const struct vidmm_engine *engine, uint32_t device)
{
    const struct vidmm_residency_list *list = &engine->devices[device].list;
    const struct vidmm_listing *listing;
    uint64_t bytes = 0;
    uint32_t state;

    for (state = 0; state < LISTING_STATES; state++) {
        const struct vidmm_listing *before = NULL;

        for (listing = list->first[state]; listing; listing = listing->behind) {
            VIDMM_VERIFY(listing->device == device && listing->state == state); /* I1 */
            VIDMM_VERIFY(listing->before == before);
            bytes += listing->count > 0 ? listing->placement->wish.size : 0;
            before = listing;
        }
        VIDMM_VERIFY(list->last[state] == before);
    }
    VIDMM_VERIFY(bytes == list->bytes[LISTED_IN_MEMORY] + list->bytes[LISTED_IN_APERTURES] +
                              list->bytes[LISTED_IN_EITHER]); /* I4 */
}
