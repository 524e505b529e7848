/*
 * driver.h: the miniport half of the software GPU: the one function that a system calls.
 *
 * This function fills in the table that a driver's DriverEntry would hand to DxgkInitialize.
 * Everything else goes through the table. The driver learns what its GPU is like from the GPU's
 * registers, so that adapters of different configurations live side by side.
 */
#ifndef SOFTGPU_DRIVER_H
#define SOFTGPU_DRIVER_H

#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _DRIVER_INITIALIZATION_DATA; /* wddm/dispmprt.h */

/*
 * Fill the table of entry points.
 *
 * version  DXGKDDI_INTERFACE_VERSION_VISTA, _VISTA_SP1, _WIN7, _WIN8, _WDDM1_3, or
 *          _WDDM2_0 to _WDDM3_2 without those that have a third number.
 * data     at least as long as that version's DRIVER_INITIALIZATION_DATA; nothing behind that is
 *          touched. Members that a render-only adapter has no use for are NULL.
 * STATUS_SUCCESS; STATUS_REVISION_MISMATCH: it does not know the version, data is untouched.
 */
NTSTATUS softgpu_driver_entry(ULONG version, struct _DRIVER_INITIALIZATION_DATA *data);

#define SOFTGPU_LINKS 4u

/*
 * Software GPUs that are linked by a cable, as the bus knows them. For a linked configuration each
 * physical device object is a struct softgpu_physical_device; otherwise it is anything.
 *
 *     chain   uid, count   <---  physical device, place 0 (the lead)
 *                          <---  physical device, place 1
 *
 * EngineOrdinal is the place. Both outlive the adapter.
 */
struct softgpu_chain {
    ULONG uid;
    ULONG count;                  /* 2 .. SOFTGPU_LINKS */
    void *members[SOFTGPU_LINKS]; /* by place: the driver's; NULL at first */
};

struct softgpu_physical_device {
    struct softgpu_chain *chain;
    ULONG place;
};

/* Add to a table what a driver of linked GPUs has: DxgkDdiLinkDevice. */
void softgpu_driver_link(struct _DRIVER_INITIALIZATION_DATA *data);

/* Have a table, of WDDM 2.9 or above, be that of a driver for GPUs with 32 address lines, whose
 * memory is remapped (DmaRemappingSupported). Their configuration has `remapping on`. */
void softgpu_driver_remap(struct _DRIVER_INITIALIZATION_DATA *data);

/* The version of a level as the configuration writes it: 10 .. 13, 20 .. 29, 30 .. 32; 0 for any
 * other. */
ULONG softgpu_driver_version(uint32_t wddm);

#ifdef __cplusplus
}
#endif

#endif
