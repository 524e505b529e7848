/* host_aperture.h: calls of DxgkDdiMapCpuHostAperture and DxgkDdiUnmapCpuHostAperture;
 * host_aperture.c says when. */
#ifndef VIDMM_ENGINE_CARRY_HOST_APERTURE_H
#define VIDMM_ENGINE_CARRY_HOST_APERTURE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_lock_request;
struct vidmm_placement;

/* Whether pages of the aperture may show the request's allocation where it is. */
bool vidmm_host_aperture_may_serve(const struct vidmm_engine *engine,
                                   const struct vidmm_lock_request *request);
/* Whether what has arrived there waits for its pages to be mapped before it is shown. */
bool vidmm_host_aperture_is_due(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);

/* Hand out the next call that is due: for a lock, for addresses that follow, or for what has been
 * destroyed. */
enum vidmm_progress vidmm_host_aperture_call(struct vidmm_engine *engine);
/* Unmap the placement before it leaves its place. IDLE: it is not mapped. */
enum vidmm_progress vidmm_host_aperture_vacate(struct vidmm_engine *engine,
                                               struct vidmm_placement *placement);
/* Unmap all: a reset, or the power goes. */
enum vidmm_progress vidmm_host_aperture_release_all(struct vidmm_engine *engine);

/* Take in VIDMM_EVENT_HOST_ANSWERED. STATUS_INVALID_PARAMETER: nothing was asked. */
NTSTATUS vidmm_host_aperture_answer(struct vidmm_engine *engine, const struct vidmm_event *event);

#endif
