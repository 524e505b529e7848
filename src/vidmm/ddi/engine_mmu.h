/* engine_mmu.h: a GPU's page tables, as the engine is told of them. */
#ifndef VIDMM_DDI_ENGINE_MMU_H
#define VIDMM_DDI_ENGINE_MMU_H

#include <vidmm/engine.h>

#include "vidmm/object/backing.h"

struct vidmm_adapter;

/* Describe the page tables of the adapter's programs, and where its paging process maps what it
 * pages. The caps are known, and vidmm_paging_tables_plan() has been called. Levels 0: it has no
 * page tables, or such as the engine does not write (CAVEATS.md). The miniport is asked for the
 * size of a root that is resized. */
struct vidmm_engine_mmu vidmm_ddi_engine_mmu(struct vidmm_adapter *adapter);
/* The bytes of a leaf of 64 KiB pages. 0: the engine uses none: the driver has none, or neither a
 * segment nor system memory of such pages. */
uint32_t vidmm_ddi_wide_size(const struct vidmm_adapter *adapter);
/* The units of more than a page in which the GPU maps system memory (SysMemLargePageSupported,
 * SysMem64KBPageSupported). */
struct vidmm_units vidmm_ddi_system_units(const struct vidmm_adapter *adapter);
/* How page tables in system memory are cached: Cached if the GPU finds them in the processor's
 * caches (CachedPageTables) and does not write them by address; else write-combined. */
enum vidmm_caching vidmm_ddi_table_caching(const struct vidmm_adapter *adapter);
/* The address behind the last that a program may have; 0: it has none. */
uint64_t vidmm_ddi_addresses_end(const struct vidmm_adapter *adapter);
/* Whether the engine was told of page tables, and processes have addresses. */
bool vidmm_ddi_has_addresses(const struct vidmm_adapter *adapter);
/* Whether commands and fences of programs are found by addresses of their process: by page tables
 * that the engine writes, or by the CPU's. */
bool vidmm_ddi_finds_by_address(const struct vidmm_adapter *adapter);
/* Whether the GPU writes fences 32 bits at a time (No64BitAtomics). */
bool vidmm_ddi_fences_are_narrow(const struct vidmm_adapter *adapter);
/* Whether paging buffers write the values of paging queues' fences (SignalMonitoredFence): the
 * driver has hardware queues, and so is of WDDM 2.2 or above, whatever node they are for; its GPU
 * finds fences by address, 64 bits of them; and it has refused no such operation so far. */
/* Whether the driver writes page tables by commands that name them by segment and offset
 * (GPU_PHYSICAL). */
bool vidmm_ddi_writes_tables_by_place(const struct vidmm_adapter *adapter);
bool vidmm_ddi_writes_fences(const struct vidmm_adapter *adapter);

#endif
