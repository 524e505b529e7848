/* preempt.h: packets that come back from a node before they were executed; preempt.c draws it. */
#ifndef VIDMM_ENGINE_RECOVER_PREEMPT_H
#define VIDMM_ENGINE_RECOVER_PREEMPT_H

#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* Take back what is in flight on the node: paging first, with its fences, then the rest with new
 * ones. */
void vidmm_preempt_return(struct vidmm_engine *engine, uint32_t node);
/* Submit again one packet that came back. IDLE: there is none. */
enum vidmm_progress vidmm_preempt_resubmit(struct vidmm_engine *engine);

#endif
