/* page_size.c: how large the pages are by which an allocation is mapped. */
#include "vidmm/engine/state/page_size.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <vidmm/page.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/process.h"

#define WIDE (UINT64_C(64) << 10)

static uint64_t large_size(const struct vidmm_engine *engine)
{
    return (uint64_t)VIDMM_PAGE_SIZE << engine->config.mmu.index_bits[0];
}

/* Whether every segment that the allocation may be in is memory; `wide`: with pages of 64 KiB. */
static bool are_memory(const struct vidmm_engine *engine, const struct vidmm_wish *wish, bool wide)
{
    uint32_t set = wish->write_set, segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((set >> (segment - 1) & 1) != 0 &&
            (engine->config.segments[segment].aperture ||
             (wide && !engine->config.segments[segment].wide_pages)))
            return false;
    return set != 0;
}

/* Whether it may be mapped by pages of 64 KiB. */
static bool is_wide(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return engine->config.mmu.wide_size != 0 && placement->wish.size % WIDE == 0 &&
           placement->wish.alignment % WIDE == 0 &&
           are_memory(engine, &placement->wish, true); /* obeys D-126 */
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
        are_memory(engine, &placement->wish, false))
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
            are_memory(engine, one, false) != are_memory(engine, other, false)) ||
           (mmu->wide_size != 0 &&
            are_memory(engine, one, true) != are_memory(engine, other, true));
}

/* Memory that lies in one piece: address `start` is at `base` of a segment. */
struct piece {
    uint64_t start, end, base;
    bool wide, large;
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

    if (!piece->large || first >= last ||
        !is_in_step(piece, size, engine->config.mmu.unaligned_large)) {
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

    VIDMM_ASSERT(start < end);
    if (most == VIDMM_PAGE_4K)
        set(tables, start, end, most);
    while (most != VIDMM_PAGE_4K && at < end) {
        uint64_t together = end - at;
        struct vidmm_place place = {.offset = offset};
        struct piece piece = {.start = at, .large = most == VIDMM_PAGE_LARGE};

        if (here)
            place = vidmm_place_at(placement, &placement->at, offset, &together);
        together = together < end - at ? together : end - at;
        piece.end = at + together;
        piece.base = place.offset;
        piece.wide = is_wide(engine, placement);
        set_piece(engine, tables, &piece);
        offset += together;
        at += together;
    }
}
