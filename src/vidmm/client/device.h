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
/* Have the miniport make its side of the system process, of its devices and of the contexts of
 * paging anew, in that order, when it has destroyed what it had. The engine rests. The driver's
 * status; refused: what was not made is not destroyed when the adapter stops. */
NTSTATUS vidmm_system_device_renew(struct vidmm_adapter *adapter);
/* Wait until the system device has buffers alone: shared memory, all of whose openings are being
 * destroyed, has gone. */
void vidmm_device_wait_for_shared(struct vidmm_device *device);

#endif
