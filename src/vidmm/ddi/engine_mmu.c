/* engine_mmu.c: a GPU's page tables, as the engine is told of them.
 *
 * Source: DXGK_GPUMMUCAPS, DXGK_PAGE_TABLE_LEVEL_DESC, DXGKDDI_GETROOTPAGETABLESIZE; rules D-134,
 * D-135, D-225, W-010.
 */
#include "vidmm/ddi/engine_mmu.h"

#include <string.h>

#include <vidmm/page.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/object/facts.h"

#include "wddm/level.h"

#define ADDRESS_BITS 57u                   /* of what the engine hands out, at most */
#define FIRST_ADDRESS (UINT64_C(64) << 10) /* obeys W-010, D-225 */
#define WIDE_BITS 4u /* a page of 64 KiB is so many entries of a leaf of 4 KiB */
#define GRANULE (UINT64_C(64) << 10)
#define RESIZED_BITS 20u /* a root of two levels has 2^20 entries at most */

/* Bits that the levels below the root translate, and the page. */
static uint32_t bits_below_root(const struct vidmm_mmu *mmu)
{
    uint32_t bits = VIDMM_PAGE_SHIFT, level;

    for (level = 0; level + 1 < mmu->caps.PageTableLevelCount; level++)
        bits += mmu->levels[level].PageTableIndexBitCount;
    return bits;
}

static uint32_t ask_root_size(struct vidmm_adapter *adapter, uint32_t entries)
{
    DXGKARG_GETROOTPAGETABLESIZE arguments;

    memset(&arguments, 0, sizeof(arguments));
    arguments.NumberOfPte = entries;
    return (uint32_t)adapter->miniport->driver.DxgkDdiGetRootPageTableSize(
        adapter->miniport->h_adapter, &arguments);
}

/* Whether a root of so many bytes has a place where the driver wants it. */
static bool has_place(const struct vidmm_adapter *adapter, uint32_t size, uint32_t segment)
{
    if (size == 0 || size % VIDMM_PAGE_SIZE != 0)
        return false;
    return segment == 0 ? size <= VIDMM_PAGE_SIZE /* obeys D-135 */
                        : size <= adapter->segments[segment].info.size / 2;
}

/* With two levels the root has as many entries as addresses need, if its memory allows; with more
 * its size is the driver's. */
static void measure_root(struct vidmm_adapter *adapter, uint32_t bits)
{
    struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    const DXGK_PAGE_TABLE_LEVEL_DESC *root = &mmu->levels[mmu->caps.PageTableLevelCount - 1];
    uint32_t width = mmu->caps.VirtualAddressBitCount;
    uint32_t reach = (width < ADDRESS_BITS ? width : ADDRESS_BITS) - bits;

    if (mmu->caps.PageTableLevelCount != DXGK_MIN_PAGE_TABLE_LEVEL_COUNT) {
        mmu->root_entries = 1u << root->PageTableIndexBitCount;
        if (root->PageTableIndexBitCount > reach)
            mmu->root_entries = 1u << reach;
        mmu->root_size = root->PageTableSizeInBytes;
        return;
    }
    mmu->root_entries = 1u << (reach < RESIZED_BITS ? reach : RESIZED_BITS);
    mmu->root_size = ask_root_size(adapter, mmu->root_entries); /* obeys D-134 */
    while (mmu->root_entries > 8 && !has_place(adapter, mmu->root_size, root->PageTableSegmentId)) {
        mmu->root_entries /= 2;
        mmu->root_size = ask_root_size(adapter, mmu->root_entries);
    }
}

/* The sizes that a root of two levels may have. It begins as the largest that takes no more memory
 * than the smallest. */
static void measure_roots(struct vidmm_adapter *adapter, struct vidmm_engine_mmu *engine)
{
    uint32_t entries = engine->root_entries, step, segment = engine->table_segment[1];
    uint32_t first = ask_root_size(adapter, entries < 8 ? entries : 8);

    engine->root_least = entries;
    while (engine->root_least > 8 && ask_root_size(adapter, engine->root_least) != first)
        engine->root_least /= 2;
    for (step = 0; engine->root_least << step <= entries; step++) {
        engine->root_size[step] = ask_root_size(adapter, engine->root_least << step);
        if (!has_place(adapter, engine->root_size[step], segment)) {
            engine->root_least = 0; /* it has the one size that was found before */
            return;
        }
    }
}

/* The addresses of programs: as many as the levels translate, but those that stay unmapped. */
static uint64_t end_of_addresses(const struct vidmm_mmu *mmu, uint32_t bits)
{
    uint64_t end = (uint64_t)mmu->root_entries << bits;
    uint32_t width = mmu->caps.VirtualAddressBitCount;

    if (width < ADDRESS_BITS && end > UINT64_C(1) << width)
        end = UINT64_C(1) << width;
    return end / GRANULE * GRANULE;
}

/* Whether the GPU maps system memory by pages of 64 KiB. */
static bool has_wide_store(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->mmu.caps.SysMem64KBPageSupported &&
           adapter->level >= VIDMM_LEVEL(2, 1);
}

uint32_t vidmm_ddi_wide_size(const struct vidmm_adapter *adapter)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    uint32_t size = mmu->caps.LeafPageTableSizeFor64KPagesInBytes, id;

    if (mmu->levels[0].PageTableIndexBitCount < WIDE_BITS ||
        !has_place(adapter, size, mmu->levels[0].PageTableSegmentId))
        return 0;
    if (has_wide_store(adapter))
        return size;
    for (id = 1; id <= adapter->segment_count; id++) {
        DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

        if (flags.Use64KBPages && !flags.Aperture)
            return size;
    }
    return 0;
}

struct vidmm_units vidmm_ddi_system_units(const struct vidmm_adapter *adapter)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    struct vidmm_units units = {0, 0};

    if (!vidmm_ddi_has_addresses(adapter) || vidmm_adapter_is_linked(adapter))
        return units;
    if (mmu->caps.SysMemLargePageSupported && mmu->caps.LargePageSupported &&
        adapter->level >= VIDMM_LEVEL(2, 9))
        units.large = UINT64_C(1) << mmu->levels[0].PageTableIndexBitCount;
    if (has_wide_store(adapter) && vidmm_ddi_wide_size(adapter) != 0)
        units.wide = UINT64_C(1) << WIDE_BITS;
    return units;
}

enum vidmm_caching vidmm_ddi_table_caching(const struct vidmm_adapter *adapter)
{
    const DXGK_GPUMMUCAPS *caps = &adapter->miniport->mmu.caps;

    return caps->CachedPageTables && adapter->level >= VIDMM_LEVEL(3, 1) &&
                   caps->PageTableUpdateMode != DXGK_PAGETABLEUPDATE_GPU_VIRTUAL
               ? VIDMM_CACHED
               : VIDMM_WRITE_COMBINED;
}

uint64_t vidmm_ddi_addresses_end(const struct vidmm_adapter *adapter)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;

    return mmu->root_entries != 0 ? end_of_addresses(mmu, bits_below_root(mmu)) : 0;
}

bool vidmm_ddi_has_addresses(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->mmu.root_entries != 0;
}

bool vidmm_ddi_finds_by_address(const struct vidmm_adapter *adapter)
{
    return adapter->model == VIDMM_MODEL_IO_MMU || vidmm_ddi_has_addresses(adapter);
}

bool vidmm_ddi_fences_are_narrow(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->caps.SchedulingCaps.No64BitAtomics != 0;
}

bool vidmm_ddi_writes_tables_by_place(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->mmu.caps.PageTableUpdateMode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL;
}

bool vidmm_ddi_writes_fences(const struct vidmm_adapter *adapter)
{
    const struct vidmm_miniport *miniport = adapter->miniport;

    /* obeys D-145: no driver below 2.2 has that function */
    return miniport->driver.DxgkDdiSubmitCommandToHwQueue && vidmm_ddi_has_addresses(adapter) &&
           !vidmm_adapter_is_linked(adapter) && !vidmm_ddi_fences_are_narrow(adapter) &&
           !miniport->refuses_signals;
}

struct vidmm_engine_mmu vidmm_ddi_engine_mmu(struct vidmm_adapter *adapter)
{
    struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    const DXGK_GPUMMUCAPS *caps = &mmu->caps;
    uint32_t bits = bits_below_root(mmu), count = caps->PageTableLevelCount, level;
    struct vidmm_engine_mmu engine = {.levels = 0};

    if (adapter->model != VIDMM_MODEL_GPU_MMU || bits >= ADDRESS_BITS ||
        caps->VirtualAddressBitCount <= bits ||
        (caps->PageTableUpdateMode == DXGK_PAGETABLEUPDATE_GPU_VIRTUAL &&
         adapter->miniport->window.address == 0))
        return engine;
    measure_root(adapter, bits);
    engine = (struct vidmm_engine_mmu){
        .levels = count,
        .root_entries = mmu->root_entries,
        .low = FIRST_ADDRESS,
        .high = end_of_addresses(mmu, bits),
        .scratch = adapter->miniport->tables.scratch,
        .written_at_once = caps->PageTableUpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL,
        .zero_entries = caps->ZeroInPteSupported,
        .invalid_not_cached = caps->InvalidTlbEntriesNotCached,
        .explicit_invalidation = caps->ExplicitPageTableInvalidation,
        .idle_updates = caps->PageTableUpdateRequireAddressSpaceIdle,
        .wide_size = vidmm_ddi_wide_size(adapter),
        .pairs = caps->DualPteSupported && vidmm_ddi_wide_size(adapter) != 0,
        .wide_scratch = adapter->miniport->tables.wide_scratch,
        /* They came with 2.1, whatever a driver of 2.0 says. obeys S3-019 */
        .large_pages = caps->LargePageSupported && adapter->level >= VIDMM_LEVEL(2, 1),
        .unaligned_large = caps->AllowNonAlignedLargePageAddress,
        .contiguous = adapter->options.contiguous,
        .adapters = vidmm_adapter_is_linked(adapter) ? adapter->link_count : 0,
    };
    if (vidmm_adapter_is_linked(adapter)) {
        engine.wide_size = 0; /* what one adapter maps by a larger page another may not map */
        engine.wide_scratch = engine.large_pages = engine.pairs = false;
    }
    for (level = 0; level < count; level++) {
        const DXGK_PAGE_TABLE_LEVEL_DESC *row = &mmu->levels[level];

        engine.index_bits[level] = level + 1 < count ? row->PageTableIndexBitCount : 0;
        engine.table_size[level] = level + 1 < count ? row->PageTableSizeInBytes : mmu->root_size;
        engine.table_alignment[level] = row->PageTableAlignmentInBytes;
        engine.table_segment[level] = row->PageTableSegmentId;
        engine.paging_segment[level] = row->PagingProcessPageTableSegmentId;
    }
    if (count == DXGK_MIN_PAGE_TABLE_LEVEL_COUNT && engine.adapters <= 1)
        measure_roots(adapter, &engine);
    return engine;
}
