/* page_entries.c: entries of page tables, as DXGK_PTE says them. */
#include "vidmm/ddi/page_entries.h"

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/table_memory.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"

/* ---- room ------------------------------------------------------------------------------------ */

/* The most entries that a table has. */
static uint32_t most_entries(const struct vidmm_adapter *adapter)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    uint32_t most = adapter->miniport->tables.layout.levels[0].entries, level;

    for (level = 0; level < mmu->caps.PageTableLevelCount; level++)
        if (most < 1u << mmu->levels[level].PageTableIndexBitCount)
            most = 1u << mmu->levels[level].PageTableIndexBitCount;
    return most > mmu->root_entries ? most : mmu->root_entries;
}

bool vidmm_page_entries_init(struct vidmm_adapter *adapter)
{
    struct vidmm_miniport *miniport = adapter->miniport;

    if (adapter->model != VIDMM_MODEL_GPU_MMU)
        return true;
    miniport->entry_room = most_entries(adapter);
    miniport->entries = vidmm_allocate(adapter->host, 2 * (size_t)miniport->entry_room *
                                                          sizeof(*miniport->entries));
    if (!miniport->entries || vidmm_backing_init(&miniport->zeroes, adapter, VIDMM_PAGE_SIZE, false,
                                                 VIDMM_WRITE_COMBINED) != STATUS_SUCCESS)
        return false;
    vidmm_backing_reach(adapter, &miniport->zeroes);
    vidmm_backing_clear(&miniport->zeroes, adapter->host);
    return vidmm_table_window_init(adapter);
}

void vidmm_page_entries_finish(struct vidmm_adapter *adapter)
{
    vidmm_table_window_finish(adapter);
    vidmm_backing_finish(&adapter->miniport->zeroes, adapter->host);
    vidmm_free(adapter->host, adapter->miniport->entries);
    adapter->miniport->entries = NULL;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* obeys W-011: page-frame numbers of the segment, or of the physical address */
static DXGK_PTE entry_for(uint32_t segment, uint64_t address)
{
    DXGK_PTE entry = {.Flags = 0};

    entry.Valid = 1;
    entry.Segment = segment & 31;
    entry.PageAddress = address >> VIDMM_PAGE_SHIFT;
    return entry;
}

/* An entry of a page without its place: the rest, as far as the caps know of it. */
static DXGK_PTE protection_of(const struct vidmm_adapter *adapter,
                              const struct vidmm_allocation *allocation, uint32_t access)
{
    const DXGK_GPUMMUCAPS *caps = &adapter->miniport->mmu.caps;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation ? allocation->flags : 0};
    DXGK_PTE entry = {.Flags = 0};

    entry.Valid = 1;
    entry.ReadOnly = caps->ReadOnlyMemorySupported && (access & VIDMM_ADDRESSES_WRITE) == 0;
    entry.NoExecute = caps->NoExecuteMemorySupported && (access & VIDMM_ADDRESSES_EXECUTE) == 0;
    entry.CacheCoherent = caps->CacheCoherentMemorySupported && flags.Cached;
    return entry;
}

/* A page of an allocation: `offset` bytes into it, which are at `place` of a memory segment, or in
 * its backing store, which an aperture would show too (W-015). */
static DXGK_PTE page_of(const struct vidmm_adapter *adapter,
                        const struct vidmm_allocation *allocation, struct vidmm_place place,
                        uint64_t offset, uint32_t access)
{
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[place.segment].info.flags};
    DXGK_PTE entry, protection = protection_of(adapter, allocation, access);

    if (place.segment != 0 && !flags.Aperture) {
        entry = entry_for(place.segment, place.offset);
        protection.CacheCoherent = 0;
        protection.PhysicalAdapterIndex = allocation->physical_adapter & 63u; /* obeys D-229 */
    } else {
        entry = entry_for(0, vidmm_backing_page(&allocation->backing, offset) << VIDMM_PAGE_SHIFT);
    }
    entry.Flags |= protection.Flags;
    return entry;
}

/* The allocation that the operation names; NULL: none, or it has gone. */
static struct vidmm_allocation *find_allocation(const struct vidmm_adapter *adapter,
                                                const struct vidmm_operation *operation)
{
    return vidmm_slot_find(&adapter->handles, operation->allocation - 1, VIDMM_HANDLE_ALLOCATION);
}

/* An entry above a leaf; of a large page, of `allocation`. */
static void fill_in_above(struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                          const struct vidmm_operation *operation, DXGK_PTE *entry)
{
    struct vidmm_table_memory child;

    switch ((enum vidmm_entry_kind)operation->entry.entry) {
    case VIDMM_ENTRY_IS_INVALID:
        *entry = (DXGK_PTE){.Flags = 0}; /* obeys D-122 */
        break;
    case VIDMM_ENTRY_IS_ZERO: /* of all addresses below it */
        VIDMM_ASSERT(adapter->miniport->mmu.caps.ZeroInPteSupported);
        *entry = protection_of(adapter, NULL, 0);
        entry->Zero = 1;
        break;
    case VIDMM_ENTRY_IS_PAGES:
        VIDMM_ASSERT(allocation);
        *entry = page_of(adapter, allocation, operation->entry.place, operation->entry.offset,
                         operation->entry.access);
        entry->LargePage = 1; /* obeys D-123 */
        break;
    case VIDMM_ENTRY_IS_TABLES:
        vidmm_table_memory_known(adapter, operation->entry.table, operation->entry.place, &child);
        *entry = entry_for(child.segment, child.offset);
        entry->PageTablePageSize =
            operation->entry.wide ? DXGK_PTE_PAGE_TABLE_PAGE_64KB : DXGK_PTE_PAGE_TABLE_PAGE_4KB;
        break;
    }
}

void vidmm_page_entries_note(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    uint32_t room = adapter->miniport->entry_room;

    VIDMM_ASSERT(operation->entry.index < room);
    fill_in_above(
        adapter, find_allocation(adapter, operation), operation,
        &adapter->miniport->entries[operation->entry.index + (operation->entry.second ? room : 0)]);
}

/* Pages of an allocation, in its order (D-117). */
static void fill_in_pages(const struct vidmm_adapter *adapter,
                          const struct vidmm_allocation *allocation,
                          const struct vidmm_operation *operation, DXGK_PTE *entries)
{
    uint64_t page = VIDMM_PAGE_SIZE << ((operation->table.flags & VIDMM_PAGING_WIDE) != 0 ? 4 : 0);
    struct vidmm_place place = operation->table.place;
    uint64_t offset = operation->table.offset;
    uint32_t index;

    VIDMM_ASSERT(allocation && offset % VIDMM_PAGE_SIZE == 0);
    for (index = 0; index < operation->table.count; index++) {
        entries[index] = page_of(adapter, allocation, place, offset, operation->table.access);
        place.offset += page;
        offset += page;
    }
}

/* Zeroes are read there, and what is written is lost. If no entry can say so, it is a page of
 * zeroes, which has to be protected (obeys D-122). */
static DXGK_PTE zero_entry(const struct vidmm_adapter *adapter,
                           const struct vidmm_operation *operation)
{
    const struct vidmm_miniport *miniport = adapter->miniport;
    DXGK_PTE protection = protection_of(adapter, NULL, operation->table.access), entry;

    if (miniport->mmu.caps.ZeroInPteSupported) {
        protection.Zero = 1;
        return protection;
    }
    VIDMM_ASSERT((operation->table.access & VIDMM_ADDRESSES_WRITE) == 0); /* so it is ReadOnly */
    entry = entry_for(0, vidmm_backing_address(&miniport->zeroes));
    entry.Flags |= protection.Flags;
    return entry;
}

/* The entries of a leaf, of which the first stands for all if it is no page. */
static void fill_in_leaf(const struct vidmm_adapter *adapter,
                         const struct vidmm_allocation *allocation,
                         const struct vidmm_operation *operation, DXGK_PTE *entries)
{
    VIDMM_ASSERT(operation->table.entry != VIDMM_ENTRY_IS_TABLES);
    if (operation->table.entry == VIDMM_ENTRY_IS_PAGES)
        fill_in_pages(adapter, allocation, operation, entries);
    else if (operation->table.entry == VIDMM_ENTRY_IS_ZERO)
        entries[0] = zero_entry(adapter, operation);
    else
        entries[0] = (DXGK_PTE){.Flags = 0};
}

DXGK_PTE *vidmm_page_entries_of(struct vidmm_adapter *adapter,
                                const struct vidmm_allocation *allocation,
                                const struct vidmm_operation *operation)
{
    DXGK_PTE *entries = adapter->miniport->entries;

    VIDMM_ASSERT(adapter->pumping && operation->table.operation == VIDMM_UPDATE_PAGE_TABLE);
    VIDMM_ASSERT(operation->table.first + operation->table.count <= adapter->miniport->entry_room);
    if (operation->table.entry == VIDMM_ENTRY_IS_TABLES)
        return entries + operation->table.first;
    fill_in_leaf(adapter, allocation, operation, entries);
    return entries;
}

DXGK_PTE *vidmm_page_entries_second(const struct vidmm_adapter *adapter,
                                    const struct vidmm_operation *operation)
{
    DXGK_PTE *entries = adapter->miniport->entries;

    if (!adapter->miniport->mmu.caps.DualPteSupported || operation->table.level > 1)
        return NULL;
    if (operation->table.level == 0)
        return (operation->table.flags & VIDMM_PAGING_WIDE) != 0 ? entries : NULL;
    return operation->table.entry == VIDMM_ENTRY_IS_TABLES
               ? entries + adapter->miniport->entry_room + operation->table.first
               : entries;
}

void vidmm_page_entries_tell(struct vidmm_adapter *adapter, const struct vidmm_operation *told,
                             DXGK_PTE *entry)
{
    const struct vidmm_allocation *allocation = find_allocation(adapter, told);
    bool leaf = told->kind == VIDMM_DO_BUILD;
    uint32_t kind = leaf ? told->table.entry : told->entry.entry;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    *entry = (DXGK_PTE){.Flags = 0};
    if (kind == VIDMM_ENTRY_IS_PAGES && !allocation)
        return;
    if (leaf)
        fill_in_leaf(adapter, allocation, told, entry);
    else if (kind != VIDMM_ENTRY_IS_TABLES ||
             vidmm_table_memory_is_known(adapter, told->entry.table, told->entry.place))
        fill_in_above(adapter, allocation, told, entry);
}
