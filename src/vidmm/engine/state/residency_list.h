/* residency_list.h: the residency lists of devices: what has to be in place whenever one of a
 * device's contexts runs; residency_list.c says what holds.
 *
 *     device 1   [ a: 2 ] [ c: 1 ]        a count each: as many Evicts as MakeResidents
 *     device 2   [ c: 3 ]                 shared: c leaves when neither list names it
 *
 * A *listing* is that one list names one allocation. Its state follows from where the allocation
 * is; each state has a list of its own, so nobody walks what is in place already:
 *
 *     MISSING --> PROMISED --> COMING --> PRESENT, or DEMOTED: in an aperture, for want of memory
 *        ^                                   |
 *        '------ it leaves its place --------'
 *
 *     OFFERED   it is on the list, and its program does without it: it need not be in place
 *     ENDING    it was evicted, and packets in flight may use it: nothing takes its place before
 *
 * A listing may be *held*: it counts once more, and no Evict takes that.
 *
 * An allocation that a list of a device at work names is *wanted*: it leaves memory after all that
 * are not. One that may live in an aperture too is demoted, and its program does not notice.
 * Otherwise the list cannot be in place, and its device is *suspended*: its allocations are wanted
 * no more, and the submissions of its contexts wait until the list is in place again (listed.c).
 *
 * Source: "Residency overview"; D3DDDI_MAKERESIDENT; D3DDDICB_EVICT; D-193, D-194, D-199, D-200.
 */
#ifndef VIDMM_ENGINE_STATE_RESIDENCY_LIST_H
#define VIDMM_ENGINE_STATE_RESIDENCY_LIST_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_listing;
struct vidmm_placement;
struct vidmm_wish;

/* Count it once more. */
void vidmm_residency_add(struct vidmm_engine *engine, struct vidmm_listing *listing);
/* The GPU has not written it so far; it is counted. */
void vidmm_residency_clean(const struct vidmm_engine *engine, struct vidmm_listing *listing);
/* Count it once less; it is counted. True: it was the last time, and no list at all wants the
 * allocation any more. */
bool vidmm_residency_remove(struct vidmm_engine *engine, struct vidmm_listing *listing);
/* Its owner has destroyed it: the lists name it until what was queued before has run, but that of
 * `unused_by` at once. */
void vidmm_residency_end(struct vidmm_engine *engine, struct vidmm_placement *placement,
                         uint32_t unused_by);
/* It was offered: the offer waits until what was queued before has run. */
void vidmm_residency_offer(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The device is destroyed: its list names nothing any more. */
void vidmm_residency_clear(struct vidmm_engine *engine, uint32_t device);

/* It has another wish, of the same size, and the lists count it by that. False: no memory, and
 * nothing has changed. */
bool vidmm_residency_rewish(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            const struct vidmm_wish *wish);

/* A packet of the device is submitted, with that fence: it may use all of the list. */
void vidmm_residency_use(struct vidmm_engine *engine, uint32_t device, uint64_t fence);
/* A work of the device has ended: what waited for it goes on. */
void vidmm_residency_ended(struct vidmm_engine *engine, uint32_t device);
/* The device's list is not kept in place from here on; or is again. */
void vidmm_residency_suspend(struct vidmm_engine *engine, uint32_t device);
void vidmm_residency_resume(struct vidmm_engine *engine, uint32_t device);
/* The placement is about to leave its range for another: who cannot go on without it is suspended,
 * but the device whose turn it is. */
void vidmm_residency_displace(struct vidmm_engine *engine, const struct vidmm_placement *placement);

/* Whether the program has it on the list, in place, and its device is at work: to count it once
 * more changes nothing else. */
bool vidmm_residency_stands(const struct vidmm_engine *engine, const struct vidmm_listing *listing);
/* Whether a list of a device at work wants it (the classes of priority). */
bool vidmm_residency_wants(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement);
/* Whether some list counts it. */
bool vidmm_residency_is_counted(const struct vidmm_placement *placement);
/* Whether the device whose turn it is wants it: nobody's victim. */
bool vidmm_residency_holds(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement);
/* Whether an offer, or a burial, waits for works of a device that lists it. */
bool vidmm_residency_lingers(const struct vidmm_placement *placement);
/* Whether it is destroyed, and no more than packets in flight keep it on its lists. */
bool vidmm_residency_ends(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement);
/* Whether packets may have written it since its page-in. */
bool vidmm_residency_wrote(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement);
/* Whether all of the list is in place, or on its way there. */
bool vidmm_residency_is_whole(const struct vidmm_engine *engine, uint32_t device);
/* Stop the program if an invariant of the placement's listings, or of a device's list, does not
 * hold. */
void vidmm_residency_check(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement);
void vidmm_residency_check_list(const struct vidmm_engine *engine, uint32_t device);

#endif
