/* suspension.h: devices whose work a test holds back (VIDMM_EVENT_SUSPEND_DEVICE); suspension.c. */
#ifndef VIDMM_ENGINE_WORK_SUSPENSION_H
#define VIDMM_ENGINE_WORK_SUSPENSION_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;
struct vidmm_placement;

/* VIDMM_EVENT_SUSPEND_DEVICE. STATUS_INVALID_PARAMETER: no such device, the system device, one that
 * is suspended already, or no number; why the device is in error. */
NTSTATUS vidmm_suspension_begin(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_RESUME_DEVICES. STATUS_INVALID_PARAMETER: no device is suspended by that number. */
NTSTATUS vidmm_suspension_resume(struct vidmm_engine *engine, const struct vidmm_event *event);

/* Something was queued on a context of the device: its suspension ends, if that is to wake it. */
void vidmm_suspension_wake(struct vidmm_engine *engine, uint32_t device);
/* Somebody waits until no work names the placement: suspensions end that hold one of these back. */
void vidmm_suspension_end_for(struct vidmm_engine *engine, const struct vidmm_placement *placement);
/* No device is suspended any more. */
void vidmm_suspension_end_all(struct vidmm_engine *engine);
/* Devices that were suspended have failed: what they had queued has turns again. */
void vidmm_suspension_look(struct vidmm_engine *engine);

#endif
