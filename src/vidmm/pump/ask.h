/* ask.h: events that the engine answers by VIDMM_DO_GRANT, and somebody waits for that. */
#ifndef VIDMM_PUMP_ASK_H
#define VIDMM_PUMP_ASK_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_request;

/* Give the engine an event and wait for its grant: `request` holds it afterwards. id: where the
 * event names its request. Passive level, the mutex is not held. The answer, STATUS_TIMEOUT, or
 * STATUS_DEVICE_REMOVED: the adapter has stopped. */
NTSTATUS vidmm_request_ask(struct vidmm_adapter *adapter, struct vidmm_event *event, uint32_t *id,
                           struct vidmm_request *request);

#endif
