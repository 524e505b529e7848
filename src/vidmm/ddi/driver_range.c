/* driver_range.c: addresses that the miniport reserves for itself in a process.
 *
 * The miniport is in a call for the process meanwhile, so no other thread looks at its ranges.
 */
#include "vidmm/ddi/driver_range.h"

#include <vidmm/page.h>
#include <wddm/d3dkmddi_callback.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/ddi/registry.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/process.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"
#include "wddm/rule.h"

#define GRANULE (UINT64_C(64) << 10)

/* Bytes of addresses that one leaf table translates. */
static uint64_t unit_of(const struct vidmm_adapter *adapter)
{
    uint64_t covered = VIDMM_PAGE_SIZE << adapter->miniport->mmu.levels[0].PageTableIndexBitCount;

    return covered > GRANULE ? covered : GRANULE;
}

/* The addresses that the miniport may have: [first, end). obeys D-225: the first 64 KiB are in a
 * leaf that is VidMm's */
static void find_limits(const struct vidmm_process *process, uint64_t *first, uint64_t *end)
{
    struct vidmm_adapter *adapter = process->adapter;

    *first = unit_of(adapter);
    *end = vidmm_ddi_addresses_end(adapter);
    if (process->system) {
        *first = vidmm_paging_tables_used(adapter);
        *end = adapter->miniport->tables.layout.end;
    }
}

const struct vidmm_driver_range *vidmm_driver_range_at(const struct vidmm_process *process,
                                                       uint64_t start, uint64_t end)
{
    uint32_t index;

    for (index = 0; index < process->range_count; index++)
        if (process->ranges[index].start < end && start < process->ranges[index].end)
            return &process->ranges[index];
    return NULL;
}

/* The lowest address where the range may be; 0: there is none. */
static uint64_t find_place(const struct vidmm_process *process, uint64_t size, uint64_t alignment)
{
    const struct vidmm_driver_range *met;
    uint64_t first, end, start;

    find_limits(process, &first, &end);
    start = (first + alignment - 1) / alignment * alignment;
    while (start < end && size <= end - start) {
        met = vidmm_driver_range_at(process, start, start + size);
        if (!met)
            return start;
        start = (met->end + alignment - 1) / alignment * alignment;
    }
    return 0;
}

/* Whether [base, base + size) may be the miniport's. */
static bool is_free(const struct vidmm_process *process, uint64_t base, uint64_t size)
{
    uint64_t first, end;

    find_limits(process, &first, &end);
    return base >= first && base < end && size <= end - base &&
           !vidmm_driver_range_at(process, base, base + size);
}

static NTSTATUS refuse(struct vidmm_adapter *adapter, enum vidmm_rule_id rule, const char *what,
                       uint64_t value)
{
    vidmm_seen(adapter, rule, what, value);
    return STATUS_INVALID_PARAMETER;
}

VIDMM_SEES(D_225);
static NTSTATUS check_range(struct vidmm_adapter *adapter,
                            const DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE *arguments)
{
    uint64_t unit = unit_of(adapter);
    uint32_t alignment = arguments->Alignment;

    if (arguments->SizeInBytes == 0 || arguments->SizeInBytes % unit != 0)
        return refuse(adapter, VIDMM_RULE_D_225, "SizeInBytes", arguments->SizeInBytes);
    if (alignment % unit != 0 || (alignment & (alignment - 1)) != 0)
        return refuse(adapter, VIDMM_RULE_D_225, "Alignment", alignment);
    if (arguments->BaseAddress % unit != 0 ||
        (alignment != 0 && arguments->BaseAddress % alignment != 0))
        return refuse(adapter, VIDMM_RULE_D_225, "BaseAddress", arguments->BaseAddress);
    return STATUS_SUCCESS;
}

/* The process, if the miniport may reserve addresses of it now. */
VIDMM_SEES(D_391);
static NTSTATUS find_process(struct vidmm_adapter *adapter,
                             const DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE *arguments,
                             struct vidmm_process **found)
{
    struct vidmm_process *process =
        vidmm_registry_find_in(adapter, arguments->hDxgkProcess, VIDMM_HANDLE_PROCESS);

    *found = process;
    if (!process)
        return refuse(adapter, VIDMM_RULE_D_225, "hDxgkProcess",
                      (uintptr_t)arguments->hDxgkProcess);
    if (!process->in_creation)
        return refuse(adapter, process->system ? VIDMM_RULE_D_391 : VIDMM_RULE_D_225,
                      "hDxgkProcess, of a process that is not being created,", process->handle);
    return adapter->model == VIDMM_MODEL_GPU_MMU &&
                   (process->system || vidmm_ddi_has_addresses(adapter))
               ? STATUS_SUCCESS
               : STATUS_NOT_SUPPORTED;
}

NTSTATUS vidmm_ddi_reserve_addresses(struct vidmm_adapter *adapter,
                                     DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE *arguments)
{
    uint64_t start = arguments->BaseAddress, size = arguments->SizeInBytes;
    struct vidmm_process *process;
    NTSTATUS status = find_process(adapter, arguments, &process);

    arguments->StartVirtualAddress = 0;
    if (status == STATUS_SUCCESS)
        status = check_range(adapter, arguments);
    if (status != STATUS_SUCCESS)
        return status;
    if (start == 0) {
        start = find_place(process, size,
                           arguments->Alignment ? arguments->Alignment : unit_of(adapter));
    } else if (!is_free(process, start, size)) {
        return refuse(adapter, VIDMM_RULE_D_225, "BaseAddress", start);
    }
    if (start == 0 || process->range_count == VIDMM_DRIVER_RANGES)
        return STATUS_NO_MEMORY;
    process->ranges[process->range_count++] = (struct vidmm_driver_range){
        .start = start, .end = start + size, .mappable = arguments->AllowUserModeMapping};
    arguments->StartVirtualAddress = start;
    return STATUS_SUCCESS;
}
