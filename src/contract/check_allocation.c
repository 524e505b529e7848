/* check_allocation.c: the rules of allocation.def. */
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "contract/checker.h"

/* An unbound reference, with a null handle, is legal (D-338). */
CHECKER(D_050)
{
    for (size_t i = 0;
         !event->record->returned && event->packet != NULL && i < event->packet->count; i++) {
        const struct vidmm_shadow_reference *reference = &event->packet->references[i];
        if (!reference->opened && !reference->unbound)
            BREACH(event, D_050, "element %u is no handle that this device has open",
                   reference->index);
    }
}

/* A KMD without handles of its own for resources leaves NULL. */
CHECKER(D_048)
{
    const DXGKARG_CREATEALLOCATION *create = VIDMM_EVENT_ARGUMENT(event, DXGKARG_CREATEALLOCATION);

    if (!event->record->returned && create->Flags.Resource && create->hResource != NULL &&
        !vidmm_shadow_has_resource(event->shadow, create->hResource))
        BREACH(event, D_048, "hResource 0x%llx was never answered by the driver, or is destroyed",
               HEX(create->hResource));
}

CHECKER(D_053)
{
    const DXGKARG_DESTROYALLOCATION *destroy =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_DESTROYALLOCATION);

    for (UINT i = 0; !event->record->returned && i < destroy->NumAllocations; i++) {
        const struct vidmm_shadow_allocation *allocation =
            vidmm_shadow_allocation(event->shadow, destroy->pAllocationList[i]);
        if (allocation != NULL && allocation->opens > 0)
            BREACH(event, D_053, "allocation 0x%llx is open %u times", HEX(allocation->handle),
                   allocation->opens);
    }
}

/* Calls do not show which allocation is a primary, but for the shared one. */
CHECKER(D_056)
{
    const DXGKARG_DESCRIBEALLOCATION *describe =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_DESCRIBEALLOCATION);
    const struct vidmm_shadow_allocation *allocation =
        vidmm_shadow_allocation(event->shadow, describe->hAllocation);

    if (!event->record->returned || allocation == NULL || !allocation->shown)
        return;
    if (!NT_SUCCESS(event->record->status))
        BREACH(event, D_056, "it answered 0x%x for allocation 0x%llx",
               (unsigned)event->record->status, HEX(allocation->handle));
    else if (describe->Width == 0 || describe->Height == 0)
        BREACH(event, D_056, "allocation 0x%llx is described as %u by %u pixels",
               HEX(allocation->handle), describe->Width, describe->Height);
}
