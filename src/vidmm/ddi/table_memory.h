/* table_memory.h: where page tables are, as the miniport is told of them.
 *
 *     in a memory segment    the engine's place
 *     in system memory       a page of its own, by the table's id, from its first record on
 *     of the paging process  paging_tables.h, by the address       from the start on
 *
 * A page that a table has left serves the next one, and goes with the adapter. The adapter's mutex
 * guards the structure; nobody holds it here but vidmm_table_memory_release().
 */
#ifndef VIDMM_DDI_TABLE_MEMORY_H
#define VIDMM_DDI_TABLE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>

struct vidmm_adapter;
struct vidmm_table_page;
struct _DXGK_PTE;

struct vidmm_table_pages {
    struct vidmm_table_page **by_id; /* by the table's id less VIDMM_TABLE_IDS; NULL: none */
    uint32_t capacity;
    struct vidmm_table_page *free;
};

/* A page table that a driver is told of. */
struct vidmm_table_memory {
    uint32_t segment; /* 0: system memory */
    uint64_t offset;  /* in the segment, bytes; of system memory the physical address */
    uint8_t *cpu;     /* where the CPU sees it; NULL: nowhere */
    uint64_t gpu;     /* where the paging process has it mapped; 0: nowhere */
};

/* Find a page table that is at `place`; one in system memory gets a page now if it has none. False:
 * there is no page for it. */
bool vidmm_table_memory_find(struct vidmm_adapter *adapter, uint32_t table,
                             struct vidmm_place place, struct vidmm_table_memory *memory);
/* Find a page table that has been written before: one in system memory has its page already. */
void vidmm_table_memory_known(struct vidmm_adapter *adapter, uint32_t table,
                              struct vidmm_place place, struct vidmm_table_memory *memory);
/* The page of a table in system memory serves others. The mutex is held. */
void vidmm_table_memory_release(struct vidmm_adapter *adapter, uint32_t table);
/* Give all pages back. */
void vidmm_table_memory_finish(struct vidmm_adapter *adapter);

#endif
