/* device.h: devices, those of programs and the system's. */
#ifndef VIDMM_CLIENT_DEVICE_H
#define VIDMM_CLIENT_DEVICE_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_device;
struct vidmm_report;

/* Make the system device with the contexts of paging, in `system_device` of the adapter; from 2.0
 * on also the system process and a second system device. Refused: the report says why, and what
 * there is goes when the adapter stops. */
NTSTATUS vidmm_system_device_create(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Wait until the device has no allocations any more, all of which are being destroyed. */
void vidmm_device_wait_empty(struct vidmm_device *device);

#endif
