/*
 * rig_virtual.h: the rig's adapter at 2.0, with a GPU MMU.
 *
 * Three levels of tables with 512 entries each, in segment 2, written by the GPU at physical
 * addresses. The paging process has its root at offset 0, then a table of level 1 and a leaf, a
 * page each; the leaf translates 0x10000 on. The program's process has the same at RIG_TABLES. Both
 * are linked; every entry of the leaves is invalid.
 */
#ifndef TEST_CONTRACT_RIG_VIRTUAL_H
#define TEST_CONTRACT_RIG_VIRTUAL_H

#include "rig.h"

#define RIG_PAGE UINT64_C(4096)
#define RIG_ENTRIES 512u
#define RIG_TABLES UINT64_C(0x10000) /* of the program's root */
#define RIG_ADDRESS UINT64_C(0x10000)

/* Start, with processes, devices, contexts (rig->context and rig->paging_context) and tables. */
void rig_virtual_start(struct rig *rig);
/* The program's process ends, and its page tables stay. Another has the same handle, with a device
 * and a context. */
void rig_renew_process(struct rig *rig);
/* The miniport's answer to the queries that only such an adapter has. */
void rig_virtual_query(const struct rig *rig, const DXGKARG_QUERYADAPTERINFO *query);
/* Ask for segments, capabilities and levels once more. */
void rig_query_mmu(struct rig *rig);

DXGK_PTE rig_entry(UINT segment, uint64_t offset);
/* Arguments of UpdatePageTable: `count` entries from `first` on, of the table at that offset of
 * segment 2; the array stays the caller's. */
DXGKARG_BUILDPAGINGBUFFER rig_update(HANDLE process, UINT level, uint64_t table, UINT first,
                                     UINT count, DXGK_PTE *entries);
/* Arguments of the UpdatePageTable that clears a table which has just appeared: all of its entries,
 * invalid. */
DXGKARG_BUILDPAGINGBUFFER rig_clear(HANDLE process, UINT level, uint64_t table);
DXGKARG_BUILDPAGINGBUFFER rig_flush_tlb(HANDLE process, uint64_t root);
DXGKARG_BUILDPAGINGBUFFER rig_fill_virtual(uint64_t address, uint64_t size);
DXGKARG_BUILDPAGINGBUFFER rig_transfer_virtual(uint64_t from, uint64_t to, uint64_t size,
                                               DXGK_MEMORY_TRANSFER_DIRECTION direction);

/* Write one entry of a process's leaf: that of RIG_ADDRESS + page * RIG_PAGE. */
void rig_map_page(struct rig *rig, HANDLE process, UINT page, UINT segment, uint64_t offset);
void rig_unmap_page(struct rig *rig, HANDLE process, UINT page);
/* Map 16 pages from RIG_ADDRESS on to segment 2 at 0x100000, and 16 behind them to system memory,
 * and flush: in the paging process. */
void rig_map_scratch(struct rig *rig);
/* Build FlushTlb of everything of a process. */
void rig_forget_addresses(struct rig *rig, HANDLE process);
/* Submit and complete what is built, by address; then a new buffer. */
void rig_page_virtual(struct rig *rig);
DXGKARG_SUBMITCOMMANDVIRTUAL rig_paging_virtual(struct rig *rig);
void rig_set_root(struct rig *rig, HANDLE context, uint64_t root);
/* Submit a DMA buffer of a context; answers its fence. */
UINT rig_run_virtual(struct rig *rig, HANDLE context);

#endif
