/* device_record.h: the devices that the engine knows, and which of them are in error;
 * device_record.c draws the states. */
#ifndef VIDMM_ENGINE_STATE_DEVICE_RECORD_H
#define VIDMM_ENGINE_STATE_DEVICE_RECORD_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;

/* VIDMM_EVENT_CREATE_DEVICE: the table grows if need be. STATUS_INVALID_PARAMETER: an id that is
 * 0, too large, or in use; STATUS_NO_MEMORY. Refused: nothing has changed. */
NTSTATUS vidmm_device_record_create(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_DESTROY_DEVICE. STATUS_INVALID_PARAMETER: there is no such device. */
NTSTATUS vidmm_device_record_destroy(struct vidmm_engine *engine, const struct vidmm_event *event);

/* Give back the table and all it has; the engine is being destroyed. */
void vidmm_device_records_finish(struct vidmm_engine *engine);

/* Refuse its work from here on. The system device, and one that has failed before: nothing, unless
 * it is removed now. */
void vidmm_device_record_fail(struct vidmm_engine *engine, uint32_t device, uint32_t reason,
                              uint32_t dma_buffer, NTSTATUS status);
/* As vidmm_device_record_fail(), for a page fault of that DMA buffer, which VIDMM_EVENT_FAULT
 * reports. */
void vidmm_device_record_fault(struct vidmm_engine *engine, uint32_t device, uint32_t dma_buffer,
                               const struct vidmm_event *event);
/* Append VIDMM_DO_ERROR for one device that has failed. False: all have been told of. */
bool vidmm_device_record_tell(struct vidmm_engine *engine);
/* Why its work is refused; STATUS_SUCCESS: it is not. */
NTSTATUS vidmm_device_record_status(const struct vidmm_engine *engine, uint32_t device);

#endif
