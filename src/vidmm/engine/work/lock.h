/* lock.h: the slow half of Lock: requests, and what has to happen before they are granted; lock.c
 * says what. */
#ifndef VIDMM_ENGINE_WORK_LOCK_H
#define VIDMM_ENGINE_WORK_LOCK_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;
struct vidmm_placement;

/* VIDMM_EVENT_LOCK: queue the request. STATUS_INVALID_PARAMETER: nothing that may be locked;
 * STATUS_DEVICE_REMOVED; STATUS_NO_MEMORY. Refused: nothing has changed. */
NTSTATUS vidmm_lock_request(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Answer one request that can be answered: VIDMM_DO_GRANT. False: there is none. */
bool vidmm_lock_serve(struct vidmm_engine *engine);
/* VIDMM_EVENT_UNLOCK: the last lock of a placement on which a claim had failed, or that is in use
 * by the GPU or seen by a range, is gone. */
void vidmm_lock_unlocked(struct vidmm_engine *engine, struct vidmm_placement *placement);

#endif
