/* escape_evict.c: memory leaves its segment because a test says so. */
#include "thunk/escape_evict.h"

#include <vidmm/page_out.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

/* ---- by handle ------------------------------------------------------------------------------- */

/* Inside: the object that is meant, held. NULL: the reason says why. */
static struct vidmm_thunk_object *find_meant(struct vidmm_thunk_process *process,
                                             const struct vidmm_adapter *adapter,
                                             D3DKMT_HANDLE resource, D3DKMT_HANDLE allocation)
{
    struct vidmm_thunk_object *group = NULL, *meant = NULL;

    if (resource != 0) {
        meant = group =
            vidmm_thunk_find(process, resource, VIDMM_THUNK_RESOURCE, "Evict.ResourceHandle");
        if (group == NULL)
            return NULL;
    }
    if (allocation != 0)
        meant =
            vidmm_thunk_find(process, allocation, VIDMM_THUNK_ALLOCATION, "Evict.AllocationHandle");
    if (meant == NULL)
        return NULL;
    if (vidmm_thunk_adapter_of(meant) != adapter) {
        vidmm_thunk_refuse("%s is 0x%x, of another adapter than hAdapter",
                           allocation != 0 ? "Evict.AllocationHandle" : "Evict.ResourceHandle",
                           (unsigned)meant->handle);
        return NULL;
    }
    if (group != NULL && meant != group && meant->parent != group) {
        vidmm_thunk_refuse("Evict.AllocationHandle is 0x%x, no allocation of Evict.ResourceHandle",
                           (unsigned)allocation);
        return NULL;
    }
    vidmm_thunk_hold(process, meant);
    return meant;
}

static NTSTATUS evict_named(struct vidmm_thunk_process *process,
                            const struct vidmm_adapter *adapter, D3DKMT_HANDLE resource,
                            D3DKMT_HANDLE allocation)
{
    struct vidmm_thunk_object *meant;
    NTSTATUS status;

    vidmm_thunk_enter(process);
    meant = find_meant(process, adapter, resource, allocation);
    vidmm_thunk_leave(process);
    if (meant == NULL)
        return STATUS_INVALID_PARAMETER;
    status = meant->type == VIDMM_THUNK_RESOURCE
                 ? vidmm_page_out_resource(meant->of, vidmm_thunk_report())
                 : vidmm_page_out(meant->of, vidmm_thunk_report());
    vidmm_thunk_let_go(process, meant);
    return status;
}

static NTSTATUS evict(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                      const D3DKMT_VIDMM_ESCAPE *escape)
{
    struct vidmm_page_out_criteria own = {
        .maximum = UINT64_MAX, .one_process = true, .process = process->number};

    if (escape->Evict.hProcess_Align != 0)
        return vidmm_thunk_refuse("Evict.hProcess is not NULL; this version evicts for the calling "
                                  "process");
    if (escape->Evict.ResourceHandle == 0 && escape->Evict.AllocationHandle == 0)
        return vidmm_page_out_all(adapter, &own, vidmm_thunk_report());
    return evict_named(process, adapter, escape->Evict.ResourceHandle,
                       escape->Evict.AllocationHandle);
}

/* ---- by criteria ----------------------------------------------------------------------------- */

static NTSTATUS evict_by_criteria(struct vidmm_adapter *adapter,
                                  const D3DKMT_EVICTION_CRITERIA *criteria)
{
    struct vidmm_page_out_criteria wanted = {.minimum = criteria->MinimumSize,
                                             .maximum = criteria->MaximumSize,
                                             .primaries = criteria->Flags.Primary != 0};

    if (criteria->Flags.Reserved != 0)
        return vidmm_thunk_refuse("EvictByCriteria.Flags is 0x%x, which has reserved bits set",
                                  criteria->Value);
    if (criteria->MaximumSize < criteria->MinimumSize)
        return vidmm_thunk_refuse("EvictByCriteria.MaximumSize is %llu; expected %llu, the "
                                  "MinimumSize, or more",
                                  (unsigned long long)criteria->MaximumSize,
                                  (unsigned long long)criteria->MinimumSize);
    return vidmm_page_out_all(adapter, &wanted, vidmm_thunk_report());
}

NTSTATUS vidmm_escape_evict(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                            const D3DKMT_VIDMM_ESCAPE *escape)
{
    if (escape->Type == D3DKMT_VIDMMESCAPETYPE_EVICT)
        return evict(process, adapter, escape);
    if (escape->Type == D3DKMT_VIDMMESCAPETYPE_EVICT_BY_NT_HANDLE)
        return vidmm_escape_evict_shared(process, adapter, escape->EvictByNtHandle.NtHandle);
    return evict_by_criteria(adapter, &escape->EvictByCriteria);
}
