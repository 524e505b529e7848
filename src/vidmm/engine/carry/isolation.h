/* isolation.h: what the GPU reaches of system memory, if an IOMMU stands between them.
 *
 *     move:        first call .......... its fence      (a transfer, by MDL, aperture or address)
 *     aperture:    first call of the map .............................. fence of the unmap
 *     mapped       <-------------------------------->
 *
 * The backing store of a placement is mapped in the domain of the GPU as long as one of its moves
 * reads or writes it, and as long as an aperture segment shows it; from WDDM 2.0 on that is where
 * allocations in the implicit system memory segment are. All else that the GPU reaches there stays
 * mapped as long as it exists, and the engine knows nothing of it: page tables, monitored fences,
 * command buffers without a segment.
 *
 * Source: "IOMMU-based GPU isolation"; rule D-235.
 */
#ifndef VIDMM_ENGINE_CARRY_ISOLATION_H
#define VIDMM_ENGINE_CARRY_ISOLATION_H

#include <stdbool.h>

struct vidmm_engine;
struct vidmm_move;
struct vidmm_placement;

/* The move is about to be called: append VIDMM_DO_MAP_DOMAIN if the GPU is to reach the backing
 * store and does not. There is room in the plan. */
void vidmm_isolation_lead(struct vidmm_engine *engine, const struct vidmm_move *move);
/* A move has ended: append VIDMM_DO_UNMAP_DOMAIN if nothing needs the backing store any more. There
 * is room in the plan. */
void vidmm_isolation_follow(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* A step for each range of addresses that maps the allocation, which is about to be unmapped from
 * the IOMMU: whether one is to be told yet; append the call for the next; note that it was made,
 * and whether another follows. obeys D-144 */
bool vidmm_isolation_has_more(const struct vidmm_move *move);
void vidmm_isolation_tell(struct vidmm_engine *engine, const struct vidmm_move *move);
bool vidmm_isolation_told(struct vidmm_move *move);
/* Stop the program if an invariant of isolation.c does not hold. */
void vidmm_isolation_check(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement);

#endif
