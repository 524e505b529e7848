/* discard.h: what is offered loses its content before anybody wants the room; discard.c. */
#ifndef VIDMM_ENGINE_WORK_DISCARD_H
#define VIDMM_ENGINE_WORK_DISCARD_H

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;

/* Have what is offered lose its content, if a test wants that. IDLE: there is nothing to do now.
 * MADE: moves are queued, or content has gone. CALL: a claim is under way. */
enum vidmm_progress vidmm_discard_all(struct vidmm_engine *engine);
/* VIDMM_EVENT_DISCARD: it loses its content, if it may now; else nothing has changed.
 * STATUS_INVALID_PARAMETER: no such allocation. */
NTSTATUS vidmm_discard_event(struct vidmm_engine *engine, const struct vidmm_event *event);

#endif
