/* escape_vidmm.c: D3DKMT_ESCAPE_VIDMM: what tests ask the memory manager itself.
 *
 * The answers are the manager's own numbers.
 *
 * Source: D3DKMT_VIDMM_ESCAPE, D3DKMT_VIDMMESCAPETYPE; the meaning is that of names and members.
 */
#include "thunk/escape_vidmm.h"

#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/budget.h>
#include <vidmm/caps.h>
#include <vidmm/engine.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/d3dkmthk_adapter.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/d3dkmthk_escape.h>
#include <wddm/ntstatus.h>

#include "thunk/escape_defrag.h"
#include "thunk/escape_delay.h"
#include "thunk/escape_evict.h"
#include "thunk/escape_fault.h"
#include "thunk/escape_suspend.h"
#include "thunk/escape_test.h"
#include "thunk/escape_vads.h"
#include "thunk/process.h"
#include "thunk/query.h"

/* An escape under way: a copy of the program's. */
struct request {
    struct vidmm_thunk_process *process;
    struct vidmm_adapter *adapter;
    D3DKMT_VIDMM_ESCAPE escape;
};

/* ---- each by its own module ------------------------------------------------------------------ */

static NTSTATUS set_fault(struct request *request)
{
    return vidmm_escape_set_fault(request->adapter, &request->escape);
}

static NTSTATUS evict(struct request *request)
{
    return vidmm_escape_evict(request->process, request->adapter, &request->escape);
}

static NTSTATUS suspend(struct request *request)
{
    return vidmm_escape_suspend(request->process, request->adapter, &request->escape);
}

static NTSTATUS defragment(struct request *request)
{
    return vidmm_escape_defragment(request->process, request->adapter, &request->escape);
}

static NTSTATUS delay(struct request *request)
{
    return vidmm_escape_delay(request->process, request->adapter, &request->escape);
}

static NTSTATUS test(struct request *request)
{
    return vidmm_escape_test(request->process, request->adapter, &request->escape);
}

/* ---- budgets --------------------------------------------------------------------------------- */

static NTSTATUS check_budget(const char *member, uint64_t budget, uint64_t most)
{
    if (budget <= most || budget == UINT64_MAX)
        return STATUS_SUCCESS;
    return vidmm_thunk_refuse("SetBudget.%s is %llu; expected 0 to %llu, or all bits set", member,
                              (unsigned long long)budget, (unsigned long long)most);
}

/* All bits set: as much as the memory allows. Both budgets are judged before the first is set. */
static NTSTATUS set_budget(struct request *request)
{
    uint64_t local = request->escape.SetBudget.LocalMemoryBudget;
    uint64_t system = request->escape.SetBudget.SystemMemoryBudget;
    struct vidmm_adapter *adapter = request->adapter;
    D3DKMT_SEGMENTGROUPSIZEINFO sizes;
    NTSTATUS status;

    vidmm_query_group_sizes(adapter, &sizes);
    status = check_budget("LocalMemoryBudget", local, sizes.LocalMemory);
    if (status == STATUS_SUCCESS)
        status = check_budget("SystemMemoryBudget", system, sizes.NonLocalMemory);
    if (status == STATUS_SUCCESS)
        status = vidmm_set_budget(adapter, request->process->number, VIDMM_GROUP_LOCAL, local,
                                  vidmm_thunk_report());
    if (status == STATUS_SUCCESS)
        status = vidmm_set_budget(adapter, request->process->number, VIDMM_GROUP_NON_LOCAL, system,
                                  vidmm_thunk_report());
    return status;
}

static NTSTATUS get_budget(struct request *request)
{
    uint64_t above = 0;

    for (uint32_t group = VIDMM_GROUP_LOCAL; group <= VIDMM_GROUP_NON_LOCAL; group++) {
        struct vidmm_budget_info info;
        NTSTATUS status =
            vidmm_query_video_memory(request->adapter, request->process->number,
                                     (enum vidmm_segment_group)group, &info, vidmm_thunk_report());

        if (status != STATUS_SUCCESS)
            return status;
        if (info.usage > info.budget)
            above += info.usage - info.budget;
    }
    request->escape.GetBudget.NumBytesToTrim = above;
    return STATUS_SUCCESS;
}

/* ---- addresses and segments ------------------------------------------------------------------ */

static void describe_levels(const struct vidmm_adapter_caps *caps, DXGK_ESCAPE_GPUMMUCAPS *out)
{
    uint32_t shift = 0;

    for (uint32_t i = 0; i < caps->mmu.PageTableLevelCount; i++) {
        D3DKMT_PAGE_TABLE_LEVEL_DESC *level = &out->PageTableLevelDesk[i];

        level->IndexBitCount = caps->levels[i].PageTableIndexBitCount;
        level->IndexShift = shift;
        level->LowerLevelsMask = (UINT64_C(1) << shift) - 1;
        level->IndexMask = ((UINT64_C(1) << level->IndexBitCount) - 1) << shift;
        level->EntryCoverageInPages = UINT64_C(1) << shift;
        shift += level->IndexBitCount;
    }
}

/* Masks and shifts are of page numbers; level 0 is the leaf. */
static NTSTATUS get_gpummu_caps(struct request *request)
{
    D3DKMT_GET_GPUMMU_CAPS *answer = &request->escape.GetVads.GetGpuMmuCaps;
    DXGK_ESCAPE_GPUMMUCAPS *out = &answer->GpuMmuCaps;
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(request->adapter, &caps);
    if (answer->PhysicalAdapterIndex >= caps.physical_adapters)
        return vidmm_thunk_refuse("PhysicalAdapterIndex is %u; expected 0 to %u",
                                  answer->PhysicalAdapterIndex,
                                  (unsigned)caps.physical_adapters - 1);
    if (!caps.page_tables) {
        vidmm_thunk_refuse("hAdapter has no page tables of its own");
        return STATUS_NOT_SUPPORTED;
    }
    memset(out, 0, sizeof(*out));
    out->ReadOnlyMemorySupported = caps.mmu.ReadOnlyMemorySupported;
    out->NoExecuteMemorySupported = caps.mmu.NoExecuteMemorySupported;
    out->ZeroInPteSupported = caps.mmu.ZeroInPteSupported;
    out->CacheCoherentMemorySupported = caps.mmu.CacheCoherentMemorySupported;
    out->LargePageSupported = caps.mmu.LargePageSupported;
    out->DualPteSupported = caps.mmu.DualPteSupported;
    out->AllowNonAlignedLargePageAddress = caps.mmu.AllowNonAlignedLargePageAddress;
    out->VirtualAddressBitCount = caps.mmu.VirtualAddressBitCount;
    out->PageTableLevelCount = caps.mmu.PageTableLevelCount;
    describe_levels(&caps, out);
    return STATUS_SUCCESS;
}

static NTSTATUS get_segment_caps(struct request *request)
{
    D3DKMT_GET_SEGMENT_CAPS *answer = &request->escape.GetVads.GetSegmentCaps;
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(request->adapter, &caps);
    if (answer->PhysicalAdapterIndex >= caps.physical_adapters)
        return vidmm_thunk_refuse("PhysicalAdapterIndex is %u; expected 0 to %u",
                                  answer->PhysicalAdapterIndex,
                                  (unsigned)caps.physical_adapters - 1);
    answer->NumSegments = vidmm_adapter_segments(request->adapter);
    memset(answer->SegmentCaps, 0, sizeof(answer->SegmentCaps));
    for (uint32_t id = 1; id <= answer->NumSegments; id++) {
        D3DKMT_SEGMENT_CAPS *segment = &answer->SegmentCaps[id - 1];
        struct vidmm_segment_info info;
        DXGK_SEGMENTFLAGS flags;

        vidmm_adapter_segment(request->adapter, id, &info);
        flags.Value = info.flags;
        segment->Size = info.size;
        segment->PageSize = flags.Use64KBPages ? 0x10000 : 0x1000;
        segment->SegmentId = id;
        segment->bAperture = flags.Aperture || flags.Agp;
        segment->bReservedSysMem = flags.PopulatedFromSystemMemory;
        segment->BudgetGroup = vidmm_query_segment_group(&caps, flags);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS get_vads(struct request *request)
{
    NTSTATUS status;

    switch (request->escape.GetVads.Command) {
    case D3DKMT_VAD_ESCAPE_GETNUMVADS:
    case D3DKMT_VAD_ESCAPE_GETVAD:
    case D3DKMT_VAD_ESCAPE_GETVADRANGE:
    case D3DKMT_VAD_ESCAPE_GET_PTE:
        status = vidmm_escape_vads(request->adapter, request->process->number, &request->escape);
        break;
    case D3DKMT_VAD_ESCAPE_GET_GPUMMU_CAPS:
        status = get_gpummu_caps(request);
        break;
    case D3DKMT_VAD_ESCAPE_GET_SEGMENT_CAPS:
        status = get_segment_caps(request);
        break;
    default:
        return vidmm_thunk_refuse("GetVads.Command is %d; expected 0 to 5",
                                  (int)request->escape.GetVads.Command);
    }
    request->escape.GetVads.Status = status;
    return status;
}

/* ---- the manager itself ---------------------------------------------------------------------- */

static NTSTATUS wake(struct request *request)
{
    if (vidmm_adapter_wake(request->adapter, request->escape.Wake.bFlush != 0))
        return STATUS_SUCCESS;
    vidmm_thunk_refuse("Wake.bFlush is set, and there is work in flight all the time");
    return STATUS_TIMEOUT;
}

/* Segment 0 stands for all; the manager looks at everything in any case. */
static NTSTATUS validate_integrity(struct request *request)
{
    uint32_t id = request->escape.VerifyIntegrity.SegmentId;

    if (id > vidmm_adapter_segments(request->adapter))
        return vidmm_thunk_refuse("VerifyIntegrity.SegmentId is %u; expected 0 to %u", (unsigned)id,
                                  (unsigned)vidmm_adapter_segments(request->adapter));
    vidmm_adapter_check(request->adapter);
    return STATUS_SUCCESS;
}

/* ---- what is asked --------------------------------------------------------------------------- */

static NTSTATUS (*const types[])(struct request *request) = {
    [D3DKMT_VIDMMESCAPETYPE_SETFAULT] = set_fault,
    [D3DKMT_VIDMMESCAPETYPE_RUN_COHERENCY_TEST] = test,
    [D3DKMT_VIDMMESCAPETYPE_RUN_UNMAP_TO_DUMMY_PAGE_TEST] = test,
    [D3DKMT_VIDMMESCAPETYPE_APERTURE_CORRUPTION_CHECK] = test,
    [D3DKMT_VIDMMESCAPETYPE_SUSPEND_CPU_ACCESS_TEST] = test,
    [D3DKMT_VIDMMESCAPETYPE_EVICT] = evict,
    [D3DKMT_VIDMMESCAPETYPE_EVICT_BY_NT_HANDLE] = evict,
    [D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO] = get_vads,
    [D3DKMT_VIDMMESCAPETYPE_SET_BUDGET] = set_budget,
    [D3DKMT_VIDMMESCAPETYPE_SUSPEND_PROCESS] = suspend,
    [D3DKMT_VIDMMESCAPETYPE_RESUME_PROCESS] = suspend,
    [D3DKMT_VIDMMESCAPETYPE_GET_BUDGET] = get_budget,
    [D3DKMT_VIDMMESCAPETYPE_SET_TRIM_INTERVALS] = delay,
    [D3DKMT_VIDMMESCAPETYPE_EVICT_BY_CRITERIA] = evict,
    [D3DKMT_VIDMMESCAPETYPE_WAKE] = wake,
    [D3DKMT_VIDMMESCAPETYPE_DEFRAG] = defragment,
    [D3DKMT_VIDMMESCAPETYPE_DELAYEXECUTION] = delay,
    [D3DKMT_VIDMMESCAPETYPE_VALIDATE_INTEGRITY] = validate_integrity,
    [D3DKMT_VIDMMESCAPETYPE_SET_EVICTION_CONFIG] = delay,
};

enum { TYPES = sizeof(types) / sizeof(types[0]) };

NTSTATUS vidmm_escape_vidmm(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                            void *data, UINT size)
{
    struct request request = {.process = process, .adapter = adapter};
    NTSTATUS status;

    if (data == NULL)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL");
    if (size != sizeof(request.escape))
        return vidmm_thunk_refuse("PrivateDriverDataSize is %u; expected %u", size,
                                  (unsigned)sizeof(request.escape));
    memcpy(&request.escape, data, sizeof(request.escape));
    if ((UINT)request.escape.Type >= TYPES)
        return vidmm_thunk_refuse("the escape's Type is %d; expected 0 to %d",
                                  (int)request.escape.Type, TYPES - 1);
    status = types[request.escape.Type](&request);
    if (status == STATUS_SUCCESS)
        memcpy(data, &request.escape, sizeof(request.escape));
    return status;
}
