/* compact.h: VIDMM_EVENT_COMPACT, from its arrival to its grant; compact.c. */
#ifndef VIDMM_ENGINE_WORK_COMPACT_H
#define VIDMM_ENGINE_WORK_COMPACT_H

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_work;

/* VIDMM_EVENT_COMPACT: queue the request, which VIDMM_DO_GRANT answers: STATUS_SUCCESS, or
 * STATUS_NO_MEMORY: nothing has moved. STATUS_INVALID_PARAMETER: a device, a segment, a request or
 * a way that is none; STATUS_NO_MEMORY. */
NTSTATUS vidmm_compact_request(struct vidmm_engine *engine, const struct vidmm_event *event);
/* The work whose turn it is, from there to its end. NONE: it has ended. CALL: a claim is under way.
 * LATER: something ends first. */
enum vidmm_found vidmm_compact_serve(struct vidmm_engine *engine, struct vidmm_work *work);

#endif
