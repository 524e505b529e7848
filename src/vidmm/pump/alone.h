/* alone.h: the adapter rests, so that its driver can be called with nobody else inside.
 *
 *     begin --> rest (VIDMM_EVENT_REST) --> take -- the call -- give --> rest (RESUME) --> end
 *
 * Passive level, the mutex is not held.
 */
#ifndef VIDMM_PUMP_ALONE_H
#define VIDMM_PUMP_ALONE_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

struct vidmm_adapter;

/* Have nobody else make the adapter rest; may wait. False: the other never ends, and there is
 * nothing to end here. */
bool vidmm_alone_begin(struct vidmm_adapter *adapter);
void vidmm_alone_end(struct vidmm_adapter *adapter);
/* Have the engine rest (VIDMM_EVENT_REST) or resume (VIDMM_EVENT_RESUME), and wait for it. Refused:
 * it is as it was, or has stopped. STATUS_TIMEOUT: it cannot come to rest, and goes on trying until
 * it is told to resume. */
NTSTATUS vidmm_alone_rest(struct vidmm_adapter *adapter, uint32_t kind, enum vidmm_power power);
/* Wait until nobody is in the driver, and keep everybody out. STATUS_TIMEOUT: somebody stays
 * inside, and nobody is kept out. */
NTSTATUS vidmm_driver_take(struct vidmm_adapter *adapter);
/* Have the engine rest, as above, and then take the driver. A thread in the driver may wait for the
 * engine: then the engine goes on until it has what it waits for, and both are tried again. */
NTSTATUS vidmm_driver_take_at_rest(struct vidmm_adapter *adapter, enum vidmm_power power);
/* Let everybody in again, and carry out what is due. */
void vidmm_driver_give(struct vidmm_adapter *adapter);
/* Make a call of level two: the engine rests with its power, the driver is taken, and `call` is
 * made with `argument`; then both go on. Between vidmm_alone_begin() and vidmm_alone_end(). Its
 * answer; or it was not made: STATUS_TIMEOUT, STATUS_DEVICE_REMOVED. Obeys D-309. */
NTSTATUS vidmm_driver_call_alone(struct vidmm_adapter *adapter, NTSTATUS (*call)(void *),
                                 void *argument);

#endif
