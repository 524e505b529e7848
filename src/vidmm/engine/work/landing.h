/* landing.h: packets end: by their fence, or because their node or adapter was reset; landing.c. */
#ifndef VIDMM_ENGINE_WORK_LANDING_H
#define VIDMM_ENGINE_WORK_LANDING_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;

/* Take in that everything up to the fence, as it was reported, is complete on the node. False: it
 * was never submitted, and nothing has changed (D-357). */
bool vidmm_land_reported(struct vidmm_engine *engine, uint32_t node, uint32_t fence);
/* End everything up to the fence on the node, whether executed or not. */
void vidmm_land(struct vidmm_engine *engine, uint32_t node, uint64_t fence);

#endif
