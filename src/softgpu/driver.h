/*
 * driver.h: the miniport half of the software GPU: the one function that a system calls.
 *
 * What a driver's DriverEntry would hand to DxgkInitialize is filled in here. Everything else goes
 * through the table. The driver learns what its GPU is like from the GPU's registers, so that
 * adapters of different configurations live side by side.
 */
#ifndef SOFTGPU_DRIVER_H
#define SOFTGPU_DRIVER_H

#include <wddm/dispmprt.h>

/*
 * Fill the table of entry points.
 *
 * version  DXGKDDI_INTERFACE_VERSION_VISTA, _VISTA_SP1, _WIN7, _WIN8 or _WDDM1_3.
 * data     at least as long as that version's DRIVER_INITIALIZATION_DATA; nothing behind that is
 *          touched. Members that a render-only adapter has no use for are NULL.
 * STATUS_SUCCESS; STATUS_REVISION_MISMATCH: it does not know the version, data is untouched.
 */
NTSTATUS softgpu_driver_entry(ULONG version, DRIVER_INITIALIZATION_DATA *data);

/* The version of a level as the configuration writes it: 10, 11, 12, 13; 0 for any other. */
ULONG softgpu_driver_version(uint32_t wddm);

#endif
