/* evict_all.h: VIDMM_EVENT_EVICT_ALL, from its arrival to its grant; evict_all.c. */
#ifndef VIDMM_ENGINE_WORK_EVICT_ALL_H
#define VIDMM_ENGINE_WORK_EVICT_ALL_H

struct vidmm_engine;

/* Go on with VIDMM_EVENT_EVICT_ALL. IDLE: there is none, or it has been answered. MADE: moves are
 * queued. CALL: a claim is under way. WAIT: something ends first. */
enum vidmm_progress vidmm_evict_all_serve(struct vidmm_engine *engine);

#endif
