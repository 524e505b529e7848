/* above.h: the miniport's requests by callbacks that this room cannot fulfil itself. A call up goes
 * through this table, which the adapter has from its start on (`above` of it).
 */
#ifndef VIDMM_DDI_ABOVE_H
#define VIDMM_DDI_ABOVE_H

#include <wddm/d3dkmddi_allocation.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_context;
struct vidmm_device;

/* A context allocation that the miniport asks for, and for whom. It is legal as far as its handles
 * and flags go; `info` is not judged yet. */
struct vidmm_context_allocation_wish {
    struct vidmm_device *device;
    struct vidmm_context *context; /* NULL: all of the device's */
    DXGK_ALLOCATIONINFO info;
    struct vidmm_report *refusal; /* receives the reason */
};

struct vidmm_ddi_above {
    /* Carry out what is due: the host says so, or the last thread has left a driver whose gate is
     * shut. */
    void (*pump)(struct vidmm_adapter *adapter);
    /* Create an allocation of a context, within DxgkCbCreateContextAllocation. Refused: nothing of
     * it is left, and the wish's `refusal` says why. */
    NTSTATUS(*create_context_allocation)
    (struct vidmm_context_allocation_wish *wish, struct vidmm_allocation **allocation);
    /* Destroy one, within DxgkCbDestroyContextAllocation; may wait. STATUS_INVALID_PARAMETER: it is
     * none; STATUS_TIMEOUT: something that needs it does not end, and the miniport hears no more of
     * it. */
    NTSTATUS (*destroy_context_allocation)(struct vidmm_allocation *allocation);
    /* Have the miniport change the content of one, within DxgkCbUpdateContextAllocation; waits
     * until it is changed. STATUS_INVALID_PARAMETER: it is none; STATUS_TIMEOUT: something before
     * it does not end. */
    NTSTATUS(*update_context_allocation)
    (struct vidmm_allocation *allocation, const void *private_data, uint32_t size);
};

#endif
