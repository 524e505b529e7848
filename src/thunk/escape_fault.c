/* escape_fault.c: faults, by their bits. */
#include "thunk/escape_fault.h"

#include <stddef.h>

#include <vidmm/adapter.h>
#include <vidmm/test_fault.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

NTSTATUS vidmm_escape_set_fault(struct vidmm_adapter *adapter, const D3DKMT_VIDMM_ESCAPE *escape)
{
    static const uint32_t faults[] = {
        VIDMM_TEST_PROBE_AND_LOCK,       /* ProbeAndLock */
        VIDMM_TEST_SPLIT_POINT,          /* SplitPoint */
        VIDMM_TEST_NO_DEMOTION,          /* NoDemotion */
        VIDMM_TEST_NO_SWIZZLING,         /* SwizzlingAperture */
        VIDMM_TEST_SUB_RANGES,           /* PagingPathLockSubRange */
        VIDMM_TEST_MIN_RANGES,           /* PagingPathLockMinRange */
        VIDMM_TEST_COMPLEX_LOCK,         /* ComplexLock */
        VIDMM_TEST_NO_VA_ROTATION,       /* FailVARotation */
        VIDMM_TEST_NO_WRITE_COMBINED,    /* NoWriteCombined */
        VIDMM_TEST_NO_PRE_PATCHING,      /* NoPrePatching */
        0,                               /* AlwaysRepatch: every packet is patched anyway */
        0,                               /* ExpectPreparationFailure: it fails a device anyway */
        VIDMM_TEST_NO_USER_MODE_MAPPING, /* FailUserModeVAMapping */
        VIDMM_TEST_NEVER_DISCARD,        /* NeverDiscardOfferedAllocation */
        VIDMM_TEST_ALWAYS_DISCARD,       /* AlwaysDiscardOfferedAllocation */
    };
    ULONG value = escape->SetFault.Value;
    uint32_t wanted = 0;

    if (escape->SetFault.Reserved != 0)
        return vidmm_thunk_refuse("SetFault is 0x%x, which has reserved bits set", (unsigned)value);
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        wanted |= (value >> i & 1) != 0 ? faults[i] : 0;
    if (escape->SetFault.NeverDiscardOfferedAllocation &&
        escape->SetFault.AlwaysDiscardOfferedAllocation)
        return vidmm_thunk_refuse("SetFault is 0x%x: NeverDiscardOfferedAllocation and "
                                  "AlwaysDiscardOfferedAllocation exclude each other",
                                  (unsigned)value);
    return vidmm_adapter_set_faults(adapter, wanted, vidmm_thunk_report());
}
