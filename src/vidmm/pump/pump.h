/* pump.h: events into the engine, and its plans carried out. */
#ifndef VIDMM_PUMP_PUMP_H
#define VIDMM_PUMP_PUMP_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_event;

/* Give the engine an event and carry out what can be carried out at once. The engine's answer;
 * refused: nothing has changed. The mutex is held. */
NTSTATUS vidmm_pump_step(struct vidmm_adapter *adapter, struct vidmm_event *event);
/* Carry out the rest: DDI calls and what they bring; nothing, if another thread is at it. Passive
 * level, the mutex is not held. */
void vidmm_pump(struct vidmm_adapter *adapter);
/* As vidmm_pump(), but called with the mutex held, which is given back. */
void vidmm_pump_and_unlock(struct vidmm_adapter *adapter);
/* Lock, step, unlock, pump. The engine's answer, or STATUS_DEVICE_REMOVED: the adapter has
 * stopped. */
NTSTATUS vidmm_pump_event(struct vidmm_adapter *adapter, struct vidmm_event *event);

#endif
