/* table_memory.h: where page tables are, as the miniport is told of them.
 *
 *     in a memory segment    the engine's place
 *     in system memory       a page, by the table's id, from its first record on; put aside before
 *     of the paging process  paging_tables.h, by the address       from the start on
 *
 *      record of a table        +1 page put aside, or there is no record: the program is refused
 *      first DDI call for it     one that is put aside becomes its own; this cannot fail
 *      the table has left        its page is put aside once more
 *      its record is freed      -1 page
 *
 * The adapter's mutex guards the structure. It is held by who takes and frees records, and by who
 * calls vidmm_table_memory_release(); the pump alone changes the table of ids.
 */
#ifndef VIDMM_DDI_TABLE_MEMORY_H
#define VIDMM_DDI_TABLE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/memory.h>

struct vidmm_adapter;
struct vidmm_place;
struct vidmm_table_page;
struct _DXGK_PTE;

struct vidmm_table_pages {
    struct vidmm_table_page **buckets; /* pages of tables, by id; NULL: no page was put aside yet */
    uint32_t bucket_count;             /* power of two */
    uint32_t in_buckets;
    struct vidmm_table_page *aside;
    uint64_t pages, records; /* pages are at least as many as records */
    struct vidmm_memory backing;
};

/* A page table that a driver is told of. */
struct vidmm_table_memory {
    uint32_t segment; /* 0: system memory */
    uint64_t offset;  /* in the segment, bytes; of system memory the physical address */
    uint8_t *cpu;     /* where the CPU sees it; NULL: nowhere */
    uint64_t gpu;     /* where the paging process has it mapped; 0: nowhere */
};

/* Memory for records of page tables in system memory, with a page put aside for each. */
const struct vidmm_memory *vidmm_table_memory_backing(struct vidmm_adapter *adapter);
/* Find a page table that is at `place`; one in system memory gets its page now if it has none. */
void vidmm_table_memory_find(struct vidmm_adapter *adapter, uint32_t table,
                             struct vidmm_place place, struct vidmm_table_memory *memory);
/* Find a page table that has been written before: one in system memory has its page already. */
void vidmm_table_memory_known(struct vidmm_adapter *adapter, uint32_t table,
                              struct vidmm_place place, struct vidmm_table_memory *memory);
/* Whether it has been: it is in a segment, or has its page. The mutex is held. */
bool vidmm_table_memory_is_known(struct vidmm_adapter *adapter, uint32_t table,
                                 struct vidmm_place place);
/* The page of a table in system memory serves others. The mutex is held. */
void vidmm_table_memory_release(struct vidmm_adapter *adapter, uint32_t table);
/* Give all pages back. */
void vidmm_table_memory_finish(struct vidmm_adapter *adapter);

#endif
