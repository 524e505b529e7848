/* make_resident.h: what programs ask of residency lists; make_resident.c.
 *
 * Each looks at all that it is asked first, and after a refusal nothing has changed; but a
 * MakeResident that must succeed and cannot puts its device in error (D-197).
 */
#ifndef VIDMM_ENGINE_WORK_MAKE_RESIDENT_H
#define VIDMM_ENGINE_WORK_MAKE_RESIDENT_H

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;

/* VIDMM_EVENT_MAKE_RESIDENT. STATUS_SUCCESS: all is in place. STATUS_PENDING: the paging queue
 * passes a value when it is. STATUS_NO_MEMORY: bytes_to_trim is not 0: above the budget, or more
 * than there is memory; 0: no memory for a record. STATUS_INVALID_PARAMETER: a queue, flag or
 * allocation that is not legal; the status of a device in error. */
NTSTATUS vidmm_residency_make(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_EVICT. STATUS_INVALID_PARAMETER: a device, flag or allocation that is not legal, or
 * one that is counted less often than it is named. */
NTSTATUS vidmm_residency_evict(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_HOLD. STATUS_INVALID_PARAMETER: the list of the device does not name it, or it is so
 * already. */
NTSTATUS vidmm_residency_hold(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_RECLAIM_QUEUED. As VIDMM_EVENT_MAKE_RESIDENT, but that nothing is counted. */
NTSTATUS vidmm_residency_reclaim(struct vidmm_engine *engine, const struct vidmm_event *event);
/* The placement is a context allocation that was created by this event: its device's list names it
 * from here on (D-138). STATUS_GRAPHICS_NO_VIDEO_MEMORY: the list would be larger than the memory
 * there is; STATUS_NO_MEMORY: no memory for a record. */
NTSTATUS vidmm_residency_make_context(struct vidmm_engine *engine,
                                      struct vidmm_placement *placement);
/* Bring one allocation that was demoted back into a memory segment. IDLE: none has a place there.
 * MADE: moves are queued. */
enum vidmm_progress vidmm_promote_serve(struct vidmm_engine *engine);

#endif
