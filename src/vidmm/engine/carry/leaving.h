/* leaving.h: from the decision that some are to leave to the moves that follow; leaving.c. */
#ifndef VIDMM_ENGINE_CARRY_LEAVING_H
#define VIDMM_ENGINE_CARRY_LEAVING_H

#include "vidmm/engine/state/engine_state.h"

/* Queue what follows from the decision that some are to leave: page-outs, or transfers straight to
 * another place. The list of those leaving is empty afterwards. */
void vidmm_leaving_queue(struct vidmm_engine *engine);

#endif
