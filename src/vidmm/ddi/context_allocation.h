/* context_allocation.h: DxgkCbCreateContextAllocation and DxgkCbDestroyContextAllocation. */
#ifndef VIDMM_DDI_CONTEXT_ALLOCATION_H
#define VIDMM_DDI_CONTEXT_ALLOCATION_H

#include <wddm/wddm_types.h>

struct _DXGKARGCB_CREATECONTEXTALLOCATION;
struct vidmm_adapter;

/* Judge what the miniport asks for, and have it done (ddi/above.h). Passive level, the mutex is not
 * held. Refused: there is no allocation; the device's `refusal` says why, if it was found. */
NTSTATUS vidmm_ddi_create_context_allocation(struct vidmm_adapter *adapter,
                                             struct _DXGKARGCB_CREATECONTEXTALLOCATION *arguments);
/* Destroy a context allocation for the miniport; may wait. STATUS_INVALID_PARAMETER: the handle is
 * none of these. */
NTSTATUS vidmm_ddi_destroy_context_allocation(struct vidmm_adapter *adapter, HANDLE handle);

#endif
