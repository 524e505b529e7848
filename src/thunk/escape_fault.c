/* escape_fault.c: faults, by their names. */
#include "thunk/escape_fault.h"

#include <stddef.h>

#include <vidmm/adapter.h>
#include <vidmm/test_fault.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

static NTSTATUS unbuilt(struct vidmm_thunk_process *process, const char *name)
{
    atomic_fetch_add_explicit(&process->missed[VIDMM_THUNK_Escape], 1, memory_order_relaxed);
    vidmm_thunk_refuse("%s is not built", name);
    return STATUS_NOT_SUPPORTED;
}

NTSTATUS vidmm_escape_set_fault(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                                const D3DKMT_VIDMM_ESCAPE *escape)
{
    static const struct {
        const char *name;
        uint32_t fault; /* 0: it is not built */
    } faults[] = {
        {"SetFault.ProbeAndLock", VIDMM_TEST_PROBE_AND_LOCK},
        {"SetFault.SplitPoint", VIDMM_TEST_SPLIT_POINT},
        {"SetFault.NoDemotion", VIDMM_TEST_NO_DEMOTION},
        {"SetFault.SwizzlingAperture", VIDMM_TEST_NO_SWIZZLING},
        {"SetFault.PagingPathLockSubRange", 0},
        {"SetFault.PagingPathLockMinRange", 0},
        {"SetFault.ComplexLock", 0},
        {"SetFault.FailVARotation", 0},
        {"SetFault.NoWriteCombined", VIDMM_TEST_NO_WRITE_COMBINED},
        {"SetFault.NoPrePatching", 0},
        {"SetFault.AlwaysRepatch", 0},
        {"SetFault.ExpectPreparationFailure", 0},
        {"SetFault.FailUserModeVAMapping", VIDMM_TEST_NO_USER_MODE_MAPPING},
        {"SetFault.NeverDiscardOfferedAllocation", VIDMM_TEST_NEVER_DISCARD},
        {"SetFault.AlwaysDiscardOfferedAllocation", VIDMM_TEST_ALWAYS_DISCARD},
    };
    ULONG value = escape->SetFault.Value;
    uint32_t wanted = 0;

    if (escape->SetFault.Reserved != 0)
        return vidmm_thunk_refuse("SetFault is 0x%x, which has reserved bits set", (unsigned)value);
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if ((value >> i & 1) != 0 && faults[i].fault == 0)
            return unbuilt(process, faults[i].name);
        wanted |= (value >> i & 1) != 0 ? faults[i].fault : 0;
    }
    if (escape->SetFault.NeverDiscardOfferedAllocation &&
        escape->SetFault.AlwaysDiscardOfferedAllocation)
        return vidmm_thunk_refuse("SetFault is 0x%x: NeverDiscardOfferedAllocation and "
                                  "AlwaysDiscardOfferedAllocation exclude each other",
                                  (unsigned)value);
    return vidmm_adapter_set_faults(adapter, wanted, vidmm_thunk_report());
}
