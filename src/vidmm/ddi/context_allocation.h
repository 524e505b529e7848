/* context_allocation.h: DxgkCbCreateContextAllocation, DxgkCbUpdateContextAllocation and
 * DxgkCbDestroyContextAllocation. */
#ifndef VIDMM_DDI_CONTEXT_ALLOCATION_H
#define VIDMM_DDI_CONTEXT_ALLOCATION_H

#include <wddm/wddm_types.h>

struct _DXGKARGCB_CREATECONTEXTALLOCATION;
struct _DXGKARGCB_UPDATECONTEXTALLOCATION;
struct vidmm_adapter;

/* Judge what the miniport asks for, and have it done (ddi/above.h). Passive level, the mutex is not
 * held. Refused: there is no allocation; the device's `refusal` says why, if it was found. */
NTSTATUS vidmm_ddi_create_context_allocation(struct vidmm_adapter *adapter,
                                             struct _DXGKARGCB_CREATECONTEXTALLOCATION *arguments);
/* Destroy a context allocation for the miniport; may wait. STATUS_INVALID_PARAMETER: the handle is
 * none of these. */
NTSTATUS vidmm_ddi_destroy_context_allocation(struct vidmm_adapter *adapter, HANDLE handle);
/* DxgkCbUpdateContextAllocation: returns when its content is changed. STATUS_INVALID_PARAMETER: no
 * context allocation of the adapter, or no data where there is a size; STATUS_NOT_SUPPORTED: paging
 * goes by physical addresses, or it is larger than what the scratch range maps; STATUS_NO_MEMORY;
 * STATUS_TIMEOUT: what is before it does not end. */
NTSTATUS
vidmm_ddi_update_context_allocation(struct vidmm_adapter *adapter,
                                    const struct _DXGKARGCB_UPDATECONTEXTALLOCATION *arguments);

#endif
