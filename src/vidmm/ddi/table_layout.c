/* table_layout.c: which page tables the paging process has, and where they lie. */
#include "vidmm/ddi/table_layout.h"

#include <string.h>

#include <vidmm/page.h>

#include "base/assert.h"

#define PAGE_BITS 12u

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Bytes of addresses of so many bits; of more than there are: 2^62. */
static uint64_t reach_of(uint32_t bits)
{
    return UINT64_C(1) << (bits < 62 ? bits : 62);
}

static uint64_t alignment_of(const DXGK_PAGE_TABLE_LEVEL_DESC *description)
{
    return description->PageTableAlignmentInBytes > VIDMM_PAGE_SIZE
               ? description->PageTableAlignmentInBytes
               : VIDMM_PAGE_SIZE;
}

uint64_t vidmm_table_layout_leaves(const DXGK_PAGE_TABLE_LEVEL_DESC *levels, uint64_t end)
{
    uint64_t covered = UINT64_C(1) << (PAGE_BITS + levels[0].PageTableIndexBitCount);

    return round_up(end, covered) / covered;
}

/* How many tables of each level there are, and of how many entries. */
static void count_tables(struct vidmm_table_layout *layout, const DXGK_GPUMMUCAPS *caps,
                         const DXGK_PAGE_TABLE_LEVEL_DESC *levels)
{
    uint32_t index, bits = PAGE_BITS, root = caps->PageTableLevelCount - 1;

    for (index = 0; index <= root; index++) {
        struct vidmm_table_level *level = &layout->levels[index];
        uint64_t covered;

        level->covers = reach_of(bits);
        level->entries = 1u << levels[index].PageTableIndexBitCount;
        if (index == root) {
            uint64_t all = round_up(layout->end, level->covers) / level->covers;

            level->count = 1;
            if (caps->PageTableLevelCount == DXGK_MIN_PAGE_TABLE_LEVEL_COUNT)
                level->entries = (uint32_t)all;
            return;
        }
        bits += levels[index].PageTableIndexBitCount;
        covered = reach_of(bits);
        level->count = (uint32_t)(round_up(layout->end, covered) / covered);
    }
}

void vidmm_table_layout_make(struct vidmm_table_layout *layout, const DXGK_GPUMMUCAPS *caps,
                             const DXGK_PAGE_TABLE_LEVEL_DESC *levels, uint64_t end,
                             uint32_t root_size)
{
    uint32_t index = caps->PageTableLevelCount;

    VIDMM_ASSERT(index >= DXGK_MIN_PAGE_TABLE_LEVEL_COUNT &&
                 index <= DXGK_MAX_PAGE_TABLE_LEVEL_COUNT);
    memset(layout, 0, sizeof(*layout));
    layout->level_count = index;
    layout->end = end;
    count_tables(layout, caps, levels);
    while (index-- > 0) { /* the root first: it lies at offset 0 */
        struct vidmm_table_level *level = &layout->levels[index];
        uint32_t segment = levels[index].PagingProcessPageTableSegmentId;
        uint64_t alignment = alignment_of(&levels[index]),
                 size = levels[index].PageTableSizeInBytes;

        if (index + 1 == layout->level_count && root_size != 0)
            size = root_size;
        level->segment = segment;
        level->stride = (uint32_t)round_up(size, alignment);
        level->offset = round_up(layout->bytes[segment], alignment);
        layout->bytes[segment] = level->offset + (uint64_t)level->count * level->stride;
    }
}

void vidmm_table_layout_raise(struct vidmm_table_layout *layout, uint32_t segment, uint64_t bytes)
{
    uint32_t index;

    for (index = 0; index < layout->level_count; index++)
        if (layout->levels[index].segment == segment)
            layout->levels[index].offset += bytes;
}

uint64_t vidmm_table_layout_alignment(const struct vidmm_table_layout *layout,
                                      const DXGK_PAGE_TABLE_LEVEL_DESC *levels, uint32_t segment)
{
    uint64_t most = 0;
    uint32_t index;

    for (index = 0; index < layout->level_count; index++)
        if (layout->levels[index].segment == segment && alignment_of(&levels[index]) > most)
            most = alignment_of(&levels[index]);
    return most;
}
