/* table_layout.h: which page tables the paging process has, and where they lie.
 *
 *     address   0                 2M                4M                      end
 *               +-----------------+-----------------+--- . . . -------------+
 *               |  leaf table 0   |  leaf table 1   |                       |
 *               +-----------------+-----------------+--- . . . -------------+
 *     segment   | root | level 2 | level 1 | leaf 0 | leaf 1 | leaf 2 | . . .
 *               0: the bottom of the segment, or what is free there
 *
 * All of them are there from the start, and stay until the adapter loses its power (D-263). Numbers
 * alone: no call goes out.
 *
 * Source: "System paging process"; DXGK_PAGE_TABLE_LEVEL_DESC.
 */
#ifndef VIDMM_DDI_TABLE_LAYOUT_H
#define VIDMM_DDI_TABLE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <wddm/d3dkmddi_query.h>

/* The tables of one level. */
struct vidmm_table_level {
    uint32_t segment; /* 0: system memory */
    uint64_t offset;  /* of the first table, bytes: in the segment, or among all pages of system
                         memory that hold tables */
    uint32_t count;   /* tables */
    uint32_t entries; /* of each */
    uint32_t stride;  /* bytes from one to the next */
    uint64_t covers;  /* bytes of addresses below one entry */
};

struct vidmm_table_layout {
    uint32_t level_count;
    struct vidmm_table_level levels[DXGK_MAX_PAGE_TABLE_LEVEL_COUNT]; /* 0 is the leaf */
    uint64_t end;                   /* bytes of addresses that they translate, from 0 on */
    uint64_t bytes[VIDMM_SEGMENTS]; /* that tables take of each segment */
};

/* Lay out tables for the addresses [0, end) at the bottom of their segments. `end` is at least a
 * leaf table's, and no more than addresses reach. `root_size`: bytes of a root that is resized, 0:
 * it is not. */
void vidmm_table_layout_make(struct vidmm_table_layout *layout, const DXGK_GPUMMUCAPS *caps,
                             const DXGK_PAGE_TABLE_LEVEL_DESC *levels, uint64_t end,
                             uint32_t root_size);
/* Leaf tables for the addresses [0, end): the entries of a root above them, of two levels. */
uint64_t vidmm_table_layout_leaves(const DXGK_PAGE_TABLE_LEVEL_DESC *levels, uint64_t end);
/* Move all tables that lie in the segment up by so many bytes. */
void vidmm_table_layout_raise(struct vidmm_table_layout *layout, uint32_t segment, uint64_t bytes);
/* The largest alignment of a table in the segment; 0: there is no table in it. */
uint64_t vidmm_table_layout_alignment(const struct vidmm_table_layout *layout,
                                      const DXGK_PAGE_TABLE_LEVEL_DESC *levels, uint32_t segment);

#endif
