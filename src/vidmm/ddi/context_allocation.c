/* context_allocation.c: DxgkCbCreateContextAllocation, DxgkCbUpdateContextAllocation and
 * DxgkCbDestroyContextAllocation: the miniport's request, judged.
 *
 * Source: DXGKCB_CREATECONTEXTALLOCATION, DXGKCB_DESTROYCONTEXTALLOCATION,
 * DXGKARGCB_CREATECONTEXTALLOCATION, DXGK_CREATECONTEXTALLOCATIONFLAGS,
 * DXGKCB_UPDATECONTEXTALLOCATION; rules D-137 to D-140.
 */
#include "vidmm/ddi/context_allocation.h"

#include <wddm/d3dkmddi_callback.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/above.h"
#include "vidmm/ddi/registry.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

static NTSTATUS refuse(struct vidmm_context_allocation_wish *asked, NTSTATUS status,
                       const char *what, uint64_t value, const char *legal)
{
    return vidmm_report_refusal(asked->refusal, status, what, value, legal);
}

/* For who waits for the driver's answer. Several threads may be in DxgkDdiCreateContext, with
 * contexts of one device. */
static void keep_refusal(struct vidmm_adapter *adapter,
                         const struct vidmm_context_allocation_wish *asked)
{
    VIDMM_ASSERT(!asked->context || asked->device == asked->context->device);
    vidmm_adapter_lock(adapter);
    if (asked->context && asked->context->refusal)
        *asked->context->refusal = *asked->refusal;
    else if (asked->device)
        asked->device->refusal = *asked->refusal;
    vidmm_adapter_unlock(adapter);
}

/* Its owner. */
VIDMM_SEES(D_139);
static NTSTATUS find_owner(struct vidmm_adapter *adapter,
                           const DXGKARGCB_CREATECONTEXTALLOCATION *arguments,
                           struct vidmm_context_allocation_wish *asked)
{
    bool shared = arguments->ContextAllocationFlags.SharedAcrossContexts;

    asked->device = vidmm_registry_find_in(adapter, arguments->hDevice, VIDMM_HANDLE_DEVICE);
    if (!asked->device || asked->device->system) {
        return refuse(asked, STATUS_INVALID_PARAMETER, "hDevice", (uintptr_t)arguments->hDevice,
                      "the handle that DxgkDdiCreateDevice was given, of no system device");
    }
    if (shared && arguments->hContext) {
        if (vidmm_breach_is_refused(adapter, VIDMM_RULE_D_139, false, "hContext",
                                    (uintptr_t)arguments->hContext, asked->refusal))
            return STATUS_INVALID_PARAMETER;
        vidmm_seen(adapter, VIDMM_RULE_D_139, "hContext", (uintptr_t)arguments->hContext);
    }
    if (shared)
        return STATUS_SUCCESS;
    asked->context = vidmm_registry_find_in(adapter, arguments->hContext, VIDMM_HANDLE_CONTEXT);
    if (!asked->context || asked->context->device != asked->device) {
        asked->context = NULL;
        return refuse(asked, STATUS_INVALID_PARAMETER, "hContext", (uintptr_t)arguments->hContext,
                      "the handle that DxgkDdiCreateContext was given, of a context of hDevice");
    }
    if (asked->context->companion) {
        asked->context = NULL;
        return refuse(asked, STATUS_NOT_SUPPORTED, "hContext", (uintptr_t)arguments->hContext,
                      "no companion context: it runs without what residency lists name");
    }
    return STATUS_SUCCESS;
}

/* No context allocation is locked by a program, scanned out, or somebody's memory. */
static NTSTATUS check_flags(const struct vidmm_adapter *adapter, DXGK_ALLOCATIONINFOFLAGS flags,
                            struct vidmm_context_allocation_wish *asked)
{
    DXGK_ALLOCATIONINFOFLAGS legal = {.CpuVisible = 1,
                                      .Cached = 1,
                                      .Protected = 1,
                                      .FromEndOfSegment = 1,
                                      .SynchronousPaging = 1};
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 newer = {.CpuVisible = 1,
                                              .Cached = 1,
                                              .Protected = 1,
                                              .FromEndOfSegment = 1,
                                              .AccessedPhysically = 1,
                                              .ExplicitResidencyNotification = 1};

    if (adapter->level >= VIDMM_LEVEL(2, 0)) {
        return (flags.Value & ~newer.Value) == 0
                   ? STATUS_SUCCESS
                   : refuse(asked, STATUS_INVALID_PARAMETER, "Flags of a context allocation",
                            flags.Value,
                            "CpuVisible, Cached, Protected, FromEndOfSegment, AccessedPhysically, "
                            "ExplicitResidencyNotification");
    }
    return (flags.Value & ~legal.Value) == 0
               ? STATUS_SUCCESS
               : refuse(asked, STATUS_INVALID_PARAMETER, "Flags of a context allocation",
                        flags.Value,
                        "CpuVisible, Cached, Protected, FromEndOfSegment, SynchronousPaging");
}

/* A GPU with page tables reaches system memory by its page tables alone (W-015): what it uses by
 * segment address is in a memory segment. */
static NTSTATUS check_segments(const struct vidmm_adapter *adapter,
                               struct vidmm_context_allocation_wish *asked)
{
    uint32_t set = asked->info.SupportedWriteSegmentSet;

    if (adapter->model != VIDMM_MODEL_GPU_MMU || set == 0)
        return STATUS_SUCCESS;
    if ((set & ~adapter->sets.apertures) == 0) {
        return refuse(asked, STATUS_NOT_SUPPORTED, "SupportedSegmentSet", set,
                      "a memory segment too, on a GPU with page tables of its own");
    }
    asked->info.SupportedReadSegmentSet = asked->info.SupportedWriteSegmentSet =
        set & ~adapter->sets.apertures;
    return STATUS_SUCCESS;
}

static NTSTATUS check(struct vidmm_adapter *adapter,
                      const DXGKARGCB_CREATECONTEXTALLOCATION *arguments,
                      struct vidmm_context_allocation_wish *asked)
{
    NTSTATUS status = find_owner(adapter, arguments, asked);

    if (status != STATUS_SUCCESS)
        return status;
    if (adapter->model == VIDMM_MODEL_IO_MMU) {
        return refuse(asked, STATUS_NOT_SUPPORTED, "IoMmuSupported", 1,
                      "allocations of a GPU with the CPU's page tables are not supported by this "
                      "version");
    }
    if ((arguments->ContextAllocationFlags.Value & ~1u) != 0) {
        return refuse(asked, STATUS_INVALID_PARAMETER, "ContextAllocationFlags",
                      arguments->ContextAllocationFlags.Value,
                      "SharedAcrossContexts (1) or 0; MapGpuVirtualAddress (2) is not supported "
                      "by this version");
    }
    status = check_flags(adapter, arguments->Flags, asked);
    if (status != STATUS_SUCCESS)
        return status;
    if (vidmm_adapter_is_linked(adapter)) {
        return refuse(asked, STATUS_NOT_SUPPORTED, "physical adapters", adapter->link_count,
                      "context allocations of a link are not supported by this version");
    }
    asked->info = (DXGK_ALLOCATIONINFO){
        .Size = arguments->Size,
        .Alignment = arguments->Alignment,
        .SupportedReadSegmentSet = arguments->SupportedSegmentSet,
        .SupportedWriteSegmentSet = arguments->SupportedSegmentSet,
        .EvictionSegmentSet = arguments->EvictionSegmentSet,
        .PreferredSegment = arguments->PreferredSegment,
        .HintedBank = arguments->HintedBank,
        .Flags = arguments->Flags,
        .AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL,
        .hAllocation = arguments->hDriverAllocation,
    };
    if (adapter->level >= VIDMM_LEVEL(2, 0))
        asked->info.PhysicalAdapterIndex = arguments->PhysicalAdapterIndex;
    return check_segments(adapter, asked);
}

NTSTATUS vidmm_ddi_create_context_allocation(struct vidmm_adapter *adapter,
                                             DXGKARGCB_CREATECONTEXTALLOCATION *arguments)
{
    struct vidmm_allocation *allocation = NULL;
    struct vidmm_report refusal = {0};
    struct vidmm_context_allocation_wish asked = {.refusal = &refusal};
    NTSTATUS status;

    if (adapter->level < VIDMM_LEVEL(1, 2))
        return STATUS_NOT_SUPPORTED;
    status = check(adapter, arguments, &asked);
    if (status == STATUS_SUCCESS)
        status = adapter->above->create_context_allocation(&asked, &allocation);
    if (status == STATUS_SUCCESS)
        arguments->hAllocation = (HANDLE)(uintptr_t)vidmm_allocation_handle(allocation);
    else
        keep_refusal(adapter, &asked);
    return status;
}

NTSTATUS vidmm_ddi_destroy_context_allocation(struct vidmm_adapter *adapter, HANDLE handle)
{
    struct vidmm_allocation *allocation =
        vidmm_registry_find_in(adapter, handle, VIDMM_HANDLE_ALLOCATION);

    VIDMM_ASSERT(adapter->above);
    return allocation ? adapter->above->destroy_context_allocation(allocation)
                      : STATUS_INVALID_PARAMETER;
}

NTSTATUS vidmm_ddi_update_context_allocation(struct vidmm_adapter *adapter,
                                             const DXGKARGCB_UPDATECONTEXTALLOCATION *arguments)
{
    struct vidmm_allocation *allocation =
        vidmm_registry_find_in(adapter, arguments->hAllocation, VIDMM_HANDLE_ALLOCATION);

    VIDMM_ASSERT(adapter->above);
    if (!allocation || (!arguments->pPrivateDriverData && arguments->PrivateDriverDataSize != 0))
        return STATUS_INVALID_PARAMETER;
    return adapter->above->update_context_allocation(allocation, arguments->pPrivateDriverData,
                                                     arguments->PrivateDriverDataSize);
}
