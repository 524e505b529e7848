/* purge.h: after a reset, everything leaves and nothing is copied (D-239); purge.c draws it. */
#ifndef VIDMM_ENGINE_RECOVER_PURGE_H
#define VIDMM_ENGINE_RECOVER_PURGE_H

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* Forget every queue and list of moves; their kinds are still in their states. */
void vidmm_purge_begin(struct vidmm_engine *engine);
/* Tell the driver of the next placement that has left (D-239). IDLE: of all. */
enum vidmm_progress vidmm_purge_call(struct vidmm_engine *engine);
/* Keep the CPU off every place in a memory segment (D-241). IDLE: it is. */
enum vidmm_progress vidmm_purge_claim(struct vidmm_engine *engine);

#endif
