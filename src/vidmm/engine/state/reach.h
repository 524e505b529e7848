/* reach.h: the places from which the CPU can have an allocation, with explicit residency.
 *
 *                       memory the CPU sees   other memory     aperture, system memory, nowhere
 *     CpuVisible        there                 leaves it first  there
 *     ... and Cached    leaves it first       leaves it first  there
 *     not CpuVisible    leaves it first       leaves it first  there
 *
 * Nobody tells the manager what commands use, so a lock waits for no use by the GPU; and residency
 * may bring the allocation into a memory segment while it is locked. So a backing store that the
 * client may lock is *lent*: before a memory segment gets it, the client is asked. Its addresses
 * follow, if the CPU can reach all memory segments of its set; else, if locks are held, it is
 * *staged*: no memory segment gets it before UNLOCK, and an aperture may show it meanwhile.
 *
 *               grant, SHOW                    claim: refused
 *     apart  ---------------->  lent  -----------------------------> staged
 *        ^                       | ^                                    |
 *        |  claim: granted, or   | '------------- UNLOCK ---------------'
 *        '-------- follows ------'      a lock for which it left memory begins here
 *
 * An allocation that keeps its backing store is neither: its locks are always there.
 *
 * Source: "Allocation usage tracking", Lock2; S2-014 to S2-021.
 */
#ifndef VIDMM_ENGINE_STATE_REACH_H
#define VIDMM_ENGINE_STATE_REACH_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_placement;

/* Whether the CPU's address may lead to it in this memory segment. */
bool vidmm_reach_is_visible(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement, uint32_t segment);
/* The segments that it may be given a place in now: the apertures of its set while it is staged. */
uint32_t vidmm_reach_set(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);
/* Its backing store is shown to the CPU. */
void vidmm_reach_lend(const struct vidmm_engine *engine, struct vidmm_placement *placement);
/* It is staged no more. */
void vidmm_reach_unlock(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Stop the program if an invariant of reach.c does not hold. */
void vidmm_reach_check(const struct vidmm_engine *engine, const struct vidmm_placement *placement);

#endif
