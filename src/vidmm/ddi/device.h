/* device.h: DxgkDdiCreateDevice and DxgkDdiDestroyDevice. */
#ifndef VIDMM_DDI_DEVICE_H
#define VIDMM_DDI_DEVICE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_device;

/* Have the miniport make its side of a device, and take its handle and what it says of DMA buffers.
 * The driver's status; refused: there is nothing to destroy. The mutex is not held. */
NTSTATUS vidmm_ddi_create_device(struct vidmm_device *device, bool system);
/* Have it destroyed; nothing, where it was refused. */
void vidmm_ddi_destroy_device(struct vidmm_device *device);

#endif
