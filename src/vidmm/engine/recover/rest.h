/* rest.h: the adapter loses its power, or rests for a call of level two; rest.c draws it. */
#ifndef VIDMM_ENGINE_RECOVER_REST_H
#define VIDMM_ENGINE_RECOVER_REST_H

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;

/* VIDMM_EVENT_REST. STATUS_INVALID_PARAMETER: it rests already, or no such state of power. */
NTSTATUS vidmm_rest_begin(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_RESUME, or before it rests: the end of waiting for it. STATUS_INVALID_PARAMETER: it
 * does not rest and is not on its way there, or that was said before. */
NTSTATUS vidmm_rest_end(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Go on with it. IDLE: nothing is in the way of the next DMA buffer. */
enum vidmm_progress vidmm_rest_call(struct vidmm_engine *engine);
/* Answer who waits for it. */
void vidmm_rest_grant(struct vidmm_engine *engine);

#endif
