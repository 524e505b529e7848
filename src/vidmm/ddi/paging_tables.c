/* paging_tables.c: the page tables of the paging process: their memory, and what is written to them
 * while the adapter starts.
 *
 * A page says that they cover 1 GiB. They cover less in a small segment: half as much, until they
 * take no more than an eighth of it. Nothing is submitted: the driver writes them with the CPU at
 * once (D-291), and a paging buffer is there all the same (W-005).
 *
 * Source: "System paging process"; DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE,
 * DXGKARG_SETROOTPAGETABLE, DXGKDDI_GETROOTPAGETABLESIZE; rules D-115, D-118, D-120, D-121, D-133,
 * D-134, D-264, D-290, D-291, W-004 to W-006, W-009 to W-011.
 */
#include "vidmm/ddi/paging_tables.h"

#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/context.h"
#include "vidmm/ddi/driver_range.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/host_aperture.h"
#include "vidmm/ddi/memory_range.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_memory.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/process.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/rule.h"

#define COVERED (UINT64_C(1) << 30)        /* bytes of addresses that the tables are to cover */
#define FIRST_ADDRESS (UINT64_C(64) << 10) /* obeys W-010 */
#define UNIT (UINT64_C(64) << 10)
#define PART 8u /* of a segment is the most that they take */
#define ENTRIES_AT_ONCE 512u
#define WIDE_SHIFT 4u /* a leaf of 64 KiB pages has a sixteenth of the entries */
#define PARTS 2u      /* of the scratch range, of each size of pages: from, and to */

static NTSTATUS refuse(struct vidmm_report *report, const char *what, uint64_t value,
                       const char *legal)
{
    return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, what, value, legal);
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static struct vidmm_paging_tables *tables_of(struct vidmm_adapter *adapter)
{
    return &adapter->miniport->tables;
}

/* ---- which there are ------------------------------------------------------------------------- */

/* obeys D-134: asked for with two levels only */
static uint32_t ask_root_size(struct vidmm_adapter *adapter, uint64_t end)
{
    DXGKARG_GETROOTPAGETABLESIZE arguments;
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;

    if (mmu->caps.PageTableLevelCount != DXGK_MIN_PAGE_TABLE_LEVEL_COUNT)
        return 0;
    memset(&arguments, 0, sizeof(arguments));
    arguments.NumberOfPte = (UINT)vidmm_table_layout_leaves(mmu->levels, end);
    return (uint32_t)adapter->miniport->driver.DxgkDdiGetRootPageTableSize(
        adapter->miniport->h_adapter, &arguments);
}

static bool is_too_large(const struct vidmm_adapter *adapter,
                         const struct vidmm_table_layout *layout)
{
    uint32_t id;

    for (id = 1; id <= adapter->segment_count; id++)
        if (layout->bytes[id] > adapter->segments[id].info.size / PART)
            return true;
    return false;
}

/* Cover as much as the segments have room for, and four leaf tables at least: what stays mapped,
 * and the two parts of the scratch range. */
static void make_layout(struct vidmm_adapter *adapter)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    struct vidmm_table_layout *layout = &tables_of(adapter)->layout;
    uint64_t least = UINT64_C(4) << (12 + mmu->levels[0].PageTableIndexBitCount);
    uint64_t end = COVERED > least ? COVERED : least;
    uint32_t width = mmu->caps.VirtualAddressBitCount;

    if (width < 62 && end > UINT64_C(1) << width)
        end = UINT64_C(1) << width;
    vidmm_table_layout_make(layout, &mmu->caps, mmu->levels, end, 0);
    while (is_too_large(adapter, layout) && end / 2 >= least) {
        end /= 2;
        vidmm_table_layout_make(layout, &mmu->caps, mmu->levels, end, 0);
    }
}

/* The lowest place in the segment where the tables meet nothing that is reserved. False: none. */
static bool find_base(const struct vidmm_adapter *adapter, uint32_t segment, uint64_t alignment,
                      uint64_t *base)
{
    const struct vidmm_table_layout *layout = &adapter->miniport->tables.layout;
    uint64_t bytes = layout->bytes[segment], size = adapter->segments[segment].info.size;
    const struct vidmm_reserved_range *range;

    *base = 0;
    while (*base <= size && bytes <= size - *base) {
        range = vidmm_ddi_find_reserved(adapter, segment, *base, bytes);
        if (!range)
            return true;
        *base = round_up(range->offset + range->size, alignment);
    }
    return false;
}

static NTSTATUS reserve(struct vidmm_adapter *adapter, uint32_t segment,
                        struct vidmm_report *report)
{
    struct vidmm_table_layout *layout = &tables_of(adapter)->layout;
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[segment].info.flags};
    struct vidmm_reserved_range range;
    uint64_t alignment =
        vidmm_table_layout_alignment(layout, adapter->miniport->mmu.levels, segment);

    layout->bytes[segment] =
        round_up(layout->bytes[segment], flags.Use64KBPages ? UNIT : VIDMM_PAGE_SIZE);
    if (!find_base(adapter, segment, alignment, &range.offset)) {
        return refuse(report, "bytes of page tables of the paging process", layout->bytes[segment],
                      "the segment of PagingProcessPageTableSegmentId has no room for them");
    }
    range.size = layout->bytes[segment];
    vidmm_table_layout_raise(layout, segment, range.offset);
    return vidmm_ddi_reserve_range(adapter, segment, range);
}

/* The window for tables of programs, all of it below one leaf. Answers what is behind it. */
static uint64_t divide_window(struct vidmm_adapter *adapter, uint64_t next, uint64_t covered)
{
    struct vidmm_table_window *window = &adapter->miniport->window;
    uint64_t size = vidmm_table_window_size(adapter);
    uint64_t unit = size > UNIT ? size : UNIT;

    if (size > covered)
        return next; /* no leaf maps so much, and programs get no addresses */
    window->address = round_up(next, unit);
    window->size = size;
    return window->address + unit;
}

/* Whether what is paged can be mapped by pages of 64 KiB too: addresses are left for it, and such a
 * leaf has room where one of 4 KiB would lie. */
static bool has_wide_scratch(const struct vidmm_adapter *adapter, uint64_t covered)
{
    const struct vidmm_paging_tables *tables = &adapter->miniport->tables;
    uint32_t size = vidmm_ddi_wide_size(adapter);

    return size != 0 && !vidmm_adapter_is_linked(adapter) &&
           size <= tables->layout.levels[0].stride &&
           tables->scratch + 2 * PARTS * covered <= tables->layout.end;
}

/* Whether the table of a level is a leaf of 64 KiB pages. */
static bool is_wide(const struct vidmm_adapter *adapter, uint32_t index, uint32_t table)
{
    const struct vidmm_paging_tables *tables = &adapter->miniport->tables;
    const struct vidmm_table_level *leaf = &tables->layout.levels[0];
    uint64_t first = tables->scratch / (leaf->covers * leaf->entries) + PARTS;

    return index == 0 && tables->wide_scratch && table >= first && table - first < PARTS;
}

/* Choose the addresses of what stays mapped, below the scratch range. */
static NTSTATUS divide(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct vidmm_paging_tables *tables = tables_of(adapter);
    const struct vidmm_table_level *leaf = &tables->layout.levels[0];
    uint64_t next = FIRST_ADDRESS, covered = leaf->covers * leaf->entries;

    if (adapter->miniport->mmu.caps.PageTableUpdateMode == DXGK_PAGETABLEUPDATE_GPU_VIRTUAL) {
        tables->window = next;
        tables->window_size = round_up((uint64_t)leaf->count * leaf->stride, UNIT);
        next += tables->window_size;
        next = divide_window(adapter, next, covered);
    }
    if (adapter->miniport->paging_segment != 0) {
        tables->buffers = next;
        tables->buffer_stride = round_up(adapter->paging_size, UNIT);
        next += (adapter->options.paging_buffers + 1) * tables->buffer_stride;
    }
    tables->scratch = round_up(next, covered);
    tables->wide_scratch = has_wide_scratch(adapter, covered);
    if (tables->scratch + PARTS * covered > tables->layout.end) {
        return refuse(report, "bytes of addresses that tables of the paging process cover",
                      tables->layout.end,
                      "the paging buffers fill them: a larger segment for page tables, or smaller "
                      "paging buffers");
    }
    return STATUS_SUCCESS;
}

static NTSTATUS take_root_size(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    struct vidmm_table_layout *layout = &tables_of(adapter)->layout;
    uint32_t size = ask_root_size(adapter, layout->end);
    bool resized = mmu->caps.PageTableLevelCount == DXGK_MIN_PAGE_TABLE_LEVEL_COUNT;

    if (resized && (size == 0 || size % VIDMM_PAGE_SIZE != 0)) {
        return refuse(report, "bytes that DxgkDdiGetRootPageTableSize answered", size,
                      "a root table is a multiple of 4096 bytes, the page of the CPU");
    }
    if (resized && mmu->levels[1].PagingProcessPageTableSegmentId == 0 && size > VIDMM_PAGE_SIZE) {
        return refuse(report, "bytes that DxgkDdiGetRootPageTableSize answered", size,
                      "a table in system memory (segment 0) has 4096 bytes (D-135)");
    }
    vidmm_table_layout_make(layout, &mmu->caps, mmu->levels, layout->end, size);
    return STATUS_SUCCESS;
}

/* The scratch leaves of all parts, which paging writes. */
static uint32_t scratch_leaves(const struct vidmm_paging_tables *tables)
{
    return tables->wide_scratch ? 2 * PARTS : PARTS;
}

static bool is_written_by_cpu(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->mmu.caps.PageTableUpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
}

/* Tables that the CPU reaches by a CPU host aperture are shown a part at a time. */
static NTSTATUS plan_view(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_paging_tables *tables = tables_of(adapter);
    const struct vidmm_table_layout *layout = &tables->layout;
    uint64_t least = 0, start = UINT64_MAX;
    uint32_t hosted = 0, index;

    for (index = 0; index < layout->level_count; index++) {
        const struct vidmm_table_level *level = &layout->levels[index];
        uint64_t size = level->stride;

        if (level->segment == 0 || adapter->segments[level->segment].host_pages == 0)
            continue;
        if (index == 0 && is_written_by_cpu(adapter))
            size *= scratch_leaves(tables);
        hosted = level->segment; /* there is one: obeys W-003 */
        least = size > least ? size : least;
        start = level->offset < start ? level->offset : start;
    }
    return hosted == 0 ? STATUS_SUCCESS
                       : vidmm_table_view_plan(adapter, hosted, start + layout->bytes[hosted],
                                               least, layout->bytes[hosted], report);
}

NTSTATUS vidmm_paging_tables_plan(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_table_layout *layout = &tables_of(adapter)->layout;
    NTSTATUS status;
    uint32_t id;

    if (adapter->model != VIDMM_MODEL_GPU_MMU)
        return STATUS_SUCCESS;
    make_layout(adapter);
    status = take_root_size(adapter, report);
    for (id = 1; id <= adapter->segment_count && status == STATUS_SUCCESS; id++)
        if (layout->bytes[id] != 0)
            status = reserve(adapter, id, report);
    if (status == STATUS_SUCCESS)
        status = divide(adapter, report);
    return status == STATUS_SUCCESS ? plan_view(adapter, report) : status;
}

/* ---- their memory ---------------------------------------------------------------------------- */

/* The CPU's pointer to a segment of one physical adapter. */
static uint8_t *memory_of(const struct vidmm_adapter *adapter, uint32_t engine, uint32_t segment)
{
    return vidmm_adapter_is_linked(adapter) ? adapter->miniport->links[engine]->memory[segment]
                                            : adapter->segments[segment].cpu;
}

VIDMM_SEES(W_004);
static NTSTATUS check_visible(const struct vidmm_adapter *adapter, uint32_t segment,
                              struct vidmm_report *report)
{
    if (segment == 0 || memory_of(adapter, 0, segment) ||
        adapter->segments[segment].host_pages != 0)
        return STATUS_SUCCESS;
    return refuse(
        report, "PAGETABLELEVELDESC.PagingProcessPageTableSegmentId", segment,
        "the CPU writes these tables: CpuVisible with CpuTranslatedAddress, "
        "SupportsCpuHostAperture, or segment 0; Windows stops before the first UpdatePageTable "
        "with bug check 0x10E, 0x49 (W-004)");
}

NTSTATUS vidmm_paging_tables_take(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct vidmm_paging_tables *tables = tables_of(adapter);
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t level;

    for (level = 0; level < tables->layout.level_count && status == STATUS_SUCCESS; level++)
        status = check_visible(adapter, tables->layout.levels[level].segment, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_table_view_take(adapter, report);
    if (status != STATUS_SUCCESS || tables->layout.bytes[0] == 0)
        return status;
    status = vidmm_backing_init(&tables->pages, adapter, tables->layout.bytes[0], false,
                                vidmm_ddi_table_caching(adapter));
    if (status == STATUS_SUCCESS && !vidmm_backing_map(&tables->pages, adapter->host))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS)
        vidmm_backing_reach(adapter, &tables->pages);
    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "bytes of page tables in system memory",
                                      tables->layout.bytes[0], "the host has no pages for them");
}

void vidmm_paging_tables_finish(struct vidmm_adapter *adapter)
{
    struct vidmm_paging_tables *tables = tables_of(adapter);

    vidmm_table_view_finish(adapter);
    vidmm_backing_finish(&tables->pages, adapter->host);
    memset(&tables->pages, 0, sizeof(tables->pages));
    if (tables->entries)
        vidmm_free(adapter->host, tables->entries);
    tables->entries = NULL;
    tables->written = false;
    tables->answered = STATUS_SUCCESS;
}

/* ---- what is written ------------------------------------------------------------------------- */

static uint64_t offset_of(const struct vidmm_table_level *level, uint32_t table)
{
    VIDMM_ASSERT(table < level->count);
    return level->offset + (uint64_t)table * level->stride;
}

/* Whether the CPU sees the tables of a level by the view alone. */
static bool is_hosted(const struct vidmm_adapter *adapter, const struct vidmm_table_level *level)
{
    return level->segment != 0 && level->segment == adapter->miniport->tables.view.segment;
}

/* The address at which the CPU sees a table now; NULL: there is none. */
static uint8_t *pointer_to(struct vidmm_adapter *adapter, uint32_t engine,
                           const struct vidmm_table_level *level, uint32_t table)
{
    uint8_t *start = level->segment == 0 ? tables_of(adapter)->pages.address
                                         : memory_of(adapter, engine, level->segment);

    if (is_hosted(adapter, level)) {
        return vidmm_table_view_find(&adapter->miniport->tables.view,
                                     adapter->segments[level->segment].host_page_size,
                                     offset_of(level, table));
    }
    return start + offset_of(level, table);
}

/* Let the CPU see tables of a level, from one on. Refused: the driver was. */
static NTSTATUS show_tables(struct vidmm_adapter *adapter, const struct vidmm_table_level *level,
                            uint32_t table, uint32_t count, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (!is_hosted(adapter, level) ||
        vidmm_table_view_show(adapter, offset_of(level, table), count * (uint64_t)level->stride,
                              &status))
        return STATUS_SUCCESS;
    tables_of(adapter)->answered = status;
    tables_of(adapter)->reason = VIDMM_REASON_MAP_HOST;
    return refuse(report, "status of MapCpuHostAperture for page tables", (uint32_t)status,
                  "the CPU writes the tables of the paging process through it, as soon as the "
                  "adapter starts (D-174)");
}

/* All is written: what paging writes with the CPU stays in view, and nothing else. */
static NTSTATUS settle_view(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_paging_tables *tables = tables_of(adapter);
    const struct vidmm_table_level *leaf = &tables->layout.levels[0];

    if (is_hosted(adapter, leaf) && is_written_by_cpu(adapter))
        return show_tables(adapter, leaf,
                           (uint32_t)(tables->scratch / (leaf->covers * leaf->entries)),
                           scratch_leaves(tables), report);
    (void)vidmm_table_view_hide(adapter);
    return STATUS_SUCCESS;
}

/* obeys W-011: page-frame numbers of the segment, or of the physical address */
static DXGK_PTE entry_of(uint32_t segment, uint64_t page)
{
    DXGK_PTE entry = {.Flags = 0};

    entry.Valid = 1;
    entry.Segment = segment & 31;
    entry.PageAddress = page;
    return entry;
}

/* Entries of one table that are written together. */
struct update {
    uint32_t level, table, first, count;
    DXGK_PTE *entries; /* `count` of them, or one that is repeated */
    DXGK_PTE *second;  /* of level 1, DualPteSupported: those that lead to leaves of 64 KiB pages;
                        * NULL: the same */
    bool repeat, initial;
};

/* The entries of an update that are of the other kind. NULL: there are none. */
static DXGK_PTE *second_of(const struct vidmm_adapter *adapter, const struct update *update)
{
    if (!adapter->miniport->mmu.caps.DualPteSupported)
        return NULL;
    if (update->level == 1)
        return update->second ? update->second : update->entries;
    return is_wide(adapter, update->level, update->table) ? update->entries : NULL;
}

/* Judge the answer, and what the driver did to the paging buffer. */
VIDMM_SEES(D_115);
static NTSTATUS judge_answer(struct vidmm_adapter *adapter, NTSTATUS status,
                             const DXGKARG_BUILDPAGINGBUFFER *arguments,
                             const DXGKARG_BUILDPAGINGBUFFER *asked, struct vidmm_report *report)
{
    if (status != STATUS_SUCCESS) {
        return refuse(
            report, "status of UpdatePageTable for the paging process", (uint32_t)status,
            "the CPU writes these tables at once, and the answer is STATUS_SUCCESS; Windows "
            "stops with bug check 0x10E, 0xB (D-115)");
    }
    if (arguments->pDmaBuffer != asked->pDmaBuffer ||
        arguments->pDmaBufferPrivateData != asked->pDmaBufferPrivateData) {
        vidmm_seen(adapter, VIDMM_RULE_D_115, "bytes written to the paging buffer",
                   (uint64_t)((uint8_t *)arguments->pDmaBuffer - (uint8_t *)asked->pDmaBuffer));
    }
    return STATUS_SUCCESS;
}

/* obeys D-118, D-264, D-290, D-291, W-005 */
static NTSTATUS write(struct vidmm_adapter *adapter, const struct update *update,
                      struct vidmm_report *report)
{
    const struct vidmm_table_level *level = &tables_of(adapter)->layout.levels[update->level];
    uint32_t engine = tables_of(adapter)->engine;
    struct vidmm_paging_memory *paging = vidmm_paging_memory(adapter, engine, 1);
    DXGKARG_BUILDPAGINGBUFFER arguments, asked;
    NTSTATUS status = show_tables(adapter, level, update->table, 1, report);

    if (status != STATUS_SUCCESS)
        return status;
    memset(&arguments, 0, sizeof(arguments));
    vidmm_paging_refresh(adapter, paging); /* behind a reset something stands in it that waits */
    arguments.pDmaBuffer = (uint8_t *)paging->memory.backing.address + paging->used;
    arguments.DmaSize = paging->memory.size - paging->used;
    if (paging->memory.private_size > 0) {
        arguments.pDmaBufferPrivateData =
            (uint8_t *)paging->memory.private_data + paging->private_used;
        arguments.DmaBufferPrivateDataSize = paging->memory.private_size - paging->private_used;
    }
    arguments.Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE;
    arguments.UpdatePageTable.PageTableLevel = update->level;
    arguments.UpdatePageTable.PageTableAddress.CpuVirtual =
        pointer_to(adapter, engine, level, update->table);
    arguments.UpdatePageTable.pPageTableEntries = update->entries;
    arguments.UpdatePageTable.pPageTableEntries64KB = second_of(adapter, update);
    arguments.UpdatePageTable.StartIndex = update->first;
    arguments.UpdatePageTable.NumPageTableEntries = update->count;
    arguments.UpdatePageTable.Flags.Repeat = update->repeat;
    arguments.UpdatePageTable.Flags.InitialUpdate = update->initial;
    arguments.UpdatePageTable.Flags.Use64KBPages = is_wide(adapter, update->level, update->table);
    arguments.UpdatePageTable.hProcess = adapter->system_process->h_process;
    arguments.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    arguments.UpdatePageTable.FirstPteVirtualAddress =
        ((uint64_t)update->table * level->entries + update->first) * level->covers;
    arguments.hSystemContext = vidmm_ddi_system_context(adapter, engine);
    arguments.DmaBufferGpuVirtualAddress = vidmm_paging_tables_buffer(adapter, 1);
    arguments.DmaBufferWriteOffset = paging->used;
    asked = arguments;
    status = adapter->miniport->driver.DxgkDdiBuildPagingBuffer(
        adapter->miniport->links[engine]->h_adapter, &arguments);
    tables_of(adapter)->written = true;
    tables_of(adapter)->answered = status;
    tables_of(adapter)->reason = VIDMM_REASON_ILLEGAL_STATUS;
    if (vidmm_guarded_was_overrun(&paging->memory) != VIDMM_REASON_NONE)
        adapter->findings++;
    return judge_answer(adapter, status, &arguments, &asked, report);
}

/* obeys D-120, W-009: one invalid entry, all over the table */
static NTSTATUS clear_level(struct vidmm_adapter *adapter, uint32_t index, bool initial,
                            struct vidmm_report *report)
{
    const struct vidmm_table_level *level = &tables_of(adapter)->layout.levels[index];
    DXGK_PTE invalid = {.Flags = 0};
    struct update update = {
        .level = index, .entries = &invalid, .repeat = true, .initial = initial};
    NTSTATUS status = STATUS_SUCCESS;

    for (; update.table < level->count && status == STATUS_SUCCESS; update.table++) {
        update.count = level->entries >> (is_wide(adapter, index, update.table) ? WIDE_SHIFT : 0);
        status = write(adapter, &update, report);
    }
    return status;
}

/* Entries for pages, which are consecutive addresses from `address` on: of `backing`, or of a
 * segment from `offset` on. */
struct mapping {
    uint64_t address, size;
    const struct vidmm_backing *backing;
    uint32_t segment;
    uint64_t offset;
};

static NTSTATUS map_some(struct vidmm_adapter *adapter, const struct mapping *mapping,
                         uint64_t done, uint32_t count, DXGK_PTE *entries,
                         struct vidmm_report *report)
{
    const struct vidmm_table_level *leaf = &tables_of(adapter)->layout.levels[0];
    uint64_t page = (mapping->address + done) >> VIDMM_PAGE_SHIFT;
    struct update update = {.table = (uint32_t)(page / leaf->entries),
                            .first = (uint32_t)(page % leaf->entries),
                            .count = count,
                            .entries = entries};
    uint32_t engine = tables_of(adapter)->engine, index;

    for (index = 0; index < count; index++) {
        uint64_t at = mapping->offset + done + (uint64_t)index * VIDMM_PAGE_SIZE;

        if (mapping->backing) {
            entries[index] = entry_of(0, vidmm_backing_page(mapping->backing, at));
        } else {
            entries[index] = entry_of(mapping->segment, at >> VIDMM_PAGE_SHIFT);
            entries[index].PhysicalAdapterIndex = engine & 63u; /* each its own: obeys D-228 */
        }
    }
    return write(adapter, &update, report);
}

static NTSTATUS map(struct vidmm_adapter *adapter, const struct mapping *mapping, DXGK_PTE *entries,
                    struct vidmm_report *report)
{
    const struct vidmm_table_level *leaf = &tables_of(adapter)->layout.levels[0];
    uint64_t done = 0;
    NTSTATUS status = STATUS_SUCCESS;

    while (done < mapping->size && status == STATUS_SUCCESS) {
        uint64_t pages = (mapping->size - done) >> VIDMM_PAGE_SHIFT;
        uint64_t first = (mapping->address + done) >> VIDMM_PAGE_SHIFT;
        uint64_t here = leaf->entries - first % leaf->entries;
        uint32_t count = ENTRIES_AT_ONCE;

        count = here < count ? (uint32_t)here : count;
        count = pages < count ? (uint32_t)pages : count;
        status = map_some(adapter, mapping, done, count, entries, report);
        done += (uint64_t)count << VIDMM_PAGE_SHIFT;
    }
    return status;
}

/* Map what stays as long as the adapter runs: the leaf tables, and the paging buffers. */
static NTSTATUS map_what_stays(struct vidmm_adapter *adapter, DXGK_PTE *entries,
                               struct vidmm_report *report)
{
    const struct vidmm_paging_tables *tables = tables_of(adapter);
    const struct vidmm_table_level *leaf = &tables->layout.levels[0];
    struct mapping mapping = {.address = tables->window,
                              .size = (uint64_t)leaf->count * leaf->stride,
                              .backing = leaf->segment == 0 ? &tables->pages : NULL,
                              .segment = leaf->segment,
                              .offset = leaf->offset};
    uint32_t last = adapter->options.paging_buffers + 1, id;
    NTSTATUS status = STATUS_SUCCESS;

    if (tables->window != 0)
        status = map(adapter, &mapping, entries, report);
    for (id = 1; id <= last && tables->buffer_stride != 0 && status == STATUS_SUCCESS; id++) {
        const struct vidmm_backing *backing =
            &vidmm_paging_memory(adapter, tables->engine, id)->memory.backing;

        mapping = (struct mapping){.address = vidmm_paging_tables_buffer(adapter, id),
                                   .size = round_up(adapter->paging_size, VIDMM_PAGE_SIZE),
                                   .backing = backing};
        status = map(adapter, &mapping, entries, report);
    }
    return status;
}

/* Whether the miniport has reserved the addresses of a leaf: what leads there is the miniport's. */
static bool is_drivers(const struct vidmm_adapter *adapter, uint32_t index, uint32_t table)
{
    const struct vidmm_table_level *leaf = &adapter->miniport->tables.layout.levels[0];
    uint64_t covered = leaf->covers * leaf->entries;

    return index == 0 && vidmm_driver_range_at(adapter->system_process, table * covered,
                                               (table + 1) * covered) != NULL;
}

/* The table is a leaf of 64 KiB pages, to which an entry of its own leads with DualPteSupported. */
static void lead_to_wide(const struct vidmm_adapter *adapter, DXGK_PTE *entry, DXGK_PTE *second)
{
    entry->PageTablePageSize = DXGK_PTE_PAGE_TABLE_PAGE_64KB;
    if (!adapter->miniport->mmu.caps.DualPteSupported)
        return;
    *second = *entry;
    *entry = (DXGK_PTE){.Flags = 0};
}

/* Entries that lead to the tables below, of every table of a level. */
static NTSTATUS link_level(struct vidmm_adapter *adapter, uint32_t index, DXGK_PTE *entries,
                           struct vidmm_report *report)
{
    const struct vidmm_paging_tables *tables = tables_of(adapter);
    const struct vidmm_table_level *level = &tables->layout.levels[index], *below = level - 1;
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t child = 0;

    while (child < below->count && status == STATUS_SUCCESS) {
        struct update update = {.level = index,
                                .table = child / level->entries,
                                .first = child % level->entries,
                                .entries = entries,
                                .second = entries + ENTRIES_AT_ONCE};

        for (; child < below->count && child / level->entries == update.table &&
               update.count < ENTRIES_AT_ONCE;
             child++) {
            uint64_t offset = offset_of(below, child);

            entries[update.count] = below->segment == 0
                                        ? entry_of(0, vidmm_backing_page(&tables->pages, offset))
                                        : entry_of(below->segment, offset >> VIDMM_PAGE_SHIFT);
            if (is_drivers(adapter, index - 1, child))
                entries[update.count] = (DXGK_PTE){.Flags = 0}; /* obeys D-391 */
            update.second[update.count] = (DXGK_PTE){.Flags = 0};
            if (is_wide(adapter, index - 1, child))
                lead_to_wide(adapter, &entries[update.count], &update.second[update.count]);
            update.count++;
        }
        status = write(adapter, &update, report);
    }
    return status;
}

/* The tables of one physical adapter. */
static NTSTATUS write_all(struct vidmm_adapter *adapter, DXGK_PTE *entries,
                          struct vidmm_report *report)
{
    uint32_t count = tables_of(adapter)->layout.level_count, level;
    NTSTATUS status = clear_level(adapter, 0, true, report);

    if (status == STATUS_SUCCESS)
        status = map_what_stays(adapter, entries, report);
    for (level = 1; level < count && status == STATUS_SUCCESS; level++) { /* obeys W-012 */
        status = clear_level(adapter, level, true, report);
        if (status == STATUS_SUCCESS)
            status = link_level(adapter, level, entries, report);
    }
    return status == STATUS_SUCCESS ? settle_view(adapter, report) : status;
}

void vidmm_paging_tables_hide(struct vidmm_adapter *adapter)
{
    (void)vidmm_table_view_hide(adapter);
}

NTSTATUS vidmm_paging_tables_write(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    DXGK_PTE *entries = tables_of(adapter)->entries;
    uint32_t engine;
    NTSTATUS status = STATUS_SUCCESS;

    vidmm_table_window_forget(adapter); /* what it showed is cleared with the rest */
    if (!entries)
        entries = vidmm_allocate(adapter->host, 2 * ENTRIES_AT_ONCE * sizeof(*entries));
    tables_of(adapter)->entries = entries;
    if (!entries) {
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "bytes for entries of page tables",
                                    2 * ENTRIES_AT_ONCE * sizeof(*entries), "no memory for them");
    }
    for (engine = 0; engine < adapter->link_count && status == STATUS_SUCCESS; engine++) {
        tables_of(adapter)->engine = engine; /* obeys D-228: each by itself */
        status = write_all(adapter, entries, report);
    }
    return status;
}

void vidmm_paging_tables_show(struct vidmm_adapter *adapter)
{
    const struct vidmm_paging_tables *tables = tables_of(adapter);
    const struct vidmm_table_level *root = &tables->layout.levels[tables->layout.level_count - 1];
    DXGKARG_SETROOTPAGETABLE arguments;
    uint32_t engine;

    memset(&arguments, 0, sizeof(arguments));
    arguments.Address.SegmentId = root->segment;
    arguments.Address.SegmentOffset =
        root->segment == 0 ? vidmm_backing_page(&tables->pages, root->offset) << VIDMM_PAGE_SHIFT
                           : root->offset;
    arguments.NumEntries = root->entries;
    for (engine = 0; engine < adapter->link_count; engine++) {
        arguments.hContext = vidmm_ddi_system_context(adapter, engine);
        adapter->miniport->driver.DxgkDdiSetRootPageTable(adapter->miniport->h_adapter, &arguments);
    }
}

void vidmm_paging_tables_clear(struct vidmm_adapter *adapter)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t engine;

    if (!tables_of(adapter)->written || !adapter->miniport->mmu.caps.ExplicitPageTableInvalidation)
        return;
    for (engine = 0; engine < adapter->link_count; engine++) {
        uint32_t level = tables_of(adapter)->layout.level_count;

        tables_of(adapter)->engine = engine;
        while (level-- > 0 && status == STATUS_SUCCESS) /* obeys D-133: what leads there first */
            status = clear_level(adapter, level, false, NULL);
    }
    (void)vidmm_table_view_hide(adapter);
}

void vidmm_paging_table_find(struct vidmm_adapter *adapter, uint32_t level, uint64_t address,
                             struct vidmm_table_memory *memory)
{
    const struct vidmm_paging_tables *tables = tables_of(adapter);
    const struct vidmm_table_level *row = &tables->layout.levels[level];
    uint32_t table = (uint32_t)(address / (row->covers * row->entries));
    uint64_t offset = offset_of(row, table);

    VIDMM_ASSERT(level < tables->layout.level_count && address < tables->layout.end);
    if (row->segment == 0)
        offset = (vidmm_backing_page(&tables->pages, offset) << VIDMM_PAGE_SHIFT) +
                 offset % VIDMM_PAGE_SIZE;
    *memory = (struct vidmm_table_memory){
        .segment = row->segment, .offset = offset, .cpu = pointer_to(adapter, 0, row, table)};
    if (level == 0 && tables->window != 0)
        memory->gpu = tables->window + (uint64_t)table * row->stride;
}

uint64_t vidmm_paging_tables_used(const struct vidmm_adapter *adapter)
{
    const struct vidmm_paging_tables *tables = &adapter->miniport->tables;
    const struct vidmm_table_level *leaf = &tables->layout.levels[0];

    return tables->scratch + scratch_leaves(tables) * leaf->covers * leaf->entries;
}

uint64_t vidmm_paging_tables_bytes(const struct vidmm_adapter *adapter)
{
    uint64_t bytes = 0;
    uint32_t segment;

    for (segment = 0; segment < VIDMM_SEGMENTS; segment++)
        bytes += adapter->miniport->tables.layout.bytes[segment];
    return bytes;
}

uint64_t vidmm_paging_tables_buffer(const struct vidmm_adapter *adapter, uint32_t paging_buffer)
{
    const struct vidmm_paging_tables *tables = &adapter->miniport->tables;
    const struct vidmm_paging_memory *paging = &adapter->paging[0][paging_buffer];

    if (adapter->model == VIDMM_MODEL_IO_MMU && adapter->miniport->paging_segment != 0)
        return (uint64_t)(uintptr_t)paging->memory.backing.address;
    return tables->buffer_stride == 0
               ? 0
               : tables->buffers + (paging_buffer - 1) * tables->buffer_stride;
}
