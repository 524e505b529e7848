/* evict_all.h: VIDMM_EVENT_EVICT_ALL and VIDMM_EVENT_PAGE_OUT, from their arrival to their grant;
 * evict_all.c. */
#ifndef VIDMM_ENGINE_WORK_EVICT_ALL_H
#define VIDMM_ENGINE_WORK_EVICT_ALL_H

#include <stdint.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_work;

/* Have everything leave that the exception allows to (VIDMM_EXCEPTION_...). IDLE: nothing is left,
 * and nothing is queued. MADE: moves are queued. CALL: a claim is under way. WAIT: something ends
 * first. */
enum vidmm_progress vidmm_evict_all_begin(struct vidmm_engine *engine, uint32_t reason);

/* Go on with VIDMM_EVENT_EVICT_ALL. IDLE: there is none, or it has been answered. MADE: moves are
 * queued. CALL: a claim is under way. WAIT: something ends first. */
enum vidmm_progress vidmm_evict_all_serve(struct vidmm_engine *engine);

/* VIDMM_EVENT_PAGE_OUT: queue the request, which VIDMM_DO_GRANT answers: STATUS_SUCCESS, or
 * STATUS_GRAPHICS_ALLOCATION_BUSY: one of all stays, so none has left. Without VIDMM_PAGE_OUT_ALL
 * ids that are not alive, or offered, are passed over. STATUS_INVALID_PARAMETER: a device, flag or
 * allocation that is not legal, or no allocation; STATUS_NO_MEMORY. */
NTSTATUS vidmm_page_out_request(struct vidmm_engine *engine, const struct vidmm_event *event);
/* The work whose turn it is, from there to its end. NONE: it has ended. CALL: a claim is under way.
 * LATER: something ends first. */
enum vidmm_found vidmm_page_out_serve(struct vidmm_engine *engine, struct vidmm_work *work);

#endif
