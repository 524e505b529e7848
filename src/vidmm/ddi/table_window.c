/* table_window.c: page tables of programs as the GPU writes them by address. */
#include "vidmm/ddi/table_window.h"

#include <string.h>

#include <vidmm/page.h>
#include <vidmm/plan.h>

#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/ddi/table_memory.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/process.h"

#include "base/assert.h"

#define SHOWN_STAGE 2u

static struct vidmm_table_window *window_of(struct vidmm_adapter *adapter)
{
    return &adapter->miniport->window;
}

uint64_t vidmm_table_window_size(const struct vidmm_adapter *adapter)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    uint64_t size = VIDMM_PAGE_SIZE;
    uint32_t level;

    if (mmu->caps.PageTableUpdateMode != DXGK_PAGETABLEUPDATE_GPU_VIRTUAL)
        return 0;
    for (level = 0; level < mmu->caps.PageTableLevelCount; level++)
        while (size < mmu->levels[level].PageTableSizeInBytes)
            size *= 2;
    while (size < vidmm_ddi_wide_size(adapter))
        size *= 2;
    return size;
}

bool vidmm_table_window_init(struct vidmm_adapter *adapter)
{
    struct vidmm_table_window *window = window_of(adapter);
    uint64_t pages = window->size >> VIDMM_PAGE_SHIFT;

    memset(window->shown, 0, sizeof(window->shown));
    if (window->address == 0)
        return true;
    window->entries = vidmm_allocate(adapter->host, pages * sizeof(*window->entries));
    return window->entries != NULL;
}

void vidmm_table_window_finish(struct vidmm_adapter *adapter)
{
    vidmm_free(adapter->host, window_of(adapter)->entries);
    window_of(adapter)->entries = NULL;
}

void vidmm_table_window_forget(struct vidmm_adapter *adapter)
{
    uint32_t engine;

    for (engine = 0; engine < VIDMM_LINKS; engine++) {
        struct vidmm_table_shown *shown = &window_of(adapter)->shown[engine];

        *shown = (struct vidmm_table_shown){.mapped = shown->mapped};
    }
}

/* Bytes of the table that the operation writes. */
static uint64_t size_of(const struct vidmm_adapter *adapter,
                        const struct vidmm_operation *operation)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    uint32_t level = operation->table.level;

    return level + 1 == mmu->caps.PageTableLevelCount ? mmu->root_size
                                                      : mmu->levels[level].PageTableSizeInBytes;
}

/* The window of a physical adapter shows a table in its own memory (D-228). */
static void fill_mapping(struct vidmm_adapter *adapter, uint32_t engine, uint64_t size,
                         DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    struct vidmm_table_window *window = window_of(adapter);
    const struct vidmm_table_shown *shown = &window->shown[engine];
    DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;
    uint32_t leaf_entries = adapter->miniport->tables.layout.levels[0].entries, index;
    struct vidmm_table_memory leaf;

    vidmm_paging_table_find(adapter, 0, window->address, &leaf);
    for (index = 0; index < size >> VIDMM_PAGE_SHIFT; index++) {
        window->entries[index] = (DXGK_PTE){.Flags = 0};
        window->entries[index].Valid = 1;
        window->entries[index].Segment = shown->segment & 31;
        window->entries[index].PhysicalAdapterIndex = engine & 63u;
        window->entries[index].PageAddress = (shown->offset >> VIDMM_PAGE_SHIFT) + index;
    }
    arguments->Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE;
    update->PageTableAddress.GpuVirtual = leaf.gpu;
    update->pPageTableEntries = window->entries;
    update->StartIndex = (UINT)((window->address >> VIDMM_PAGE_SHIFT) % leaf_entries);
    update->NumPageTableEntries = (UINT)(size >> VIDMM_PAGE_SHIFT);
    update->hProcess = adapter->system_process->h_process;
    update->UpdateMode = DXGK_PAGETABLEUPDATE_GPU_VIRTUAL;
    update->FirstPteVirtualAddress = window->address;
}

static void fill_flush(struct vidmm_adapter *adapter, uint64_t size,
                       DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const struct vidmm_table_window *window = window_of(adapter);
    DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flush = &arguments->FlushTlb;
    struct vidmm_table_memory root;

    vidmm_paging_table_find(adapter, adapter->miniport->mmu.caps.PageTableLevelCount - 1, 0, &root);
    arguments->Operation = DXGK_OPERATION_FLUSH_TLB;
    flush->RootPageTableAddress.SegmentId = root.segment;
    flush->RootPageTableAddress.SegmentOffset = root.offset;
    flush->hProcess = adapter->system_process->h_process;
    flush->StartVirtualAddress = window->address;
    flush->EndVirtualAddress = window->address + size;
}

bool vidmm_table_window_fill(struct vidmm_adapter *adapter, uint32_t engine,
                             const struct vidmm_operation *operation,
                             DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    struct vidmm_table_window *window = window_of(adapter);
    struct vidmm_table_shown *shown = &window->shown[engine];
    struct vidmm_table_memory table;

    if (window->address == 0 || operation->table.operation != VIDMM_UPDATE_PAGE_TABLE ||
        operation->table.process == adapter->system_process->id)
        return false;
    vidmm_table_memory_find(adapter, operation->table.table, operation->table.at, &table);
    if (table.segment != shown->segment || table.offset != shown->offset) {
        shown->segment = table.segment;
        shown->offset = table.offset;
        shown->stage = 0;
    }
    if (shown->stage == SHOWN_STAGE)
        return false;
    if (shown->stage == 0)
        fill_mapping(adapter, engine, size_of(adapter, operation), arguments);
    else
        fill_flush(adapter, size_of(adapter, operation), arguments);
    return true;
}

void vidmm_table_window_advance(struct vidmm_adapter *adapter, uint32_t engine)
{
    struct vidmm_table_shown *shown = &window_of(adapter)->shown[engine];
    bool kept = shown->mapped || !adapter->miniport->mmu.caps.InvalidTlbEntriesNotCached;

    VIDMM_ASSERT(shown->stage < SHOWN_STAGE);
    shown->stage = kept ? shown->stage + 1 : SHOWN_STAGE; /* obeys D-128 */
    shown->mapped = true;
}
