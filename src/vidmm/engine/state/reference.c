/* reference.c: the segments from which a DMA buffer may use an allocation.
 *
 *     its set for reading or writing, less      apertures, if its bytes may not be seen there as
 *                                               they lie; memory segments, while the CPU has it
 */
#include "vidmm/engine/state/reference.h"

#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/swizzle.h"
#include "vidmm/engine/state/wish.h"

uint32_t vidmm_reference_set_less(const struct vidmm_engine *engine,
                                  const struct vidmm_placement *placement, uint32_t write)
{
    uint32_t set = vidmm_placement_set(placement, vidmm_reference_writes(write));
    bool locked = (write & VIDMM_REFERENCE_LOCKED) != 0 || placement->apart;

    if (locked && vidmm_placement_is_swizzled(placement))
        return 0; /* the CPU's order, or the GPU's: never both */
    if (vidmm_swizzle_keeps_from_apertures(engine, placement) ||
        (write & VIDMM_REFERENCE_FETCHES) != 0)
        return set & ~vidmm_apertures(engine);           /* obeys D-075 */
    return locked ? set & vidmm_apertures(engine) : set; /* obeys D-160 */
}
