/* evict_all.h: VIDMM_EVENT_EVICT_ALL, from its arrival to its grant; evict_all.c. */
#ifndef VIDMM_ENGINE_WORK_EVICT_ALL_H
#define VIDMM_ENGINE_WORK_EVICT_ALL_H

#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* Have everything leave that the exception allows to (VIDMM_EXCEPTION_...). IDLE: nothing is left,
 * and nothing is queued. MADE: moves are queued. CALL: a claim is under way. WAIT: something ends
 * first. */
enum vidmm_progress vidmm_evict_all_begin(struct vidmm_engine *engine, uint32_t reason);

/* Go on with VIDMM_EVENT_EVICT_ALL. IDLE: there is none, or it has been answered. MADE: moves are
 * queued. CALL: a claim is under way. WAIT: something ends first. */
enum vidmm_progress vidmm_evict_all_serve(struct vidmm_engine *engine);

#endif
