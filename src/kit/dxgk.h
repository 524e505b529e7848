/* dxgk.h: a driver's registration, and the table of callbacks that it is given.
 *
 * One driver a process, as the kernel is one. For whoever loads and starts it.
 */
#ifndef KIT_DXGK_H
#define KIT_DXGK_H

#include <stdbool.h>

#include <wddm/dispmprt.h>

/* The driver's argument to DxgkInitialize, in a table of the newest size whose members beyond the
 * driver's version are zero. NULL: it has not registered; *display_only: it has, by
 * DxgkInitializeDisplayOnlyDriver. */
const DRIVER_INITIALIZATION_DATA *vidmm_kit_registered(bool *display_only);

/* The functions that a display-only driver registered, and a table of the newest size that has the
 * members which both have. NULL: no such driver has. */
const KMDDOD_INITIALIZATION_DATA *
vidmm_kit_registered_display(const DRIVER_INITIALIZATION_DATA **table);

/* The frame buffer that the firmware left, which DxgkCbAcquirePostDisplayOwnership hands over: the
 * first memory of the device that has room for it. False: the driver did not take it, or there is
 * none. */
bool vidmm_kit_post_display(DXGK_DISPLAY_INFORMATION *information);

/* Forget it, before another driver is loaded. */
void vidmm_kit_forget_registered(void);

/* Fill *table with given's callbacks, and with the kit's where there are none: afterwards no
 * callback is NULL; video present networks are the kit's (kit/vidpn.h). Only given->Size bytes of
 * it are read. given's DxgkCbGetDeviceInformation, DxgkCbMapMemory and DxgkCbUnmapMemory are called
 * by the kit's, which know the device's resources and registers. */
void vidmm_kit_complete_interface(const DXGKRNL_INTERFACE *given, DXGKRNL_INTERFACE *table);

/* Memory range number `index` of the device's resources. False: there are not so many. */
bool vidmm_kit_device_memory(unsigned index, uint64_t *at, uint64_t *size);
/* Whether the firmware shows its picture on the device: it is the POST device. */
bool vidmm_kit_is_post_device(void);

#endif
