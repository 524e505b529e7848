/* dxgk.h: what a driver registered, and the table of callbacks that it is given.
 *
 * One driver a process, as the kernel is one. For whoever loads and starts it.
 */
#ifndef KIT_DXGK_H
#define KIT_DXGK_H

#include <stdbool.h>

#include <wddm/dispmprt.h>

/* What the driver handed to DxgkInitialize, in a table of the newest size whose members beyond the
 * driver's version are zero. NULL: it has not registered; *display_only: it has, by
 * DxgkInitializeDisplayOnlyDriver. */
const DRIVER_INITIALIZATION_DATA *vidmm_kit_registered(bool *display_only);

/* Forget it, before another driver is loaded. */
void vidmm_kit_forget_registered(void);

/* Fill *table with given's callbacks, and with the kit's where there are none: afterwards no
 * callback is NULL; video present networks are the kit's (kit/vidpn.h). Only given->Size bytes of it are read. given's DxgkCbGetDeviceInformation,
 * DxgkCbMapMemory and DxgkCbUnmapMemory are called by the kit's, which know the device's resources
 * and registers. */
void vidmm_kit_complete_interface(const DXGKRNL_INTERFACE *given, DXGKRNL_INTERFACE *table);

#endif
