/* escape_fault.c: faults, by their names. */
#include "thunk/escape_fault.h"

#include <stddef.h>

#include <wddm/ntstatus.h>

#include "thunk/process.h"

NTSTATUS vidmm_escape_unbuilt(struct vidmm_thunk_process *process, const char *name)
{
    atomic_fetch_add_explicit(&process->missed[VIDMM_THUNK_Escape], 1, memory_order_relaxed);
    vidmm_thunk_refuse("%s is not built", name);
    return STATUS_NOT_SUPPORTED;
}

/* No fault at all is what the manager has. */
NTSTATUS vidmm_escape_set_fault(struct vidmm_thunk_process *process,
                                const D3DKMT_VIDMM_ESCAPE *escape)
{
    static const char *const names[] = {
        "SetFault.ProbeAndLock",
        "SetFault.SplitPoint",
        "SetFault.NoDemotion",
        "SetFault.SwizzlingAperture",
        "SetFault.PagingPathLockSubRange",
        "SetFault.PagingPathLockMinRange",
        "SetFault.ComplexLock",
        "SetFault.FailVARotation",
        "SetFault.NoWriteCombined",
        "SetFault.NoPrePatching",
        "SetFault.AlwaysRepatch",
        "SetFault.ExpectPreparationFailure",
        "SetFault.FailUserModeVAMapping",
        "SetFault.NeverDiscardOfferedAllocation",
        "SetFault.AlwaysDiscardOfferedAllocation",
    };
    ULONG value = escape->SetFault.Value;

    if (escape->SetFault.Reserved != 0)
        return vidmm_thunk_refuse("SetFault is 0x%x, which has reserved bits set", (unsigned)value);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if ((value >> i & 1) != 0)
            return vidmm_escape_unbuilt(process, names[i]);
    return STATUS_SUCCESS;
}
