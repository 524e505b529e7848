/* context_request.h: a driver asks for a change of a context allocation; context_request.c draws
 * it. */
#ifndef VIDMM_ENGINE_WORK_CONTEXT_REQUEST_H
#define VIDMM_ENGINE_WORK_CONTEXT_REQUEST_H

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;

/* VIDMM_EVENT_UPDATE_CONTEXT: queue the request. STATUS_INVALID_PARAMETER: no context allocation,
 * or one that is destroyed; STATUS_NOT_SUPPORTED: there is no scratch range, or it is too small to
 * map all of it; STATUS_DEVICE_BUSY: another request for it is not answered; the status of a device
 * in error; STATUS_NO_MEMORY. Refused: nothing has changed. */
NTSTATUS vidmm_context_request(struct vidmm_engine *engine, const struct vidmm_event *event);
/* The work whose turn it is has its allocation in place: the change begins, and the work ends. */
void vidmm_context_request_serve(struct vidmm_engine *engine);

#endif
