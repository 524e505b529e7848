/* prepare.h: the DMA buffer at the head, brought nearer to its submission; prepare.c. */
#ifndef VIDMM_ENGINE_WORK_PREPARE_H
#define VIDMM_ENGINE_WORK_PREPARE_H

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* Bring the work at the head nearer to its submission. FOUND: everything it names is in place, as
 * far as building goes. LATER, CALL: go on later. NONE: it failed and was dropped. */
enum vidmm_found vidmm_prepare(struct vidmm_engine *engine);

#endif
