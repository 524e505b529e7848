/* host_mapping.h: pages of the CPU host aperture, and the placements that have them.
 *
 *              take, MAP                        lock: the newest
 *     (none) ------------> mapped (oldest ... newest) <-----.
 *       |  ^                 |  |  UNMAP, and locks follow  |
 *       |  '------ UNMAP ----'  '-----> reserved -----------'  MAP: it is in the segment again
 *       '------- a claim that may follow -^
 *
 * A placement in the segment that has the aperture is seen by the CPU if pages of the aperture show
 * it. They stay mapped when the last lock has ended, so that the next one costs nothing, until
 * another lock needs them. A placement that is locked and moves keeps as many pages as it may need
 * when it comes back: its addresses have to lead somewhere.
 *
 * Source: "Allocation usage tracking", CPUHostAperture; rules S2-017, S2-023 to S2-025, D-175.
 */
#ifndef VIDMM_ENGINE_STATE_HOST_MAPPING_H
#define VIDMM_ENGINE_STATE_HOST_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_placement;

/* Make what the config asks for; finish gives it back. False: no memory, or the config is wrong. */
bool vidmm_host_init(struct vidmm_engine *engine);
void vidmm_host_finish(struct vidmm_engine *engine);

/* Whether the aperture may show the placement in this segment. */
bool vidmm_host_reaches(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                        uint32_t segment);
/* Whether the driver shows the placement where it is. */
bool vidmm_host_is_mapped(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement);
/* Pages that show the placement where it is. */
uint32_t vidmm_host_needed(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement);

/* Take pages for the placement where it is; those that were reserved are enough. False: so many are
 * not free, and nothing has changed. */
bool vidmm_host_take(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Take as many as it may need at any place of the segment. False: as above. */
bool vidmm_host_reserve(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Give back what is reserved and not mapped; there may be nothing. The dead keep theirs. */
void vidmm_host_release(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* The placement is destroyed: its pages are given back by vidmm_host_bury(), when the driver shows
 * them no more. It may have none. */
void vidmm_host_die(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Give back those of the first of the dead, which are not mapped. */
void vidmm_host_bury(struct vidmm_engine *engine);
/* Whether it has any. */
bool vidmm_host_has(const struct vidmm_engine *engine, const struct vidmm_placement *placement);

/* The driver shows it from here on; it is the newest. */
void vidmm_host_mapped(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The driver shows it no more: its pages are reserved. */
void vidmm_host_unmapped(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The CPU has addresses of it, where it is: it is the newest of those that are mapped. It may have
 * no pages; pages that were reserved and show nothing there are given back, for it is in another
 * memory segment. */
void vidmm_host_renew(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* Stop the program if an invariant of host_mapping.c does not hold. */
void vidmm_host_check(const struct vidmm_engine *engine);

#endif
