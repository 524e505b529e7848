/* page_size.c: how large the pages are by which an allocation is mapped, and page tables. */
#include "vidmm/engine/state/page_size.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/process.h"

#define WIDE (UINT64_C(64) << 10)

static uint64_t large_size(const struct vidmm_engine *engine)
{
    return (uint64_t)VIDMM_PAGE_SIZE << engine->config.mmu.index_bits[0];
}

/* Whether the segment has pages that are larger than 4 KiB for the allocation; `wide`: of 64 KiB,
 * otherwise large ones. An aperture has those of the backing store that it shows. */
static bool has_pages(const struct vidmm_engine_segment *segment, const struct vidmm_wish *wish,
                      bool wide)
{
    if (segment->aperture)
        return (wish->flags & (wide ? VIDMM_WISH_STORE_64K : VIDMM_WISH_STORE_LARGE)) != 0;
    return !wide || segment->wide_pages;
}

/* Whether every segment that the allocation may be in has such pages for it. */
static bool have_pages(const struct vidmm_engine *engine, const struct vidmm_wish *wish, bool wide)
{
    uint32_t set = wish->write_set, segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((set >> (segment - 1) & 1) != 0 &&
            !has_pages(&engine->config.segments[segment], wish, wide))
            return false;
    return set != 0;
}

/* Whether it may be mapped by pages of 64 KiB. */
static bool is_wide(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return engine->config.mmu.wide_size != 0 && placement->wish.size % WIDE == 0 &&
           placement->wish.alignment % WIDE == 0 &&
           have_pages(engine, &placement->wish, true); /* obeys D-126 */
}

enum vidmm_page_size vidmm_page_size_most(const struct vidmm_engine *engine,
                                          const struct vidmm_placement *placement,
                                          const struct vidmm_address_meaning *meaning)
{
    const struct vidmm_engine_mmu *mmu = &engine->config.mmu;

    if (!placement || placement->fences || meaning->state != VIDMM_ADDRESS_MAPPED)
        return VIDMM_PAGE_4K;
    if (mmu->large_pages && meaning->driver_protection == 0 && /* obeys D-119, D-123 */
        (placement->wish.flags & VIDMM_WISH_NO_LARGE_PAGES) == 0 &&
        have_pages(engine, &placement->wish, false))
        return VIDMM_PAGE_LARGE;
    return is_wide(engine, placement) ? VIDMM_PAGE_64K : VIDMM_PAGE_4K;
}

uint64_t vidmm_page_size_beyond(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                                uint64_t offset)
{
    uint32_t segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((wish->write_set >> (segment - 1) & 1) != 0 &&
            engine->config.segments[segment].wide_pages)
            return offset % WIDE; /* obeys D-025 */
    return 0;
}

bool vidmm_page_size_differs(const struct vidmm_engine *engine, const struct vidmm_wish *one,
                             const struct vidmm_wish *other)
{
    const struct vidmm_engine_mmu *mmu = &engine->config.mmu;

    return (mmu->large_pages &&
            have_pages(engine, one, false) != have_pages(engine, other, false)) ||
           (mmu->wide_size != 0 &&
            have_pages(engine, one, true) != have_pages(engine, other, true));
}

/* Memory that lies in one piece: address `start` is at `base` of a segment; of a backing store,
 * whose units lie apart, of the allocation. */
struct piece {
    uint64_t start, end, base;
    bool wide, large;
    bool unaligned; /* a large page may begin anywhere in it */
};

/* Whether pages of the size may begin where addresses and memory are the same from it. */
static bool is_in_step(const struct piece *piece, uint64_t size, bool unaligned)
{
    return unaligned || (piece->start - piece->base) % size == 0;
}

static void set(struct vidmm_page_tables *tables, uint64_t start, uint64_t end,
                enum vidmm_page_size most)
{
    if (start < end)
        vidmm_page_tables_set(tables, start, end, VIDMM_ENTRY_PAGES, most);
}

/* Set [start, end) of a piece in pages of 64 KiB, and of 4 KiB what is no whole one. */
static void set_wide(struct vidmm_page_tables *tables, const struct piece *piece, uint64_t start,
                     uint64_t end)
{
    uint64_t first = (start + WIDE - 1) / WIDE * WIDE, last = end / WIDE * WIDE;

    if (!piece->wide || first >= last || !is_in_step(piece, WIDE, false)) {
        set(tables, start, end, VIDMM_PAGE_4K);
        return;
    }
    set(tables, start, first, VIDMM_PAGE_4K);
    set(tables, first, last, VIDMM_PAGE_64K);
    set(tables, last, end, VIDMM_PAGE_4K);
}

static void set_piece(const struct vidmm_engine *engine, struct vidmm_page_tables *tables,
                      const struct piece *piece)
{
    uint64_t size = large_size(engine);
    uint64_t first = (piece->start + size - 1) / size * size, last = piece->end / size * size;

    if (!piece->large || first >= last || !is_in_step(piece, size, piece->unaligned)) {
        set_wide(tables, piece, piece->start, piece->end);
        return;
    }
    set_wide(tables, piece, piece->start, first);
    set(tables, first, last, VIDMM_PAGE_LARGE);
    set_wide(tables, piece, last, piece->end);
}

void vidmm_page_size_set(const struct vidmm_engine *engine, struct vidmm_page_tables *tables,
                         const struct vidmm_placement *placement,
                         const struct vidmm_address_meaning *meaning, uint64_t start, uint64_t end)
{
    enum vidmm_page_size most = vidmm_page_size_most(engine, placement, meaning);
    uint64_t offset = meaning->offset, at = start;
    bool here = placement && vidmm_process_shows(placement);
    bool aperture = here && vidmm_place_is_aperture(&placement->at);

    VIDMM_ASSERT(start < end);
    if (most == VIDMM_PAGE_4K)
        set(tables, start, end, most);
    while (most != VIDMM_PAGE_4K && at < end) {
        uint64_t together = end - at;
        struct piece piece = {.start = at,
                              .base = offset,
                              .wide = is_wide(engine, placement),
                              .large = most == VIDMM_PAGE_LARGE,
                              .unaligned = engine->config.mmu.unaligned_large && !aperture};

        if (here && !aperture)
            piece.base = vidmm_place_at(placement, &placement->at, offset, &together).offset;
        together = together < end - at ? together : end - at;
        piece.end = at + together;
        set_piece(engine, tables, &piece);
        offset += together;
        at += together;
    }
}

/* ---- page tables ----------------------------------------------------------------------------- */

uint32_t vidmm_table_size(const struct vidmm_engine *engine, const struct vidmm_page_table *table)
{
    const struct vidmm_engine_mmu *mmu = &engine->config.mmu;
    uint32_t step = 0;

    if (table->wide)
        return mmu->wide_size;
    if (mmu->root_least == 0 || table->level == 0)
        return mmu->table_size[table->level];
    while (mmu->root_least << step < table->length)
        step++;
    return mmu->root_size[step];
}

void vidmm_table_count(struct vidmm_engine *engine, uint64_t bytes)
{
    struct vidmm_engine_statistics *statistics = &engine->statistics;

    statistics->tables++;
    statistics->table_bytes += bytes;
    if (statistics->table_bytes > statistics->table_bytes_most)
        statistics->table_bytes_most = statistics->table_bytes;
}

/* Give the root as many entries. A process of which nothing was written has no context that knows
 * the old one. */
static NTSTATUS resize(struct vidmm_engine *engine, struct vidmm_process *process, uint32_t entries)
{
    struct vidmm_page_tables *tables = &process->tables;
    bool had = tables->old_root != NULL;
    NTSTATUS status = vidmm_page_tables_resize(tables, entries);

    if (status != STATUS_SUCCESS)
        return status;
    VIDMM_ASSERT(!process->unused || !tables->old_root); /* A28 */
    process->switched = false;                           /* A31 */
    engine->mmu->switching += !had && tables->old_root ? 1 : 0;
    vidmm_process_make_due(engine, process);
    return STATUS_SUCCESS;
}

/* Bytes of addresses below an entry of the root. */
static uint64_t covered(const struct vidmm_process *process)
{
    return vidmm_page_tables_end(&process->tables) / process->tables.format.root_entries;
}

/* Let the root reach the address. obeys D-265 */
NTSTATUS vidmm_root_grow(struct vidmm_engine *engine, struct vidmm_process *process, uint64_t end)
{
    uint32_t entries = process->tables.format.root_entries;

    if (end <= vidmm_page_tables_end(&process->tables))
        return STATUS_SUCCESS;
    while (entries * covered(process) < end)
        entries *= 2;
    VIDMM_ASSERT(engine->config.mmu.root_least != 0 && entries <= engine->config.mmu.root_entries);
    return resize(engine, process, entries);
}

/* Addresses up to there were freed. The root stays twice as large as it has to be, so that it need
 * not grow at once; without memory for a smaller one it stays. obeys D-265 */
void vidmm_root_shrink(struct vidmm_engine *engine, struct vidmm_process *process, uint64_t freed)
{
    uint32_t entries = process->tables.format.root_entries, needed = entries;
    uint32_t least = engine->config.mmu.root_least, smaller = least;
    struct vidmm_page_table *child;

    if (least == 0 || entries == least ||
        freed / 4 * 4 <= vidmm_page_tables_end(&process->tables) / 4)
        return;
    while (needed > 0 &&
           vidmm_page_table_entry(process->tables.root, needed - 1, &child) == VIDMM_ENTRY_INVALID)
        needed--;
    while (smaller < 2 * (uint64_t)needed)
        smaller *= 2;
    if (smaller < entries)
        resize(engine, process, smaller);
}
