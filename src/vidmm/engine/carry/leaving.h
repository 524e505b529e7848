/* leaving.h: from the decision that some are to leave to the moves that follow; leaving.c. */
#ifndef VIDMM_ENGINE_CARRY_LEAVING_H
#define VIDMM_ENGINE_CARRY_LEAVING_H

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* Queue what follows from the decision that some are to leave: page-outs, or transfers straight to
 * another place. The list of those leaving is empty afterwards. */
void vidmm_leaving_queue(struct vidmm_engine *engine);
/* Decide how the page-out goes that is next to be built, and give it its steps. IDLE: it is
 * decided, or none is next. WAIT: something in flight ends first. */
enum vidmm_progress vidmm_leaving_decide(struct vidmm_engine *engine);

#endif
