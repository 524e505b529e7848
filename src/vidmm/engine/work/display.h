/* display.h: a primary is displayed from here on, or no more; display.c. */
#ifndef VIDMM_ENGINE_WORK_DISPLAY_H
#define VIDMM_ENGINE_WORK_DISPLAY_H

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_placement;
struct vidmm_work;

/* VIDMM_EVENT_DISPLAY: queue the request, which VIDMM_DO_GRANT answers. STATUS_INVALID_PARAMETER: a
 * device, allocation or number that is not legal; no primary; to be displayed: one that is offered,
 * that the device has not, or that its residency list does not name.
 * STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST; STATUS_NO_MEMORY. Refused: nothing has changed. If the
 * device is in error, the grant has its status. */
NTSTATUS vidmm_display_request(struct vidmm_engine *engine, const struct vidmm_event *event);

/* The primary of a work that has its turn and is begun is displayed from here on: nothing evicts
 * it, and where it has no place yet, it is to be given one. LATER: ask again. NONE: it was
 * destroyed, or offered, meanwhile, and the work is dropped. */
enum vidmm_found vidmm_display_begin(struct vidmm_engine *engine, struct vidmm_work *work);
/* It is displayed no more, and an aperture that showed it for that does so no longer. LATER: ask
 * again. */
enum vidmm_found vidmm_display_end(struct vidmm_engine *engine, struct vidmm_placement *placement);

#endif
